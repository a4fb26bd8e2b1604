/**
 * @module
 * The TypeBox schemas of the postprocessors: entry `@x/postprocessors/schemas`.
 */
export { SentenceTransformerRerank } from './cross-encoder/sentence-transformer-rerank.schema.ts'
export { Deduplicate } from './deduplicate/deduplicate.schema.ts'
export { MaximalMarginalRelevance } from './diversity/maximal-marginal-relevance.schema.ts'
export { DocumentGrouping } from './document-grouping/document-grouping.schema.ts'
export { KeywordNodePostprocessor } from './keyword/keyword-node-postprocessor.schema.ts'
export { LLMCompression } from './llm-compression/llm-compression.schema.ts'
export { LLMRerank } from './llm-rerank/llm-rerank.schema.ts'
export { LongContextReorder } from './long-context-reorder.schema.ts'
export { MetadataReplacementPostProcessor } from './metadata-replacement-postprocessor.schema.ts'
export { NodePostprocessor, nodePostprocessor, postprocessorFields } from './node-postprocessor.schema.ts'
export { NERPIINodePostprocessor, PIINodePostprocessor } from './pii/pii.schema.ts'
export { PostprocessorPipeline } from './pipeline/postprocessor-pipeline.schema.ts'
export { AutoPrevNextNodePostprocessor, PrevNextNodePostprocessor } from './prev-next/prev-next.schema.ts'
export { RankFusion } from './rank-fusion/rank-fusion.schema.ts'
export {
  EmbeddingRecencyPostprocessor,
  FixedRecencyPostprocessor,
  TimeWeightedPostprocessor,
} from './recency/recency.schema.ts'
export { SentenceEmbeddingOptimizer } from './sentence-embedding-optimizer/sentence-embedding-optimizer.schema.ts'
export { SimilarityPostprocessor } from './similarity-postprocessor.schema.ts'
export { StepsPostprocessor } from './steps-postprocessor.schema.ts'
export { TokenBudget } from './token-budget/token-budget.schema.ts'
