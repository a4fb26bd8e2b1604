/** Embedding models. */
import { CallbackManager, type EmbedOptions, meanAgg, type SimilarityMode, similarity, TextNode } from '@x/core-model'
import { RecordingCallbackHandler, TableEmbedding, type TableEntry } from '@x/core-model/testing'
import { type Operations, operation } from '../../case.ts'
import { apiKeys } from '../../names.ts'
import {
  anything,
  argument,
  boolean,
  dictionary,
  list,
  number,
  object,
  optional,
  type Read,
  type Reader,
  shape,
} from '../../reader.ts'
import { outcome } from './outcome.ts'

const entry: Reader<TableEntry> = (value, at) =>
  value === 'throw' ? new Error('embedding failed') : list(number)(value, at)
const table = optional(dictionary(entry))

const tables = { embed: table, query_embed: table }
const settings = { ...tables, embed_batch_size: argument<number | undefined>(), one_by_one: optional(boolean) }
const modelInput = shape(settings)

/** A model without a batch call. */
class OneByOneEmbedding extends TableEmbedding {
  protected override async textsRequest(texts: readonly string[], options: EmbedOptions): Promise<number[][]> {
    const vectors: number[][] = []
    for (const text of texts) vectors.push(await this.textRequest(text, options))
    return vectors
  }
}

function embeddingOf({ embed = {}, query_embed = {}, embed_batch_size, one_by_one }: Read<typeof modelInput>) {
  const handler = new RecordingCallbackHandler()
  const model = new (one_by_one ? OneByOneEmbedding : TableEmbedding)({
    texts: embed,
    queries: query_embed,
    embedBatchSize: embed_batch_size,
    callbackManager: new CallbackManager([handler]),
  })
  return { model, handler, requests: model.requests }
}

/** The chunks that each end event lists. */
function chunksOf({ events }: RecordingCallbackHandler): unknown[] {
  return events.flatMap((event) =>
    event.phase === 'end' && event.payload && 'chunks' in event.payload ? [event.payload['chunks']] : [],
  )
}

export const embedding: Operations = {
  'embedding.config': operation(shape({ values: object }), ({ values }) => {
    const { class_name, ...fields } = new TableEmbedding(apiKeys(values)).toDict()
    return fields
  }),

  'embedding.get_text_embedding_batch': operation(shape({ ...settings, texts: argument<string[]>() }), (given) => {
    const { model, handler, requests } = embeddingOf(given)
    return outcome(
      async () => ({ embeddings: await model.getTextEmbeddingBatch(given.texts), chunks: chunksOf(handler) }),
      () => ({ requests, events: handler.summary() }),
    )
  }),

  'embedding.get_query_embedding': operation(shape({ ...settings, query: argument<string>() }), async (given) => {
    const { model, handler, requests } = embeddingOf(given)
    return { embedding: await model.getQueryEmbedding(given.query), requests, events: handler.summary() }
  }),

  'embedding.get_text_embedding': operation(shape({ ...settings, text: argument<string>() }), async (given) => {
    const { model, handler, requests } = embeddingOf(given)
    return { embedding: await model.getTextEmbedding(given.text), requests, events: handler.summary() }
  }),

  'embedding.get_agg_embedding_from_queries': operation(
    shape({ ...settings, queries: argument<string[]>() }),
    async (given) => {
      const { model, handler, requests } = embeddingOf(given)
      const aggregated = await model.getAggEmbeddingFromQueries(given.queries)
      return { embedding: aggregated, requests, event_count: handler.events.length }
    },
  ),

  'embedding.similarity': operation(
    shape({
      a: argument<number[]>(),
      b: argument<number[]>(),
      mode: argument<SimilarityMode | undefined>(),
    }),
    ({ a, b, mode }) => similarity(a, b, mode),
  ),

  'embedding.mean_agg': operation(shape({ embeddings: argument<number[][]>() }), ({ embeddings }) =>
    meanAgg(embeddings),
  ),

  'embedding.embed_nodes': operation(shape({ ...settings, nodes: list(anything) }), async (given) => {
    const { model, requests } = embeddingOf(given)
    const nodes = given.nodes.map((node) => TextNode.fromDict(node))
    const result = await model.transform(nodes)
    return {
      same_list: result === nodes,
      texts: requests.flatMap(([, texts]) => texts),
      embeddings: nodes.map((node) => node.embedding),
    }
  }),
}
