/** Nodes of the cases, and the view of results that the cases expect. */
import { type Dict, NodeRelationship, NodeWithScore, TextNode } from '@x/core-model'
import { isObject } from '../../given.ts'

export interface NodeRecord {
  id_: string
  text?: string
  score?: number | null
  metadata?: Dict
  excluded_embed_metadata_keys?: string[]
  excluded_llm_metadata_keys?: string[]
  text_template?: string
  metadata_template?: string
  metadata_seperator?: string
  /** Ids of the neighbours. */
  prev?: string | null
  next?: string | null
}

export function nodeOf({ prev, next, score: _, ...fields }: NodeRecord): TextNode {
  return TextNode.fromDict({
    text: '',
    ...fields,
    relationships: {
      ...(prev && { [NodeRelationship.previous]: { node_id: prev } }),
      ...(next && { [NodeRelationship.next]: { node_id: next } }),
    },
  })
}

export function entryOf(record: NodeRecord): NodeWithScore {
  return new NodeWithScore({ node: nodeOf(record), score: record.score ?? null })
}

const comparedFields: Readonly<Dict> = {
  text: '',
  metadata: {},
  excluded_embed_metadata_keys: [],
  excluded_llm_metadata_keys: [],
}

/** The form of a result that the case expects: a field that the case leaves out must be that of the given node. */
export function viewNodes(result: readonly NodeWithScore[], expected: unknown, sources: readonly NodeRecord[]): Dict[] {
  const wanted = isObject(expected) && Array.isArray(expected['nodes']) ? expected['nodes'] : []
  return result.map((entry, index) => viewNode(entry, wanted[index], sources))
}

function viewNode(entry: NodeWithScore, wanted: unknown, sources: readonly NodeRecord[]): Dict {
  const dict = entry.node.toDict()
  const source = sources.find(({ id_ }) => id_ === entry.nodeId)
  const given: Dict | undefined = source && { ...comparedFields, ...source }
  const view: Dict = { id_: entry.nodeId, score: entry.score }
  for (const key of Object.keys(comparedFields)) {
    const unchanged = given !== undefined && JSON.stringify(dict[key]) === JSON.stringify(given[key])
    if ((isObject(wanted) && key in wanted) || !unchanged) view[key] = dict[key]
  }
  return view
}

/** Only the keys that the case lists. */
export function listedKeys(value: Readonly<Dict>, expected: unknown): Dict {
  if (!isObject(expected)) return value
  return Object.fromEntries(Object.keys(expected).map((key) => [key, value[key]]))
}
