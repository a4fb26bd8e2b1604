/**
 * @module
 * Named-entity models that run in this process.
 */
import { type EntityRecognizer, entitiesFromTokens, type RecognizedEntity, type TokenLabel } from '@x/postprocessors'
import { type LocalModel, localModel } from './local-model.ts'
import type { LocalModelOptions } from './local-model-options.ts'
import { specialTokens, tokenizeWords, tokenWindows } from './token-windows.ts'

/** Options of {@link TransformersNer}. */
export type TransformersNerOptions = LocalModelOptions

/**
 * A named-entity model that runs in this process, on transformers.js: `recognize` is the `ner` of a `NERPIINodePostprocessor`. Loaded
 * at the first call. A string with more tokens than the model reads is read in overlapping windows, so that every token is labeled.
 * @example
 * const names = new TransformersNer({ modelName: 'Xenova/bert-base-NER', allowRemoteModels: true })
 * // new NERPIINodePostprocessor({ ner: names.recognize, windowSize: null })
 * names.modelName // => 'Xenova/bert-base-NER'
 */
export class TransformersNer {
  /** The name of the model. */
  readonly modelName: string
  private readonly model: LocalModel

  constructor(options: TransformersNerOptions) {
    this.modelName = options?.modelName
    const network = 'AutoModelForTokenClassification'
    this.model = localModel({ owner: 'TransformersNer', network, outputs: ['logits'] }, options)
  }

  /**
   * Returns the entities of a string, in order, with their offsets and the mean probability of their words. An entity contains whole
   * words: a word is part of it when one of its tokens is.
   */
  readonly recognize = async (
    text: string,
    { signal }: NonNullable<Parameters<EntityRecognizer>[1]> = {},
  ): Promise<RecognizedEntity[]> =>
    this.model.use(signal, async (loaded) => {
      const { tokenizer, config, maxTokens } = loaded
      const [before, after] = specialTokens(this.model, loaded).parts as [number[], number[]]
      const { ids, words } = tokenizeWords(tokenizer, text)
      const size = maxTokens - before.length - after.length
      if (!(size > 1)) throw this.model.error(`maxTokens ${maxTokens} leaves no room for text`, 'bad_request')
      const windows = tokenWindows({ ids, words }, size, Math.min(64, Math.floor(size / 4)))
      const names = Object.values((config['id2label'] ?? {}) as Record<string, string>)
      const inputs = windows.map(({ start, end }, window) => ({
        window,
        ids: [...before, ...ids.slice(start, end), ...after],
      }))
      const rows: TokenLabel[][] = []
      await loaded.run(inputs, signal, ({ window, ids: { length } }, { values, width }) => {
        if (width !== names.length || values.length < length * width)
          throw this.model.error(`expected ${names.length} labels per token, received ${values.length}`, 'bad_request')
        rows[window] = Array.from({ length }, (_, token) => best(values, token * width, names))
      })
      // Windows are joined in the middle of their overlaps, where both have the same context.
      const labels: TokenLabel[] = []
      for (const [index, { start, end }] of windows.entries()) {
        const until = Math.ceil(((windows[index + 1]?.start ?? end) + end) / 2)
        labels.push(...rows[index]!.slice(before.length + labels.length - start, before.length + until - start))
      }
      const labelled = words.map(({ start, end, first, chunk }, index) => ({
        start,
        end,
        labels: labels.slice(first, words[index + 1]?.first ?? ids.length),
        tokens: () => tokenizer.tokenize(chunk),
      }))
      return entitiesFromTokens(text, labelled, tokenizer.unk_token)
    })

  /** Releases the memory of the model, when the calls in progress are done. A later call loads it again. */
  async dispose(): Promise<void> {
    await this.model.dispose()
  }
}

/** Returns the most probable label of a token. */
function best(values: ArrayLike<number>, start: number, names: readonly string[]): TokenLabel {
  const logits = names.map((_, label) => values[start + label]!)
  const highest = Math.max(...logits)
  const sum = logits.reduce((total, logit) => total + Math.exp(logit - highest), 0)
  return { label: names[logits.indexOf(highest)]!, score: 1 / sum }
}
