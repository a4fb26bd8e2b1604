/**
 * @module
 * The contract of a cross-encoder: a model that reads a query and a document together and returns their relevance.
 */

/** A cross-encoder model, such as `TransformersCrossEncoder` of `@x/transformers`. */
export interface CrossEncoder {
  /** Returns one score per pair of query and document text, in the same order. */
  predict(
    pairs: readonly (readonly [query: string, text: string])[],
    options?: { signal?: AbortSignal | undefined },
  ): Promise<readonly number[]>
  /** The name of the model, for the events and the JSON of `SentenceTransformerRerank`. */
  readonly modelName?: string
  /** The device it runs on, such as `cpu` or `webgpu`. */
  readonly device?: string
  /** The maximum number of tokens of a pair. The model truncates longer pairs. */
  readonly maxTokens?: number
  /** Counts the tokens of a string. With `maxTokens`, long documents are scored in windows, and the best score is used. */
  countTokens?(text: string): number
}
