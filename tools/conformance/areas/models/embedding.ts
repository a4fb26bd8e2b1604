/** Embedding models. */
import { CallbackManager, type EmbedOptions, meanAgg, type SimilarityMode, similarity, TextNode } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { TableEmbedding } from '@x/llm/testing'
import type { Operations } from '../../case.ts'
import { apiKeys } from '../../given.ts'
import { outcome } from './outcome.ts'

type Table = Record<string, number[] | 'throw'>

interface OfModel {
  embed?: Table
  queryEmbed?: Table
  embedBatchSize?: number
  oneByOne?: boolean
}

const tableOf = (table: Table = {}) =>
  Object.fromEntries(
    Object.entries(table).map(([text, entry]) => [text, entry === 'throw' ? new Error('embedding failed') : entry]),
  )

/** A model without a batch call. */
class OneByOneEmbedding extends TableEmbedding {
  protected override async textsRequest(texts: readonly string[], options: EmbedOptions): Promise<number[][]> {
    const vectors: number[][] = []
    for (const text of texts) vectors.push(await this.textRequest(text, options))
    return vectors
  }
}

function embeddingOf({ embed, queryEmbed, embedBatchSize, oneByOne }: OfModel) {
  const handler = new RecordingCallbackHandler()
  const model = new (oneByOne ? OneByOneEmbedding : TableEmbedding)({
    texts: tableOf(embed),
    queries: tableOf(queryEmbed),
    embedBatchSize,
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
  'embedding.config': ({ values }: { values: object }) => {
    const { class_name, ...fields } = new TableEmbedding(apiKeys(values)).toDict()
    return fields
  },

  'embedding.get_text_embedding_batch': ({ texts, ...given }: OfModel & { texts: string[] }) => {
    const { model, handler, requests } = embeddingOf(given)
    return outcome(
      async () => ({ embeddings: await model.getTextEmbeddingBatch(texts), chunks: chunksOf(handler) }),
      () => ({ requests, events: handler.summary() }),
    )
  },

  'embedding.get_query_embedding': async ({ query, ...given }: OfModel & { query: string }) => {
    const { model, handler, requests } = embeddingOf(given)
    return { embedding: await model.getQueryEmbedding(query), requests, events: handler.summary() }
  },

  'embedding.get_text_embedding': async ({ text, ...given }: OfModel & { text: string }) => {
    const { model, handler, requests } = embeddingOf(given)
    return { embedding: await model.getTextEmbedding(text), requests, events: handler.summary() }
  },

  'embedding.get_agg_embedding_from_queries': async ({ queries, ...given }: OfModel & { queries: string[] }) => {
    const { model, handler, requests } = embeddingOf(given)
    const aggregated = await model.getAggEmbeddingFromQueries(queries)
    return { embedding: aggregated, requests, event_count: handler.events.length }
  },

  'embedding.similarity': ({ a, b, mode }: { a: number[]; b: number[]; mode?: SimilarityMode }) =>
    similarity(a, b, mode),
  'embedding.mean_agg': ({ embeddings }: { embeddings: number[][] }) => meanAgg(embeddings),

  'embedding.embed_nodes': async ({ nodes: records, ...given }: OfModel & { nodes: object[] }) => {
    const { model, requests } = embeddingOf(given)
    const nodes = records.map((node) => TextNode.fromDict(node))
    const result = await model.transform(nodes)
    return {
      same_list: result === nodes,
      texts: requests.flatMap(([, texts]) => texts),
      embeddings: nodes.map((node) => node.embedding),
    }
  },
}
