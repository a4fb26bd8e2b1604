/** Nodes of the cases, in wire form. */
import {
  type Dict,
  Document,
  ImageDocument,
  ImageNode,
  IndexNode,
  type Model,
  NodeWithScore,
  RelatedNodeInfo,
  TextNode,
} from '@x/core-model'
import { expectEqual } from '../compare.ts'
import { isObject, named } from '../given.ts'

interface NodeClass<T extends Model> {
  fromDict(data: unknown, overrides?: Dict): T
  fromJson(json: string): T
}

const textNodes: Readonly<Record<string, NodeClass<TextNode>>> = { TextNode, Document, ImageNode, ImageDocument }

/** The class of a record. */
export const nodeClass = (name: string): NodeClass<Model> =>
  named<NodeClass<Model>>({ ...textNodes, IndexNode, RelatedNodeInfo, NodeWithScore }, name)

/** Builds a node; a text node when it names no class. The object of an index node may be a node too. */
export function nodeOf({ class_name = 'TextNode', ...fields }: Dict): TextNode {
  if (class_name !== 'IndexNode') return named(textNodes, class_name).fromDict(fields)
  const { obj, ...others } = fields
  const made = IndexNode.fromDict(others)
  if (obj !== undefined) made.obj = isObject(obj) && 'class_name' in obj ? nodeOf(obj) : obj
  return made
}

export const nodesOf = (records: readonly Dict[]): TextNode[] => records.map(nodeOf)

/** Builds a node with a score. */
export function nodeWithScore({ node, class_name: _, ...fields }: Dict): NodeWithScore {
  return NodeWithScore.fromDict(fields, { node: nodeOf(node as Dict) })
}

/** Builds any record that has a class of its own. */
export function recordOf(record: Dict): Model {
  const { class_name, ...fields } = record
  if (class_name === 'NodeWithScore') return nodeWithScore(record)
  return class_name === 'RelatedNodeInfo' ? RelatedNodeInfo.fromDict(fields) : nodeOf(record)
}

/** Calls a function that must leave the wire form of nodes as it is. */
export async function unchanged<T>(nodes: readonly { toDict(): unknown }[], work: () => T | Promise<T>): Promise<T> {
  const dicts = () => nodes.map((each) => each.toDict())
  const before = dicts()
  const value = await work()
  expectEqual(dicts(), before, {}, 'input nodes')
  return value
}
