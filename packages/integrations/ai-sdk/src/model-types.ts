/**
 * @module
 * The parts of the AI SDK's model specifications (v2, v3 and v4) that are read or written here, as structural types: the models of all
 * its providers satisfy them, with any version of `@ai-sdk/provider`.
 * @see https://github.com/vercel/ai/tree/main/packages/provider
 */
import type { TextBlockPart } from './ui-chunk.ts'

/** A language model of the AI SDK. */
export interface AiSdkLanguageModel {
  /** `v2`, `v3` or `v4`. */
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  doGenerate(options: object): PromiseLike<AiSdkResult>
  doStream(options: object): PromiseLike<{ stream: ReadableStream<AiSdkPart> }>
}

/** A tool that a provider runs. */
export interface AiSdkProviderTool {
  /** Its id, such as `anthropic.web_search_20250305`. */
  readonly id: string
  /** Its settings. */
  readonly args: object
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
  }): PromiseLike<{ embeddings: readonly (readonly number[])[]; usage?: { tokens: number } }>
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

/** A part of an answer, or an event of a stream; `type` determines its properties. */
export interface AiSdkPart {
  readonly type: string
  readonly id?: string
  /** What a part of type `custom` is, such as `anthropic.fallback`. */
  readonly kind?: string
  readonly text?: string
  readonly delta?: string
  readonly toolCallId?: string
  readonly toolName?: string
  readonly input?: unknown
  readonly providerExecuted?: boolean
  readonly preliminary?: boolean
  readonly url?: string
  readonly title?: string
  readonly mediaType?: string
  readonly filename?: string
  readonly data?: unknown
  readonly providerMetadata?: object
  readonly finishReason?: unknown
  readonly usage?: object
  readonly error?: unknown
  /** What the provider sent, of a part of type `raw`. */
  readonly rawValue?: unknown
}

/** A whole answer. */
interface AiSdkResult {
  readonly content: readonly AiSdkPart[]
  readonly finishReason: unknown
  readonly usage: object
}

/** The options of a call as the AI SDK passes them, of specification v3 or v4. */
export interface AiSdkRequest {
  prompt: readonly AiSdkRequestMessage[]
  maxOutputTokens?: number | undefined
  temperature?: number | undefined
  stopSequences?: string[] | undefined
  topP?: number | undefined
  topK?: number | undefined
  presencePenalty?: number | undefined
  frequencyPenalty?: number | undefined
  seed?: number | undefined
  responseFormat?: { type: 'text' } | { type: 'json'; schema?: object; name?: string; description?: string } | undefined
  tools?:
    | readonly { type: string; name: string; description?: string; inputSchema?: unknown; strict?: boolean }[]
    | undefined
  toolChoice?: { type: string; toolName?: string } | undefined
  abortSignal?: AbortSignal | undefined
  headers?: Record<string, string | undefined> | undefined
  providerOptions?: object | undefined
}

/** A message of a prompt as the AI SDK passes it. */
export interface AiSdkRequestMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string | readonly AiSdkRequestPart[]
  providerOptions?: object | undefined
}

/** A part of a message; `type` determines its properties. */
export interface AiSdkRequestPart {
  type: string
  text?: string
  data?: unknown
  mediaType?: string
  filename?: string | undefined
  toolCallId?: string
  toolName?: string
  input?: unknown
  output?: { type: string; value?: unknown; reason?: string }
  providerOptions?: object | undefined
}

/** A part of an answer for the AI SDK. */
export type AiSdkContent =
  | { type: 'text'; text: string }
  // biome-ignore lint/suspicious/noExplicitAny: the JSON type of the AI SDK differs between its versions
  | { type: 'reasoning'; text: string; providerMetadata?: any }
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: string }

/** Finish reason and usage of an answer for the AI SDK. */
export interface AiSdkFinish {
  finishReason: {
    unified: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other'
    raw: string | undefined
  }
  usage: {
    inputTokens: {
      total: number | undefined
      noCache: number | undefined
      cacheRead: number | undefined
      cacheWrite: number | undefined
    }
    outputTokens: { total: number | undefined; text: number | undefined; reasoning: number | undefined }
  }
}

/** A warning about an option that a model does not support. */
export interface AiSdkWarning {
  type: 'unsupported'
  feature: string
}

/** A part of a stream for the AI SDK. */
export type AiSdkStreamPart =
  | { type: 'stream-start'; warnings: AiSdkWarning[] }
  | TextBlockPart
  | { type: 'tool-input-end'; id: string }
  | { type: 'tool-input-delta'; id: string; delta: string }
  | { type: 'tool-input-start'; id: string; toolName: string }
  | Extract<AiSdkContent, { type: 'tool-call' }>
  | ({ type: 'finish' } & AiSdkFinish)
  | { type: 'error'; error: unknown }
