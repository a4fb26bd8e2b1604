/**
 * @module
 * Chat and embedding models behind the OpenAI interface.
 */
export type { OpenAIModelOptions } from './model-options.ts'
export { OpenAI, type OpenAIOptions } from './openai.ts'
export { OpenAIEmbedding, type OpenAIEmbeddingOptions } from './openai-embedding.ts'
export { OpenAIResponses, type OpenAIResponsesOptions } from './openai-responses.ts'
