/**
 * @module
 * Rerank services: Cohere, Jina, Voyage, Mixedbread, vLLM and Text Embeddings Inference.
 */
export { type RerankForm, RerankService, type RerankServiceOptions } from './rerank-service.ts'
