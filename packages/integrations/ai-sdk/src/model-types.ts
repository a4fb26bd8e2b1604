/**
 * @module
 * The parts of the AI SDK's model specifications (v2, v3 and v4) that are read or written here, as structural types: the models of all
 * its providers fit, whatever version of `@ai-sdk/provider` they were built with.
 * @see https://github.com/vercel/ai/tree/main/packages/provider
 */

/** A language model of the AI SDK. */
export interface AiSdkLanguageModel {
  /** `v2`, `v3` or `v4`. */
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  doGenerate(options: AiSdkCallOptions): PromiseLike<AiSdkResult>
  doStream(options: AiSdkCallOptions): PromiseLike<{ stream: ReadableStream<AiSdkPart> }>
}

/** An embedding model of the AI SDK. */
export interface AiSdkEmbeddingModel {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined
  doEmbed(options: {
    values: string[]
    abortSignal?: AbortSignal
    headers?: Record<string, string>
  }): PromiseLike<{ embeddings: readonly (readonly number[])[] }>
}

/** A reranking model of the AI SDK. */
export interface AiSdkRerankingModel {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  doRerank(options: {
    documents: { type: 'text'; values: string[] }
    query: string
    abortSignal?: AbortSignal
  }): PromiseLike<{ ranking: readonly { index: number; relevanceScore: number }[] }>
}

/** The options of one call. */
export interface AiSdkCallOptions {
  prompt: readonly AiSdkMessage[]
  maxOutputTokens?: number
  temperature?: number
  stopSequences?: string[]
  responseFormat?: { type: string; schema?: object; name?: string; description?: string }
  tools?: readonly object[]
  toolChoice?: { type: string; toolName?: string }
  abortSignal?: AbortSignal
  headers?: Record<string, string | undefined>
  providerOptions?: object
}

/** A message of a prompt. */
export interface AiSdkMessage {
  role: string
  content: unknown
  providerOptions?: object
}

/** A part of an answer, or an event of a stream; `type` says which of the properties it has. */
export interface AiSdkPart {
  readonly type: string
  readonly id?: string
  readonly text?: string
  readonly delta?: string
  readonly toolCallId?: string
  readonly toolName?: string
  readonly input?: unknown
  readonly providerExecuted?: boolean
  readonly providerMetadata?: object
  readonly finishReason?: unknown
  readonly usage?: object
  readonly error?: unknown
}

/** A whole answer. */
export interface AiSdkResult {
  readonly content: readonly AiSdkPart[]
  readonly finishReason: unknown
  readonly usage: object
}
