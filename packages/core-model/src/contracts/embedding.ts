/** Options of an embedding call. */
export interface EmbedOptions {
  /** Cancels the call. */
  signal?: AbortSignal | undefined
  /** Id of the event that the call belongs to, where the platform has no async context. */
  parentId?: string | undefined
  /** Receives the number of tokens of each request, if the provider reports it. */
  onUsage?: ((inputTokens: number) => void) | undefined
}

/** An embedding model, as all packages use it. */
export interface EmbeddingModel {
  /** Returns the vector of a query. */
  getQueryEmbedding(query: string, options?: EmbedOptions): Promise<number[]>
  /** Returns the vector of a string. */
  getTextEmbedding(text: string, options?: EmbedOptions): Promise<number[]>
  /** Returns the vectors of strings, in the same order. */
  getTextEmbeddingBatch(texts: readonly string[], options?: EmbedOptions): Promise<number[][]>
  /** Returns the vectors of queries, in the same order. If it is missing, callers embed one query at a time. */
  getQueryEmbeddingBatch?(queries: readonly string[], options?: EmbedOptions): Promise<number[][]>
}

/**
 * Counts the tokens of a string, or splits it into them. Encoders such as `encode` of `gpt-tokenizer` can be used directly.
 * Only the number of tokens is used.
 */
export type Tokenizer = (text: string) => number | ArrayLike<unknown>
