/**
 * @module
 * Local models on transformers.js: embeddings, cross-encoders and named entities.
 */
export type { EncodedText, Loadable, ModelOutput, ModelTokenizer, Network, TransformersLibrary } from './library.ts'
export type { LoadProgress, LocalModelOptions, WeightType } from './local-model-options.ts'
export { TransformersCrossEncoder, type TransformersCrossEncoderOptions } from './transformers-cross-encoder.ts'
export { TransformersEmbedding, type TransformersEmbeddingOptions } from './transformers-embedding.ts'
export { TransformersNer, type TransformersNerOptions } from './transformers-ner.ts'
