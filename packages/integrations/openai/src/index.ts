/**
 * @module
 * Chat and embedding models behind the OpenAI interface.
 */
export type { ModelServerOptions } from './model-server.ts'
export { OpenAI, type OpenAIOptions } from './openai.ts'
export { OpenAIEmbedding, type OpenAIEmbeddingOptions } from './openai-embedding.ts'
