/**
 * @module
 * The TypeBox schemas of the base classes, for models of your own. Entry `@x/llm/schemas`.
 */
export { BaseEmbedding, embeddingFields } from './embedding/base-embedding.schema.ts'
export { LLM, llmFields } from './llm/llm.schema.ts'
