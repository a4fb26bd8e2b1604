/**
 * @module
 * Assertions for vitest: `expect.extend(runMatchers)`. Entry `@x/evaluate/vitest`.
 */
import { compareRuns } from './compare-runs.ts'
import { type MeasureName, measureNames } from './measures.ts'
import type { EvaluationRun } from './run.ts'

/**
 * The assertions on runs, for the types of `expect`. In a file of your tests, with the type parameters of your version of vitest:
 * `declare module 'vitest' { interface Matchers<R, T> extends RunMatchers<R> {} }`.
 */
export interface RunMatchers<R = unknown> {
  /** Passes if the means of a run are at least these values. */
  toReach(least: Partial<Record<MeasureName, number>>): R
  /** Passes if a run is not worse than another one of the same test set, by a paired test of nDCG with a limit of 0.05. */
  toBeNoWorseThan(other: EvaluationRun): R
}

/** The result of an assertion. */
export interface MatcherResult {
  pass: boolean
  message: () => string
}

function toReach(run: EvaluationRun, least: Partial<Record<MeasureName, number>>): MatcherResult {
  const wanted = measureNames.filter((name) => least[name] !== undefined)
  const below = wanted.filter((name) => !(run.measures[name].mean >= least[name]!))
  const figures = (names: readonly MeasureName[]) =>
    names.map((name) => `${name} ${run.measures[name].mean.toFixed(4)} (${least[name]})`).join(', ')
  const unknown = Object.keys(least).find((name) => !(measureNames as readonly string[]).includes(name))
  if (unknown !== undefined || wanted.length === 0)
    throw new TypeError(`toReach: expected at least one of ${measureNames.join(', ')}, received ${unknown ?? 'none'}.`)
  return {
    pass: below.length === 0,
    message: () =>
      below.length === 0
        ? `expected ${run.name} not to reach ${figures(wanted)}`
        : `expected ${run.name} to reach more: ${figures(below)}\n${worstOf(run)}`,
  }
}

/** The questions that lost most, for the message. */
function worstOf({ questions }: EvaluationRun): string {
  const worst = [...questions].sort((a, b) => a.measures.ndcg - b.measures.ndcg).slice(0, 5)
  return worst
    .flatMap(({ question, misses }) => misses.map(({ place, reason }) => `  ${question} → ${place}: ${reason}`))
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
 * const run = { name: 'docs', k: 10, measures: { ndcg: { mean: 0.5, low: 0.4, high: 0.6 } }, questions: [] }
 * runMatchers.toReach(run as never, { ndcg: 0.4 }).pass // => true
 * runMatchers.toReach(run as never, { ndcg: 0.6 }).pass // => false
 */
export const runMatchers: {
  toReach(run: EvaluationRun, least: Partial<Record<MeasureName, number>>): MatcherResult
  toBeNoWorseThan(run: EvaluationRun, other: EvaluationRun): MatcherResult
} = { toReach, toBeNoWorseThan }
