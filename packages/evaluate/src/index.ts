/**
 * @module
 * Measures retrieval, answers and agents on test sets, compares runs, and chooses settings.
 */
export { type AgentTrace, type TracedCall, traceAgent } from './agents/agent-trace.ts'
export { type AgentTolerance, compareTraces, type TraceDifference } from './agents/compare-traces.ts'
export {
  type AgentCase,
  type AgentCaseResult,
  type AgentCost,
  type AgentEvaluation,
  evaluateAgent,
} from './agents/evaluate-agent.ts'
export {
  type AnswerCitation,
  type AnswerPassage,
  type AnswerResult,
  type AnswersRun,
  evaluateAnswers,
  type GivenAnswer,
} from './answers/evaluate-answers.ts'
export type { Statement } from './answers/faithfulness.ts'
export { givenAnswerOf } from './answers/given-answer-of.ts'
export { compareRuns, type RunComparison } from './compare-runs.ts'
export { PlaceError, TestSetError } from './errors.ts'
export { evaluateRetriever } from './evaluate-retriever.ts'
export { type MeasureName, type Measures, measureNames, measuresOf } from './measures.ts'
export type { NodeLedger } from './misses.ts'
export type { SourceText } from './places.ts'
export { questionsFrom } from './questions-from.ts'
export type { ReportSubject } from './report/figures.ts'
export { reportHtml } from './report/report-html.ts'
export { reportMarkdown } from './report/report-markdown.ts'
export type { EvaluationRun, FoundNode, Miss, MissKind, QuestionResult } from './run.ts'
export type { Estimate } from './statistics.ts'
export { type QuestionOrigin, type RightPlace, readTestSet, type TestQuestion, writeTestSet } from './test-set.ts'
export { bm25OptionsOf, type RetrievalSettings } from './tune/settings.ts'
export { type TuneResult, tune } from './tune/tune.ts'
