/**
 * @module
 * Embedding models that run in this process.
 */

import { choice, flag, text, unchecked } from '@x/core/options'
import type { EmbedOptions } from '@x/core-model'
import { type BaseEmbeddingOptions, BatchEmbedding } from '@x/llm'
import { type LocalModel, localModel } from './local-model.ts'
import type { LocalModelOptions } from './local-model-options.ts'
import { specialTokens, tokenizeWords, tokenWindows } from './token-windows.ts'

/** Options of {@link TransformersEmbedding}. */
export interface TransformersEmbeddingOptions extends Omit<BaseEmbeddingOptions, 'modelName'>, LocalModelOptions {
  /** The vector of a string: the mean of its tokens, the first token, or the last token. @defaultValue 'mean' */
  pooling?: 'mean' | 'cls' | 'last' | undefined
  /** Whether vectors have the length 1. @defaultValue true */
  normalize?: boolean | undefined
  /** A prefix for each query, such as `query: `. @defaultValue '' */
  queryPrefix?: string | undefined
  /** A prefix for each string, such as `passage: `. @defaultValue '' */
  textPrefix?: string | undefined
  /**
   * The treatment of a string with more tokens than the model reads: `average` embeds it in windows and returns the mean of their
   * vectors, weighted by their lengths; `throw` throws a `ModelCallError` of the kind `context_length`. @defaultValue 'average'
   */
  onLongText?: 'average' | 'throw' | undefined
}

const embeddingOptions = {
  pooling: choice('mean', 'cls', 'last'),
  normalize: flag,
  queryPrefix: text,
  textPrefix: text,
  onLongText: choice('average', 'throw'),
  embedBatchSize: unchecked,
  callbackManager: unchecked,
}

/**
 * An embedding model that runs in this process, on transformers.js. Loaded at the first call.
 * @example
 * const embedding = new TransformersEmbedding({ modelName: 'Xenova/all-MiniLM-L6-v2', allowRemoteModels: true })
 * embedding.modelName // => 'Xenova/all-MiniLM-L6-v2'
 */
export class TransformersEmbedding extends BatchEmbedding {
  static override className(): string {
    return 'TransformersEmbedding'
  }

  private readonly model: LocalModel
  private readonly queries: Embed
  private readonly texts: Embed

  constructor(options: TransformersEmbeddingOptions) {
    const { modelName, embedBatchSize = 100, callbackManager } = options ?? {}
    super({ modelName, embedBatchSize, callbackManager })
    const outputs = ['last_hidden_state', 'token_embeddings']
    const task = { owner: TransformersEmbedding.className(), network: 'AutoModel', outputs } as const
    this.model = localModel(task, options, embeddingOptions)
    this.queries = embedder(this.model, options.queryPrefix, options)
    this.texts = embedder(this.model, options.textPrefix, options)
  }

  /** Releases the memory of the model, when the calls in progress are done. A later call loads it again. */
  async dispose(): Promise<void> {
    await this.model.dispose()
  }

  protected override async queriesRequest(queries: readonly string[], options: EmbedOptions): Promise<number[][]> {
    return this.queries(queries, options)
  }

  protected override async textsRequest(texts: readonly string[], options: EmbedOptions): Promise<number[][]> {
    return this.texts(texts, options)
  }
}

type Embed = (texts: readonly string[], options: EmbedOptions) => Promise<number[][]>

/** Returns a function that embeds strings with a prefix. */
function embedder(
  model: LocalModel,
  prefix = '',
  { pooling = 'mean', normalize = true, onLongText = 'average' }: TransformersEmbeddingOptions,
): Embed {
  return (texts, { signal }) =>
    model.use(signal, async (loaded) => {
      const { tokenizer, maxTokens } = loaded
      const [before, after] = specialTokens(model, loaded).parts as [number[], number[]]
      const prefixIds = tokenizeWords(tokenizer, prefix).ids
      const size = maxTokens - before.length - after.length
      const inputs = texts.flatMap((content, text) => {
        const tokens = tokenizeWords(tokenizer, prefix + content)
        const count = tokens.ids.length
        // Negated, so that NaN is refused too.
        if (!(size > prefixIds.length) || (count > size && onLongText === 'throw'))
          throw model.error(`the text has ${count} tokens; the model reads ${size}`, 'context_length')
        // Every window starts with the prefix.
        return tokenWindows(tokens, count > size ? size - prefixIds.length : size).map(({ start, end }) => {
          const ids = [...before, ...(start > 0 ? prefixIds : []), ...tokens.ids.slice(start, end), ...after]
          ids[0] ??= 0
          return { text, ids }
        })
      })
      const sums: number[][] = []
      const counts: number[] = []
      await loaded.run(inputs, signal, ({ text, ids: { length } }, { values, width }) => {
        // A model may also return one vector for the whole input.
        const isOne = values.length === width
        if (!isOne && values.length < length * width)
          throw model.error(`expected a vector per token, received ${values.length / width}`, 'bad_request')
        const last = pooling === 'cls' || isOne ? 0 : length - 1
        const first = pooling === 'mean' ? 0 : last
        const weight = length / (last - first + 1)
        counts[text] = (counts[text] ?? 0) + length
        sums[text] ??= Array<number>(width).fill(0)
        for (let at = first * width; at < (last + 1) * width; at++) sums[text][at % width]! += values[at]! * weight
      })
      return sums.map((sum, text) => {
        const length = normalize ? Math.hypot(...sum) || 1 : counts[text]!
        return sum.map((value) => value / length)
      })
    })
}
