/**
 * @module
 * Retrievers over nodes, tools and other objects: by keywords (BM25) and by embeddings.
 */
export { allOf } from './all-of.ts'
export { Bm25Index, type Bm25Match, type Bm25Options, bm25Options } from './bm25-index.ts'
export { Bm25Retriever, searchableText } from './bm25-retriever.ts'
export { bm25Defaults, bm25Factors, countTerms } from './bm25-score.ts'
export {
  type ChangeOutcome,
  type DatabaseNodes,
  DatabaseRetriever,
  type DatabaseRetrieverOptions,
  databaseRetrieverOptions,
} from './database-retriever.ts'
export { DatabaseVectorRetriever, type NodeVector } from './database-vector-retriever.ts'
export { embedNodes } from './embed-nodes.ts'
export { englishStem, englishStopWords, frenchStopWords, germanStopWords, spanishStopWords } from './english.ts'
export { HybridRetriever } from './hybrid-retriever.ts'
export { IndexNodeFollower, IndexTargetNotFoundError } from './index-node-follower.ts'
export { IngestionPipeline } from './ingestion-pipeline.ts'
export { IngestionStoppedError } from './ingestion-run.ts'
export type {
  IndexChanges,
  IngestedDocument,
  IngestionCounts,
  IngestionError,
  IngestionIndex,
  IngestionOutcome,
  IngestionPipelineOptions,
  IngestionProgress,
  IngestionResult,
  IngestionStore,
  IngestionTarget,
  Transformation,
} from './ingestion-types.ts'
export { MergingFollower } from './merging-follower.ts'
export {
  type FilterOperator,
  type FiltersInput,
  type FilterValue,
  filterOperators,
  filterStep,
  type MetadataFilter,
  type MetadataFilters,
  nodeFilter,
} from './metadata-filters.ts'
export {
  IndexObjectRetriever,
  ObjectIndex,
  type ObjectNodeMapping,
  ToolNodeMapping,
} from './object-index.ts'
export { RecursiveRetriever } from './recursive-retriever.ts'
export {
  type CancelOptions,
  type RetrieveOptions,
  Retriever,
  type RetrieverLike,
  type RetrieverOptions,
  retrieverOptions,
} from './retriever.ts'
export { ScopeMissingError, type SearchScope, scopedStore } from './scope.ts'
export { type SourceRange, SourceTextError, sentenceRanges } from './source-ranges.ts'
export { type SqlCondition, sqlCondition } from './sql-condition.ts'
export { tokenizeText } from './tokenize-text.ts'
export { otherTokenizer, tokenizerFingerprint } from './tokenizer-fingerprint.ts'
export { checkDimension, unitVector } from './unit-vector.ts'
export { VectorIndex, type VectorMatch } from './vector-index.ts'
export { type VectorRetrieverOptions, vectorOptions } from './vector-options.ts'
export { VectorRetriever } from './vector-retriever.ts'
export { WindowFollower } from './window-follower.ts'
export { tokenizeWords, type WordTokenizer, wordTokenizer } from './word-tokenizer.ts'
