/**
 * @module
 * The options of retrievers with a vector index.
 */
import { type OptionTable, required, wholeNumber } from '@x/core/options'
import type { EmbeddingModel } from '@x/core-model'
import { type RetrieverOptions, retrieverOptions } from './retriever.ts'

/** The options of {@link VectorRetriever}. */
export interface VectorRetrieverOptions extends RetrieverOptions {
  embedModel: EmbeddingModel
  /** The maximum number of nodes returned, an integer of at least 0. @defaultValue 2 */
  similarityTopK?: number | undefined
}

/** How {@link VectorRetrieverOptions} are checked: a part of the tables of retrievers. */
export const vectorOptions: OptionTable<VectorRetrieverOptions> = {
  ...retrieverOptions,
  embedModel: required('an embedding model with getQueryEmbedding', 'getQueryEmbedding'),
  similarityTopK: wholeNumber(0),
}
