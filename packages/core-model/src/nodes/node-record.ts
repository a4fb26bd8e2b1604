/**
 * @module
 * The form in which stores save nodes: the node's dict with the code of its type.
 */

import type { Dict, WireLine } from '@x/core'
import { isInstance } from '@x/core'
import { checkGiven } from '@x/core/options'
import { ObjectType } from './codes.ts'
import { TextNode } from './text-node.ts'

/** A node in the form of a store. */
export interface NodeRecord {
  __data__: Dict
  __type__: string
}

/** Whether a value is a node. */
export function isNode(value: unknown): value is TextNode {
  return isInstance(value, TextNode)
}

/** Returns the record of a node. @param line - the form of the data. */
export function docToJson(node: TextNode, line?: WireLine | string): NodeRecord {
  checkGiven('docToJson', { node }, 'a node', 'getType')
  const data = node.toDict({ line })
  return { __data__: data, __type__: data['class_name'] === 'Node' ? ObjectType.multimodal : node.getType() }
}
