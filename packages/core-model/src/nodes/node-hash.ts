import type { Dict, Model } from '@x/core'
import { ownFieldsText } from './own-fields.ts'
import { sha256 } from './sha256.ts'
import { valueText } from './value-text.ts'

interface Hashed extends Model {
  id: string
  text: string
  metadata: Dict
}

/** Returns the hash of a node. @param more - the text that a subclass adds. */
export function hashOf(node: Hashed, more = ''): string {
  return sha256(node.text + valueText(node.metadata, [`node ${node.id}`, 'metadata']) + more + ownFieldsText(node))
}
