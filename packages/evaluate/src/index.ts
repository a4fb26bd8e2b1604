/**
 * @module
 * Measures retrieval, answers and agents on test sets, compares runs, and chooses settings.
 */
export { type CompareRunsOptions, compareRuns, type RunComparison } from './compare-runs.ts'
export { PlaceError, TestSetError } from './errors.ts'
export { type EvaluateRetrieverOptions, evaluateRetriever, type ResamplingOptions } from './evaluate-retriever.ts'
export { type MeasureName, type Measures, measureNames, measuresOf } from './measures.ts'
export type { NodeLedger } from './misses.ts'
export type { SourceText } from './places.ts'
export type { ReportOptions } from './report/figures.ts'
export { reportHtml } from './report/report-html.ts'
export { reportMarkdown } from './report/report-markdown.ts'
export type { EvaluationRun, FoundNode, Miss, MissKind, QuestionResult } from './run.ts'
export type { Estimate } from './statistics.ts'
export { type QuestionOrigin, type RightPlace, readTestSet, type TestQuestion, writeTestSet } from './test-set.ts'
