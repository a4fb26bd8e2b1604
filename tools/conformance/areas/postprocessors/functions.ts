/** Functions that postprocessors use. */
import {
  defaultFormatNodeBatchFn,
  defaultParseChoiceSelectAnswerFn,
  getBackwardNodes,
  getForwardNodes,
  getTopKEmbeddings,
} from '@x/postprocessors'
import { type Operations, operation } from '../../case.ts'
import { argument, shape } from '../../reader.ts'
import { entryOf, listedKeys, nodeRecord, nodeRecords } from './node-record.ts'
import { Workbench } from './workbench.ts'

function walking(walk: typeof getForwardNodes) {
  return operation(
    shape({ node: nodeRecord, num_nodes: argument<number>(), docstore: nodeRecords }),
    ({ node, num_nodes: count, docstore }) =>
      Workbench.run(async (bench) => {
        const found = await walk(bench.watch(entryOf(node)), count, bench.documentStore(docstore))
        return [...found].map(([id_, { score }]) => ({ id_, score }))
      }),
  )
}

export const functions: Operations = {
  get_forward_nodes: walking(getForwardNodes),

  get_backward_nodes: walking(getBackwardNodes),

  get_top_k_embeddings: operation(
    shape({
      query_embedding: argument<number[]>(),
      embeddings: argument<number[][]>(),
      similarity_top_k: argument<number | undefined>(),
      similarity_cutoff: argument<number | undefined>(),
      embedding_ids: argument<string[] | undefined>(),
    }),
    (given, { value }) => {
      const [similarities, ids] = getTopKEmbeddings(given.query_embedding, given.embeddings, {
        topK: given.similarity_top_k,
        cutoff: given.similarity_cutoff,
        ids: given.embedding_ids,
      })
      return listedKeys({ similarities, ids }, value)
    },
  ),

  default_parse_choice_select_answer_fn: operation(
    shape({
      answer: argument<string>(),
      num_choices: argument<number>(),
      raise_error: argument<boolean | undefined>(),
    }),
    ({ answer, num_choices, raise_error }, { value }) =>
      listedKeys({ ...defaultParseChoiceSelectAnswerFn(answer, num_choices, raise_error) }, value),
  ),

  default_format_node_batch_fn: operation(shape({ nodes: nodeRecords }), ({ nodes }) =>
    Workbench.run((bench) => defaultFormatNodeBatchFn(bench.nodes(nodes).map(({ node }) => node))),
  ),
}
