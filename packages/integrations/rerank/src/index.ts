/**
 * @module
 * Rerank services: Cohere, Jina, Voyage, Mixedbread, vLLM and Text Embeddings Inference.
 */
export { type RerankForm, RerankService } from './rerank-service.ts'
