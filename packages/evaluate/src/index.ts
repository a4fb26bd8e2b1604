/**
 * @module
 * Measures retrieval, answers and agents on test sets, compares runs, and chooses settings.
 */
export { type AgentTrace, traceAgent } from './agents/agent-trace.ts'
export { compareTraces, type TraceDifference } from './agents/compare-traces.ts'
export { type AgentCase, type AgentCaseResult, type AgentEvaluation, evaluateAgent } from './agents/evaluate-agent.ts'
export {
  type AnswerResult,
  type AnswersRun,
  evaluateAnswers,
  type GivenAnswer,
  givenAnswerOf,
} from './answers/evaluate-answers.ts'
export type { Statement } from './answers/faithfulness.ts'
export { compareRuns, type RunComparison } from './compare-runs.ts'
export { PlaceError, TestSetError } from './errors.ts'
export { evaluateRetriever } from './evaluate-retriever.ts'
export { type MeasureName, type Measures, measureNames, measuresOf } from './measures.ts'
export { questionsFrom } from './questions-from.ts'
export { reportHtml } from './report/report-html.ts'
export { reportMarkdown } from './report/report-markdown.ts'
export type { EvaluationRun, QuestionResult } from './run.ts'
export { readTestSet, type TestQuestion, writeTestSet } from './test-set.ts'
export { bm25OptionsOf } from './tune/settings.ts'
export { type TuneResult, tune } from './tune/tune.ts'
