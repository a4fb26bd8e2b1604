/**
 * @module
 * Cross-encoders that run in this process.
 */
import { checkOption, choice } from '@x/core/options'
import type { CrossEncoder } from '@x/core-model'
import { type LoadedModel, type LocalModel, localModel } from './local-model.ts'
import type { LocalModelOptions } from './local-model-options.ts'
import { specialTokens, tokenizeWords, tokenWindows } from './token-windows.ts'

/** Options of {@link TransformersCrossEncoder}. */
export interface TransformersCrossEncoderOptions extends LocalModelOptions {
  /**
   * The function that converts the output of the model to a score. @defaultValue that of the model's `config.json`, otherwise the sigmoid
   */
  activation?: 'sigmoid' | 'identity' | undefined
}

/**
 * A cross-encoder that runs in this process, on transformers.js: the model of a `SentenceTransformerRerank`. Loaded at the first call.
 * A passage that is too long for the model together with the query is scored in windows, and its best score counts.
 * @example
 * const crossEncoder = new TransformersCrossEncoder({ modelName: 'Xenova/ms-marco-MiniLM-L-6-v2', allowRemoteModels: true })
 * crossEncoder.modelName // => 'Xenova/ms-marco-MiniLM-L-6-v2'
 */
export class TransformersCrossEncoder implements CrossEncoder {
  /** The name of the model. */
  readonly modelName: string
  /** The device of the model. */
  declare readonly device?: string
  private readonly model: LocalModel
  private readonly activation: 'sigmoid' | 'identity' | undefined

  constructor(given: TransformersCrossEncoderOptions) {
    const { activation, ...options } = given ?? {}
    this.modelName = options.modelName
    if (options.device) this.device = options.device
    const network = 'AutoModelForSequenceClassification'
    this.model = localModel({ owner: 'TransformersCrossEncoder', network, outputs: ['logits'] }, options)
    if (activation !== undefined)
      checkOption('TransformersCrossEncoder', 'activation', activation, choice('sigmoid', 'identity'))
    this.activation = activation
  }

  /**
   * Returns one score per pair of query and passage, in the same order.
   * @throws {ModelCallError} of the kind `context_length` when a query has more than three quarters of the tokens that the model reads.
   */
  async predict(
    pairs: readonly (readonly [query: string, text: string])[],
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<number[]> {
    if (pairs.length === 0) return []
    return this.model.use(signal, async (loaded) => {
      const scores = pairs.map(() => -Infinity)
      await loaded.run(inputsOf(this.model, loaded, pairs), signal, ({ pair }, { values }) => {
        if (values.length !== 1)
          throw this.model.error(`expected a model with one label, received ${values.length}`, 'bad_request')
        scores[pair] = Math.max(scores[pair]!, values[0]!)
      })
      const isSigmoid = (this.activation ?? activationOf(loaded.config)) === 'sigmoid'
      return isSigmoid ? scores.map((score) => 1 / (1 + Math.exp(-score))) : scores
    })
  }

  /** Releases the memory of the model, when the calls in progress are done. A later call loads it again. */
  async dispose(): Promise<void> {
    await this.model.dispose()
  }
}

/** Returns the inputs for the model: one or more windows of each pair. */
function inputsOf(model: LocalModel, loaded: LoadedModel, pairs: readonly (readonly [string, string])[]) {
  const { parts, types, textLength } = specialTokens(model, loaded, true)
  const [before, between, after] = parts as [number[], number[], number[]]
  const query = before.length
  const passage = query + textLength + between.length
  const room = loaded.maxTokens - parts.flat().length
  return pairs.flatMap(([queryText, text], pair) => {
    const queryIds = tokenizeWords(loaded.tokenizer, queryText).ids
    const size = room - queryIds.length
    if (!(size > 0 && size >= room / 4))
      throw model.error(
        `the query has ${queryIds.length} tokens; the model reads ${room} with the passage`,
        'context_length',
      )
    const tokens = tokenizeWords(loaded.tokenizer, text)
    return tokenWindows(tokens, size, Math.floor(size / 4)).map(({ start, end }) => ({
      pair,
      ids: [...before, ...queryIds, ...between, ...tokens.ids.slice(start, end), ...after],
      // The token types of a string do not depend on its length.
      types: [
        ...types.slice(0, query),
        ...queryIds.map(() => types[query] ?? 0),
        ...types.slice(query + textLength, passage),
        ...Array<number>(end - start).fill(types[passage] ?? 0),
        ...types.slice(passage + textLength),
      ],
    }))
  })
}

/** Returns the activation that sentence-transformers applies: the stated one, otherwise the sigmoid for a single label. */
function activationOf(config: Record<string, unknown>): 'sigmoid' | 'identity' {
  const { activation_fn } = (config['sentence_transformers'] ?? {}) as { activation_fn?: unknown }
  const stated = activation_fn ?? config['sbert_ce_default_activation_function']
  return typeof stated !== 'string' || /sigmoid/i.test(stated) ? 'sigmoid' : 'identity'
}
