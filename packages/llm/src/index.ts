/**
 * @module
 * The base classes of language and embedding models, and models that repeat, replace, cache or record the calls of another one.
 */
export { BaseEmbedding, BatchEmbedding } from './embedding/base-embedding.ts'
export type { BaseEmbeddingOptions } from './generated/base-embedding.ts'
export type { LLMOptions } from './generated/llm.ts'
export { checkModelOptions } from './llm/check-model-options.ts'
export { CustomLLM, LLM, StreamingParserError } from './llm/llm.ts'
export { LLMWrapper } from './llm/llm-wrapper.ts'
export { ModelCallError, type ModelCallErrorKind, modelCallErrorFrom } from './llm/model-call-error.ts'
export { type ModelErrorFacts, modelCallErrorOf } from './llm/model-call-error-of.ts'
export { programModes } from './llm/program-mode.ts'
export {
  type AnswerReader,
  ChatLLM,
  ProviderLLM,
  type ProviderLLMOptions,
  providerOptions,
} from './llm/provider-llm.ts'
export { type SentCallPiece, ToolCallPieces } from './llm/tool-call-pieces.ts'
export { withCache } from './llm/with-cache.ts'
export { withFallback } from './llm/with-fallback.ts'
export { type RecordedModelCall, withRecording } from './llm/with-recording.ts'
export { withRetry } from './with-retry.ts'
