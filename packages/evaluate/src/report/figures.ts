/**
 * @module
 * What a report shows, as strings and numbers, for all of its forms.
 */
import { ConfigurationError } from '@x/core'
import { checkGiven, checkOptions, choice, listOf, type OptionTable, text, wholeNumber } from '@x/core/options'
import type { AgentEvaluation } from '../agents/evaluate-agent.ts'
import type { AnswersRun } from '../answers/evaluate-answers.ts'
import { compareRuns, differencesOf, type RunComparison } from '../compare-runs.ts'
import { type MeasureName, measureNames } from '../measures.ts'
import type { EvaluationRun, MissKind } from '../run.ts'
import type { Estimate } from '../statistics.ts'

/** What a report is about: runs of a retriever, of answers, or of an agent. */
export type ReportSubject = EvaluationRun | readonly EvaluationRun[] | AnswersRun | AgentEvaluation

/** The options of `reportMarkdown` and `reportHtml`. */
export interface ReportOptions {
  /** @defaultValue 'Evaluation' */
  title?: string | undefined
  /** The measure by which the runs are compared with the first one. @defaultValue 'ndcg' */
  measure?: MeasureName | undefined
  /** The largest number of misses, faults or differences that are listed. @defaultValue 50 */
  maxMisses?: number | undefined
}

export const reportOptions: OptionTable<ReportOptions> = {
  title: text,
  measure: choice(...measureNames),
  maxMisses: wholeNumber(0),
}

/** The kinds of misses as sentences. */
const missNames: Readonly<Record<MissKind, string>> = {
  no_node: 'no node contains the place',
  no_common_term: 'no term in common',
  not_retrieved: 'not retrieved',
  dropped: 'dropped by a postprocessor',
  ranked_low: 'ranked too low',
}

/** Everything that a report shows. */
export interface ReportFigures {
  title: string
  measure: MeasureName
  runs: readonly EvaluationRun[]
  /** The last run, whose misses are listed. */
  last: EvaluationRun
  /** Each further run compared with the first one. */
  comparisons: { name: string; comparison: RunComparison; differences: number[] }[]
  kinds: { name: string; count: number }[]
  misses: { question: string; place: string; reason: string }[]
  /** The number of misses that are not listed. */
  further: number
}

/** @throws {ConfigurationError} without a run, or if the runs have different questions. */
export function figuresOf(
  where: string,
  runs: EvaluationRun | readonly EvaluationRun[],
  options: ReportOptions,
): ReportFigures {
  checkOptions(where, options, reportOptions)
  const { title = 'Evaluation', measure = 'ndcg', maxMisses = 50 } = options
  const all = Array.isArray(runs) ? (runs as readonly EvaluationRun[]) : [runs as EvaluationRun]
  checkGiven(where, { runs: all }, listOf('a run', 'questions', 'measures'))
  const [first, ...others] = all
  if (first === undefined) throw new ConfigurationError(`${where}: at least one run is needed.`)
  const last = all.at(-1)!
  const misses = last.questions.flatMap(({ question, misses }) => misses.map((miss) => ({ question, ...miss })))
  return {
    title,
    measure,
    runs: all,
    last,
    comparisons: others.map((run) => ({
      name: run.name,
      comparison: compareRuns(first, run, { measure }),
      differences: differencesOf(first, run, measure),
    })),
    kinds: Object.entries(missNames).flatMap(([kind, name]) => {
      const count = misses.filter((miss) => miss.kind === kind).length
      return count === 0 ? [] : [{ name, count }]
    }),
    misses: misses.slice(0, maxMisses),
    further: Math.max(0, misses.length - maxMisses),
  }
}

/** The names of the measures with their depth, such as `nDCG@10`. */
export function measureTitle(measure: MeasureName, k: number): string {
  return `${{ ndcg: 'nDCG', recall: 'recall', mrr: 'MRR' }[measure]}@${k}`
}

/** A mean with its interval: `0.412 (0.380 to 0.445)`. The number of values stands beside it. */
export function estimateText({ mean, low, high }: Estimate): string {
  return `${mean.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`
}

export const questionsOf = (count: number): string => (count === 1 ? '1 question' : `${count} questions`)

/** A difference with its sign: `+0.021`. */
function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`
}

/** A comparison as a sentence. */
export function comparisonText(first: string, name: string, k: number, comparison: RunComparison): string {
  const { measure, difference, pValue, wins, losses, ties, better } = comparison
  const verdict = better === 'second' ? 'better' : better === 'first' ? 'worse' : 'not shown to be different'
  const interval = `${signed(difference.low)} to ${signed(difference.high)}`
  return `${name} against ${first}: ${measureTitle(measure, k)} ${signed(difference.mean)} (${interval}), p ${pValue.toFixed(3)}; ${wins} questions better, ${losses} worse, ${ties} equal: ${verdict}.`
}
