/**
 * @module
 * Local models on transformers.js: embeddings, cross-encoders and named entities.
 */
export type { TransformersLibrary } from './library.ts'
export type { LocalModelOptions } from './local-model-options.ts'
export { TransformersCrossEncoder } from './transformers-cross-encoder.ts'
export { TransformersEmbedding } from './transformers-embedding.ts'
export { TransformersNer } from './transformers-ner.ts'
