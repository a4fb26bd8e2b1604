/**
 * @module
 * The hash of a node, which also covers the fields that a custom class adds.
 */
import type { Dict, Model } from '@x/core'
import type { AnyModel, AnyModelClass } from '@x/core/reading'
import { fieldsOf } from '@x/core/reading'
import { deepEqual } from '@x/core/values'
import { sha256 } from './sha256.ts'
import { quotedText, valueText } from './value-text.ts'

interface Hashed extends Model {
  id: string
  text: string
  metadata: Dict
}

/** Returns the hash of a node. @param more - the text that a subclass adds. */
export function hashOf(node: Hashed, more = ''): string {
  const own = ownFieldsText(node)
  return sha256(node.text + valueText(node.metadata, [`node ${node.id}`, 'metadata']) + more + own)
}

/** The class names of the node classes of this package. */
export const builtInNodes: readonly string[] = [
  'TextNode',
  'ImageNode',
  'IndexNode',
  'Document',
  'ImageDocument',
  'Node',
]

const known = new WeakMap<object, readonly string[]>()

/** Returns the names of the written fields that a class adds. Cached per class. */
function ownFieldsOf(nodeClass: AnyModelClass): readonly string[] {
  let names = known.get(nodeClass)
  if (names === undefined) {
    let base = nodeClass
    while (!builtInNodes.includes(base.className())) base = Object.getPrototypeOf(base)
    const inherited = base.spec().fields
    const own = fieldsOf(nodeClass).filter(({ name, runtime }) => !runtime && !Object.hasOwn(inherited, name))
    names = own.map(({ name }) => name)
    known.set(nodeClass, names)
  }
  return names
}

/** Returns the added fields of a node that differ from their defaults, as a string; empty for the classes of this package. */
function ownFieldsText(node: AnyModel): string {
  const nodeClass = node.constructor as unknown as AnyModelClass
  const include = ownFieldsOf(nodeClass)
  if (include.length === 0) return ''
  const dict: Dict = node.toDict({ include })
  const set: Dict = {}
  for (const { name, wire, default: byDefault } of fieldsOf(nodeClass))
    if (include.includes(name) && !deepEqual(dict[wire], byDefault)) set[wire] = dict[wire]
  return Object.keys(set).length === 0 ? '' : quotedText(set)
}
