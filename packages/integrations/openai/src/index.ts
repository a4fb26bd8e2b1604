/**
 * @module
 * Chat and embedding models behind the OpenAI interface.
 */
export { OpenAI } from './openai.ts'
export { OpenAIEmbedding } from './openai-embedding.ts'
export { OpenAIResponses } from './openai-responses.ts'
