/** Functions that postprocessors use, queries, and nodes with a score. */
import { type Dict, type MetadataMode, QueryBundle } from '@x/core-model'
import {
  defaultFormatNodeBatchFn,
  defaultParseChoiceSelectAnswerFn,
  getBackwardNodes,
  getForwardNodes,
  getTopKEmbeddings,
} from '@x/postprocessors'
import type { Operations } from '../../case.ts'
import { entryOf, listedKeys, type NodeRecord } from './node-record.ts'
import { Workbench } from './workbench.ts'

interface OfNode {
  node: NodeRecord
}

interface Walk extends OfNode {
  numNodes: number
  docstore: NodeRecord[]
}

const walking =
  (walk: typeof getForwardNodes) =>
  ({ node, numNodes, docstore }: Walk) =>
    Workbench.run(async (bench) => {
      const found = await walk(bench.watch(entryOf(node)), numNodes, bench.documentStore(docstore))
      return [...found].map(([id_, { score }]) => ({ id_, score }))
    })

interface TopK {
  queryEmbedding: number[]
  embeddings: number[][]
  similarityTopK?: number
  similarityCutoff?: number
  embeddingIds?: string[]
}

interface Choices {
  answer: string
  numChoices: number
  raiseError?: boolean
}

interface OfQuery {
  queryBundle: Dict
}

export const functions: Operations = {
  get_forward_nodes: walking(getForwardNodes),
  get_backward_nodes: walking(getBackwardNodes),

  get_top_k_embeddings: (given: TopK, { expect: { value } }) => {
    const { similarityTopK: topK, similarityCutoff: cutoff, embeddingIds: ids } = given
    const [similarities, found] = getTopKEmbeddings(given.queryEmbedding, given.embeddings, { topK, cutoff, ids })
    return listedKeys({ similarities, ids: found }, value)
  },

  default_parse_choice_select_answer_fn: ({ answer, numChoices, raiseError }: Choices, { expect: { value } }) =>
    listedKeys({ ...defaultParseChoiceSelectAnswerFn(answer, numChoices, raiseError) }, value),

  default_format_node_batch_fn: ({ nodes }: { nodes: NodeRecord[] }) =>
    Workbench.run((bench) => defaultFormatNodeBatchFn(bench.nodes(nodes).map(({ node }) => node))),

  'QueryBundle.embedding_strs': ({ queryBundle }: OfQuery) => QueryBundle.fromDict(queryBundle).embeddingStrs,
  'QueryBundle.to_dict': ({ queryBundle }: OfQuery) => QueryBundle.fromDict(queryBundle).toDict(),

  'NodeWithScore.get_score': ({ node, args }: OfNode & { args?: { raise_error?: boolean } }) =>
    Workbench.run((bench) => bench.watch(entryOf(node)).getScore(args?.raise_error)),
  'NodeWithScore.to_dict': ({ node }: OfNode) => entryOf(node).toDict(),
  'NodeWithScore.get_content': ({ node, metadataMode }: OfNode & { metadataMode?: MetadataMode }) =>
    Workbench.run((bench) => bench.watch(entryOf(node)).getContent(metadataMode)),
}
