/**
 * @module
 * Assertions for vitest: `expect.extend(runMatchers)`. Entry `@x/evaluate/vitest`.
 */

import type { AnswersRun } from './answers/evaluate-answers.ts'
import { compareRuns } from './compare-runs.ts'
import type { MeasureName } from './measures.ts'
import type { EvaluationRun } from './run.ts'
import type { Estimate } from './statistics.ts'

/** A run with measures: of a retriever, or of answers. */
export type MeasuredRun = EvaluationRun | AnswersRun

/** The least means of measures. */
export type LeastMeasures = Partial<Record<MeasureName | keyof AnswersRun['measures'], number>>

/**
 * The assertions on runs, for the types of `expect`. In a file of your tests, with the type parameters of your version of vitest:
 * `declare module 'vitest' { interface Matchers<R, T> extends RunMatchers<R> {} }`.
 */
export interface RunMatchers<R = unknown> {
  /** Passes if the means of a run are at least these values. */
  toReach(least: LeastMeasures): R
  /** Passes if a run of a retriever is not worse than another one of the same test set, by a paired test of nDCG with a limit of 0.05. */
  toBeNoWorseThan(other: EvaluationRun): R
}

/** The result of an assertion. */
export interface MatcherResult {
  pass: boolean
  message: () => string
}

function toReach(run: MeasuredRun, least: LeastMeasures): MatcherResult {
  const measures: Record<string, Estimate | null> = run.measures
  const wanted = Object.entries(least).filter(([, value]) => value !== undefined)
  const unknown = wanted.find(([name]) => !Object.hasOwn(measures, name))
  if (unknown !== undefined || wanted.length === 0)
    throw new TypeError(
      `toReach: expected at least one of ${Object.keys(measures).join(', ')}, received ${unknown?.[0] ?? 'none'}.`,
    )
  const below = wanted.filter(([name, value]) => !((measures[name]?.mean ?? Number.NaN) >= value))
  const figures = (entries: readonly [string, number][]) =>
    entries
      .map(([name, value]) => `${name} ${measures[name]?.mean.toFixed(4) ?? 'without a value'} (${value})`)
      .join(', ')
  return {
    pass: below.length === 0,
    message: () =>
      below.length === 0
        ? `expected ${run.name} not to reach ${figures(wanted)}`
        : `expected ${run.name} to reach more: ${figures(below)}\n${worstOf(run)}`,
  }
}

/** What went wrong in the worst questions, for the message. */
function worstOf({ questions }: MeasuredRun): string {
  const faults = questions.map((result) => {
    if ('misses' in result) return result.misses.map(({ place, reason }) => `${place}: ${reason}`)
    const { statements, citations } = result
    return [
      ...statements.filter(({ isSupported }) => isSupported === false).map(({ text }) => `not supported: ${text}`),
      ...citations
        .filter(({ isRight, isGiven }) => !isRight || !isGiven)
        .map(({ place }) => `wrong citation: ${place}`),
    ]
  })
  return questions
    .map(({ question }, i) => ({ question, lines: faults[i]! }))
    .sort((a, b) => b.lines.length - a.lines.length)
    .slice(0, 5)
    .flatMap(({ question, lines }) => lines.map((line) => `  ${question} → ${line}`))
    .join('\n')
}

function toBeNoWorseThan(run: EvaluationRun, other: EvaluationRun): MatcherResult {
  const { difference, pValue, better, wins, losses } = compareRuns(other, run)
  const figures = `nDCG differs by ${difference.mean.toFixed(4)} (${wins} better, ${losses} worse, p ${pValue.toFixed(3)})`
  return {
    pass: better !== 'first',
    message: () =>
      `expected ${run.name} ${better === 'first' ? '' : 'not '}to be no worse than ${other.name}: ${figures}`,
  }
}

/**
 * The assertions, for `expect.extend`.
 * @example
 * const run = { name: 'docs', k: 10, measures: { ndcg: { n: 20, mean: 0.5, low: 0.4, high: 0.6 } }, questions: [] }
 * runMatchers.toReach(run as never, { ndcg: 0.4 }).pass // => true
 * runMatchers.toReach(run as never, { ndcg: 0.6 }).pass // => false
 */
export const runMatchers: {
  toReach(run: MeasuredRun, least: LeastMeasures): MatcherResult
  toBeNoWorseThan(run: EvaluationRun, other: EvaluationRun): MatcherResult
} = { toReach, toBeNoWorseThan }
