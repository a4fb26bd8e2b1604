/**
 * @module
 * Rerank services: Cohere, Jina, Voyage, Mixedbread, vLLM and Text Embeddings Inference.
 */
export { RerankService } from './rerank-service.ts'
