/**
 * @module
 * Answers questions from passages with a language model, with citations that are checked.
 */
export {
  type AnswerOptions,
  type AnswerSource,
  answerWithSources,
  type SourcedAnswer,
  SourcedAnswerStream,
} from './answer/answer-with-sources.ts'
export { type CheckedCitation, type Citation, checkCitations, findCitations } from './answer/citations.ts'
export { QueryFusionRetriever } from './answer/query-fusion-retriever.ts'
export {
  QueryEngineResponse,
  RetrieverQueryEngine,
} from './answer/retriever-query-engine.ts'
export { rewriteQuestion } from './answer/rewrite-question.ts'
