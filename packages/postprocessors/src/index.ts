/**
 * @module
 * Node postprocessors: filter, reorder, rerank, expand, shorten and mask retrieved nodes.
 */
export {
  SentenceTransformerRerank,
  type SentenceTransformerRerankOptions,
} from './cross-encoder/sentence-transformer-rerank.ts'
export { Deduplicate } from './deduplicate/deduplicate.ts'
export { MaximalMarginalRelevance } from './diversity/maximal-marginal-relevance.ts'
export { DocumentGrouping } from './document-grouping/document-grouping.ts'
export {
  ChoiceParseError,
  ConflictingQueryError,
  InvalidDateError,
  InvalidMetadataError,
  InvalidPredictionError,
  MissingDependencyError,
  MissingMetadataError,
  MissingQueryError,
  PiiMaskingError,
  PiiParseError,
  PostprocessorError,
  RerankScoreError,
  ZeroSentencesError,
} from './errors.ts'
export { type ExplanationEntry, ExplanationLedger } from './explanation/explanation-ledger.ts'
export { KeywordNodePostprocessor } from './keyword/keyword-node-postprocessor.ts'
export { keywordMatcher } from './keyword/match-keyword.ts'
export { LLMCompression } from './llm-compression/llm-compression.ts'
export {
  type ChoiceParser,
  defaultFormatNodeBatchFn,
  LLMRerank,
  type LLMRerankOptions,
} from './llm-rerank/llm-rerank.ts'
export { type ChoiceSelection, defaultParseChoiceSelectAnswerFn } from './llm-rerank/parse-choices.ts'
export { LongContextReorder } from './long-context-reorder.ts'
export { MetadataReplacementPostProcessor } from './metadata-replacement-postprocessor.ts'
export {
  NodePostprocessor,
  type PostprocessOptions,
  type PostprocessorProgress,
  type PostprocessRun,
} from './node-postprocessor.ts'
export { withDistinctTags } from './pii/distinct-tags.ts'
export { entitiesFromTokens, type RecognizedEntity, type TokenLabel } from './pii/entities-from-tokens.ts'
export {
  findPatterns,
  type PatternRecognizer,
  patternRecognizer,
} from './pii/find-patterns.ts'
export { keyedTags, type TagName } from './pii/keyed-tags.ts'
export { type EntityRecognizer, maskEntities, type NamedEntity } from './pii/mask-entities.ts'
export type { MappingSink } from './pii/masked-node.ts'
export { NERPIINodePostprocessor } from './pii/ner-pii-node-postprocessor.ts'
export { birthDates } from './pii/patterns/birth-dates.ts'
export { credentials } from './pii/patterns/credentials.ts'
export { emails, ips } from './pii/patterns/find-addresses.ts'
export { cards } from './pii/patterns/find-cards.ts'
export { ibans } from './pii/patterns/find-ibans.ts'
export { phones } from './pii/patterns/find-phones.ts'
export { macAddresses, wallets } from './pii/patterns/identifiers.ts'
export { nationalIdsOf } from './pii/patterns/national-ids.ts'
export type { PatternKind } from './pii/patterns/pattern-kind.ts'
export { applyPiiMapping, type PiiMapping, unmask, unmaskStream } from './pii/pii-mapping.ts'
export { PIINodePostprocessor } from './pii/pii-node-postprocessor.ts'
export type { MaskedText } from './pii/read-pii-answer.ts'
export { PostprocessorPipeline } from './pipeline/postprocessor-pipeline.ts'
export { AutoPrevNextNodePostprocessor, type ServiceContext } from './prev-next/auto-prev-next-node-postprocessor.ts'
export { PrevNextNodePostprocessor } from './prev-next/prev-next-node-postprocessor.ts'
export { getBackwardNodes, getForwardNodes } from './prev-next/walk.ts'
export { fuseNodes } from './rank-fusion/fuse-nodes.ts'
export { RankFusion } from './rank-fusion/rank-fusion.ts'
export { EmbeddingRecencyPostprocessor } from './recency/embedding-recency-postprocessor.ts'
export { FixedRecencyPostprocessor } from './recency/fixed-recency-postprocessor.ts'
export { type Instant, readDate } from './recency/read-date.ts'
export { type AccessListener, TimeWeightedPostprocessor } from './recency/time-weighted-postprocessor.ts'
export {
  getTopKEmbeddings,
  SentenceEmbeddingOptimizer,
} from './sentence-embedding-optimizer/sentence-embedding-optimizer.ts'
export { SimilarityPostprocessor } from './similarity-postprocessor.ts'
export type { PostprocessorLike } from './steps-postprocessor.ts'
export { TokenBudget } from './token-budget/token-budget.ts'
export { splitSentences, type TextWindow, textWindows } from './windows/text-windows.ts'
