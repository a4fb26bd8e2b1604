/**
 * @module
 * What a model must offer that scores a query against a text, reading both together.
 */

/** A cross-encoder. `@x/transformers` makes one from a sentence-transformer model. */
export interface CrossEncoder {
  /** One score per pair of query and text, in order. */
  predict(
    pairs: readonly (readonly [query: string, text: string])[],
    options?: { signal?: AbortSignal | undefined },
  ): Promise<readonly number[]>
  /** Where it computes, such as `cpu` or `webgpu`. */
  readonly device?: string
  /** How many tokens it reads of a pair; what is longer it cuts off. */
  readonly maxTokens?: number
  /** The length of a text in its tokens. With `maxTokens`, longer texts are scored window by window and the best window counts. */
  countTokens?(text: string): number
}
