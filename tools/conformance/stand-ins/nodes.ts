/** Nodes of the cases, in wire form. */
import { Document, ImageDocument, ImageNode, IndexNode, NodeWithScore, RelatedNodeInfo, TextNode } from '@x/core-model'
import { expectEqual } from '../compare.ts'
import { isObject, named, object, type Place, type Reader } from '../reader.ts'

/** Builds what a record describes. Building may fail, as a case can expect. */
export type Build<T> = () => T

const builders: Readonly<Record<string, (fields: object) => TextNode>> = {
  TextNode: (fields) => TextNode.fromDict(fields),
  Document: (fields) => Document.fromDict(fields),
  ImageNode: (fields) => ImageNode.fromDict(fields),
  ImageDocument: (fields) => ImageDocument.fromDict(fields),
}

/** Reads a node; a text node when it names no class. The object of an index node may be a node too. */
export const node: Reader<Build<TextNode>> = (value, at) => {
  const { class_name = 'TextNode', ...fields } = object(value, at)
  if (class_name === 'IndexNode') return indexNode(fields, at)
  const build = named(builders)(class_name, at.child('class_name'))
  return () => build(fields)
}

function indexNode({ obj, ...fields }: Record<string, unknown>, at: Place): Build<IndexNode> {
  const inner = isObject(obj) && 'class_name' in obj ? node(obj, at.child('obj')) : () => obj
  return () => {
    const made = IndexNode.fromDict(fields)
    const held = inner()
    if (held !== undefined) made.obj = held
    return made
  }
}

/** Reads a node with a score. */
export const nodeWithScore: Reader<Build<NodeWithScore>> = (value, at) => {
  const { node: inner, class_name, ...fields } = object(value, at)
  const build = node(inner, at.child('node'))
  return () => NodeWithScore.fromDict(fields, { node: build() })
}

/** Reads any record that has a class of its own. */
export const record: Reader<Build<TextNode | NodeWithScore | RelatedNodeInfo>> = (value, at) => {
  const { class_name, ...fields } = object(value, at)
  if (class_name === 'NodeWithScore') return nodeWithScore(value, at)
  return class_name === 'RelatedNodeInfo' ? () => RelatedNodeInfo.fromDict(fields) : node(value, at)
}

/** Checks that nodes still have the wire form that they had. Returns the check. */
export function rememberNodes(nodes: readonly { toDict(): unknown }[]): () => void {
  const before = nodes.map((each) => each.toDict())
  return () =>
    expectEqual(
      nodes.map((each) => each.toDict()),
      before,
      {},
      'input nodes',
    )
}
