/**
 * @module
 * The base of embedding models: batches, order and events.
 */
import { EmptyInputError } from '@x/core'
import {
  callback,
  callOptions,
  checkGiven,
  checkOption,
  checkOptions,
  dict,
  flag,
  list,
  listOf,
  type OptionTable,
  required,
  wholeNumber,
} from '@x/core/options'
import { wellFormed } from '@x/core/values'
import type { EmbeddingModel, EmbedOptions, EventPayloads, TextNode } from '@x/core-model'
import {
  CallbackManager,
  EmbeddingDimensionError,
  meanAgg,
  type SimilarityMode,
  similarity,
  withEvent,
} from '@x/core-model'
import { mapConcurrently } from '@x/core-model/async'
import { BaseEmbeddingModel } from '../generated/base-embedding.ts'
import type { LLM } from '../llm/llm.ts'

/** The progress of a batch operation. */
export interface EmbedProgress {
  /** The number of strings embedded so far. */
  done: number
  /** The number of all strings. */
  total: number
}

/** Options of a batch operation. */
interface EmbedBatchOptions extends EmbedOptions {
  /** Whether `onProgress` is called. @defaultValue false */
  showProgress?: boolean
  /** Receives the progress after each batch when `showProgress` is set. */
  onProgress?: (progress: EmbedProgress) => void
  /** How many batches may run at the same time. @defaultValue 1 */
  maxConcurrency?: number
}

const embedOptions: OptionTable<EmbedOptions> = { ...callOptions, onUsage: callback }
const batchOptions: OptionTable<EmbedBatchOptions> = {
  ...embedOptions,
  showProgress: flag,
  onProgress: callback,
  maxConcurrency: wholeNumber(1),
}
const string = required((value) => (typeof value === 'string' ? undefined : 'a string'))
const anArray = required(list)
const nodeList = listOf('a node', 'getContent')

/** The base of embedding models. A subclass makes the requests; queries and passages may be embedded in different ways. */
export abstract class BaseEmbedding extends BaseEmbeddingModel implements EmbeddingModel {
  static override makeDefault(field: string): unknown {
    return field === 'callbackManager' ? new CallbackManager() : null
  }

  /** Name of the provider, such as openai, for events; null if unknown. */
  get provider(): string | null {
    return null
  }

  /** Host and port of the model server, for events; null if there is none, or it is unknown. */
  get endpoint(): LLM['endpoint'] {
    return null
  }

  /** Requests the vector of one query. */
  protected abstract queryRequest(query: string, options: EmbedOptions): Promise<number[]>
  /** Requests the vector of one string. */
  protected abstract textRequest(text: string, options: EmbedOptions): Promise<number[]>

  /** Requests the vectors of one batch, in order. */
  protected async textsRequest(texts: readonly string[], options: EmbedOptions): Promise<number[][]> {
    const vectors: number[][] = []
    for (const text of texts) vectors.push(await this.textRequest(text, options))
    return vectors
  }

  /** Requests the vectors of one batch of queries, in order. Models that embed queries like passages can call `textsRequest`. */
  protected async queriesRequest(queries: readonly string[], options: EmbedOptions): Promise<number[][]> {
    const vectors: number[][] = []
    for (const query of queries) vectors.push(await this.queryRequest(query, options))
    return vectors
  }

  /** Returns the vector of a query. @throws {ModelValidationError} if `query` is no string, or an option is unknown or invalid. */
  async getQueryEmbedding(query: string, options: EmbedOptions = {}): Promise<number[]> {
    checkOption('getQueryEmbedding', 'query', query, string)
    checkOptions('getQueryEmbedding', options, embedOptions)
    const [vector] = await this.request([query], options, async (own) => [
      await this.queryRequest(wellFormed(query), own),
    ])
    return vector!
  }

  /** Returns the vector of a string. @throws {ModelValidationError} if `text` is no string, or an option is unknown or invalid. */
  async getTextEmbedding(text: string, options: EmbedOptions = {}): Promise<number[]> {
    checkOption('getTextEmbedding', 'text', text, string)
    checkOptions('getTextEmbedding', options, embedOptions)
    const [vector] = await this.request([text], options, async (own) => [await this.textRequest(wellFormed(text), own)])
    return vector!
  }

  /**
   * Returns the vectors of strings, in the same order. Each request contains `embedBatchSize` strings; an empty array makes no
   * request and no event. When a request fails, its error is thrown and no further request starts.
   * @throws {ModelValidationError} if `texts` is no array, or an option is unknown or invalid.
   * @throws {EmbeddingDimensionError} if the model returns a different number of vectors.
   */
  async getTextEmbeddingBatch(texts: readonly string[], options: EmbedBatchOptions = {}): Promise<number[][]> {
    checkOption('getTextEmbeddingBatch', 'texts', texts, anArray)
    return this.inBatches('getTextEmbeddingBatch', texts, options, (batch, request) =>
      this.textsRequest(batch, request),
    )
  }

  /**
   * Returns the vectors of queries, in the same order, with requests like those of `getTextEmbeddingBatch`.
   * @throws {EmbeddingDimensionError} if the model returns a different number of vectors.
   */
  async getQueryEmbeddingBatch(queries: readonly string[], options: EmbedBatchOptions = {}): Promise<number[][]> {
    checkOption('getQueryEmbeddingBatch', 'queries', queries, anArray)
    return this.inBatches('getQueryEmbeddingBatch', queries, options, (batch, request) =>
      this.queriesRequest(batch, request),
    )
  }

  private async inBatches(
    where: string,
    texts: readonly string[],
    options: EmbedBatchOptions,
    ask: (batch: readonly string[], request: EmbedOptions) => Promise<number[][]>,
  ): Promise<number[][]> {
    checkOptions(where, options, batchOptions)
    const { showProgress = false, onProgress, maxConcurrency = 1, ...request } = options
    const batches: string[][] = []
    for (let start = 0; start < texts.length; start += this.embedBatchSize)
      batches.push(texts.slice(start, start + this.embedBatchSize))
    let done = 0
    const vectors = await mapConcurrently(batches, maxConcurrency, async (batch) => {
      const result = await this.request(batch, request, (own) => ask(wellFormed(batch), own))
      done += batch.length
      if (showProgress) await onProgress?.({ done, total: texts.length })
      return result
    })
    return vectors.flat()
  }

  /** Returns one vector for several queries, by default their mean. @throws {EmptyInputError} without queries. */
  async getAggEmbeddingFromQueries(
    queries: readonly string[],
    aggFn: (embeddings: number[][]) => number[] = meanAgg,
    options?: EmbedOptions,
  ): Promise<number[]> {
    checkOption('getAggEmbeddingFromQueries', 'queries', queries, anArray)
    if (queries.length === 0) throw new EmptyInputError('getAggEmbeddingFromQueries: at least one query is required.')
    const vectors: number[][] = []
    for (const query of queries) vectors.push(await this.getQueryEmbedding(query, options))
    return aggFn(vectors)
  }

  /** Returns the similarity of two vectors; see {@link similarity}. */
  similarity(a: readonly number[], b: readonly number[], mode: SimilarityMode = 'cosine'): number {
    return similarity(a, b, mode)
  }

  /** Embeds the content of each node in embed mode, stores the vector in the node, and returns the same array. */
  async transform<N extends TextNode>(nodes: N[], options: EmbedBatchOptions = {}): Promise<N[]> {
    checkOption('transform', 'nodes', nodes, nodeList)
    checkGiven('transform', { options }, dict)
    // An ingestion passes how its work is saved, which embedding does not use.
    const { durable: _, ...own } = options as EmbedBatchOptions & { durable?: unknown }
    const vectors = await this.getTextEmbeddingBatch(
      nodes.map((node) => node.getContent('embed')),
      own,
    )
    for (const [index, node] of nodes.entries()) node.embedding = vectors[index]!
    return nodes
  }

  private startPayload(): EventPayloads['embedding']['start'] {
    const { provider, endpoint } = this
    return { serialized: { ...(provider !== null && { provider }), ...(endpoint && { endpoint }), ...this.toDict() } }
  }

  private async request(
    texts: readonly string[],
    options: EmbedOptions,
    request: (options: EmbedOptions) => Promise<number[][]>,
  ): Promise<number[][]> {
    options.signal?.throwIfAborted()
    return withEvent(
      this.callbackManager,
      'embedding',
      () => this.startPayload(),
      async (event) => {
        let inputTokens: number | undefined
        const onUsage = (tokens: number) => {
          inputTokens = (inputTokens ?? 0) + tokens
          options.onUsage?.(tokens)
        }
        const embeddings = await request({ ...options, onUsage })
        if (embeddings.length !== texts.length)
          throw new EmbeddingDimensionError('Number of vectors', texts.length, embeddings.length)
        const usage = inputTokens === undefined ? {} : { input_tokens: inputTokens }
        event.end({ chunks: [...texts], embeddings, ...usage })
        return embeddings
      },
      options,
    )
  }
}

/**
 * The base of embedding models that embed several strings in each request. A subclass has `textsRequest`; queries are embedded alike,
 * unless it also has `queriesRequest`.
 * @example
 * class Lengths extends BatchEmbedding {
 *   protected async textsRequest(texts: readonly string[]) {
 *     return texts.map((text) => [text.length])
 *   }
 * }
 * await new Lengths().getQueryEmbedding('a pear') // => [6]
 */
export abstract class BatchEmbedding extends BaseEmbedding {
  protected abstract override textsRequest(texts: readonly string[], options: EmbedOptions): Promise<number[][]>

  protected override queriesRequest(queries: readonly string[], options: EmbedOptions): Promise<number[][]> {
    return this.textsRequest(queries, options)
  }

  protected override async queryRequest(query: string, options: EmbedOptions): Promise<number[]> {
    const [vector] = await this.queriesRequest([query], options)
    return vector!
  }

  protected override async textRequest(text: string, options: EmbedOptions): Promise<number[]> {
    const [vector] = await this.textsRequest([text], options)
    return vector!
  }
}
