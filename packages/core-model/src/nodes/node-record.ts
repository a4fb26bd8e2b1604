/**
 * @module
 * Nodes as stores keep them: the node's dict with the code of its kind.
 */

import { isInstance } from '../model/is-model.ts'
import type { Dict, ModelClass } from '../model/model.ts'
import { isPlainObject, mapValues } from '../model/plain.ts'
import { Document } from './document.ts'
import { ImageDocument, ImageNode } from './image-node.ts'
import { IndexNode } from './index-node.ts'
import { UnknownNodeTypeError } from './node-errors.ts'
import { TextNode } from './text-node.ts'

/** A node as a store keeps it. */
export interface NodeRecord {
  __data__: Dict
  __type__: string
}

/** All node classes; the first one is taken for data that names none. */
export function nodeClasses(): { classes: readonly ModelClass<TextNode>[]; unknown: (className: string) => Error } {
  return {
    classes: [TextNode, ImageNode, IndexNode, Document, ImageDocument] as readonly ModelClass<TextNode>[],
    unknown: (className) => new UnknownNodeTypeError(className),
  }
}

/** Tells whether a value is a node. */
export function isNode(value: unknown): value is TextNode {
  return isInstance(value, TextNode)
}

/** The record of a node. */
export function docToJson(node: TextNode): NodeRecord {
  return { __data__: node.toDict(), __type__: node.getType() }
}

/** The node of a record, also of one that an old version wrote. @throws {UnknownNodeTypeError} */
export function jsonToDoc(record: unknown): TextNode {
  const { __type__: type, __data__: data } = isPlainObject(record) ? record : {}
  if (typeof type !== 'string' || !isPlainObject(data)) throw new UnknownNodeTypeError(type)
  const { classes } = nodeClasses()
  const byCode = classes.find((nodeClass) => nodeClass.prototype.getType() === type)
  if (byCode === undefined) throw new UnknownNodeTypeError(type)
  const { class_name, ...fields } = data
  const nodeClass =
    classes.find((candidate) => candidate.className() === class_name && candidate.prototype.getType() === type) ??
    byCode
  return nodeClass.fromDict('extra_info' in fields ? fromLegacy(fields) : fields)
}

function fromLegacy({ doc_id, extra_info, relationships, ...rest }: Dict): Dict {
  const related = isPlainObject(relationships) ? relationships : {}
  return {
    ...rest,
    ...(doc_id !== undefined && { id_: doc_id }),
    metadata: extra_info ?? {},
    relationships: mapValues(related, (nodeId) => (typeof nodeId === 'string' ? { node_id: nodeId } : nodeId)),
  }
}
