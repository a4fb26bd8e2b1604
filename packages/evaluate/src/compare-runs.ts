/**
 * @module
 * Whether one run is better than another on the same questions.
 */
import { ConfigurationError } from '@x/core'
import { checkOption, checkOptions, choice, type OptionTable, required } from '@x/core/options'
import { type ResamplingOptions, resamplingOptions } from './evaluate-retriever.ts'
import { type MeasureName, measureNames } from './measures.ts'
import type { EvaluationRun } from './run.ts'
import { type Estimate, estimateOf, signTest } from './statistics.ts'

/** The options of {@link compareRuns}. */
interface CompareRunsOptions extends ResamplingOptions {
  /** @defaultValue 'ndcg' */
  measure?: MeasureName | undefined
}

const optionTable: OptionTable<CompareRunsOptions> = { ...resamplingOptions, measure: choice(...measureNames) }

/** The difference of two runs, question by question. */
export interface RunComparison {
  measure: MeasureName
  /** The mean of the second run minus that of the first, with an interval of 95 %. */
  difference: Estimate
  /** The probability of such a difference if both runs were equally good (paired permutation test, two sides). */
  pValue: number
  /** The number of questions on which the second run is better, worse, and equal. */
  wins: number
  losses: number
  ties: number
  /** `second` or `first` if one is better with `pValue` below 0.05; otherwise `neither`. */
  better: 'first' | 'second' | 'neither'
}

/**
 * Compares two runs of the same test set by a paired test.
 * @throws {ConfigurationError} if the runs have different questions or a different `k`.
 * @example
 * import { Bm25Retriever } from '@x/retrieval'
 * const nodes = ['Pears are green.', 'Wine is red.'].map((text, i) => new TextNode({ id: `${i}.md`, text }))
 * const testSet = readTestSet('{"question":"Which pear?","places":[{"source":"0.md"}]}')
 * const first = await evaluateRetriever({ retriever: new Bm25Retriever({ nodes: nodes.slice(1) }), testSet })
 * const second = await evaluateRetriever({ retriever: new Bm25Retriever({ nodes }), testSet })
 * const { difference, wins, better } = compareRuns(first, second)
 * difference.mean // => 1
 * wins // => 1
 * better // => 'neither'
 */
export function compareRuns(
  first: EvaluationRun,
  second: EvaluationRun,
  options: CompareRunsOptions = {},
): RunComparison {
  checkOption('compareRuns', 'first', first, required('a run of an evaluation', 'questions'))
  checkOption('compareRuns', 'second', second, required('a run of an evaluation', 'questions'))
  checkOptions('compareRuns', options, optionTable)
  const { measure = 'ndcg', rounds = 2000, seed = 1 } = options
  return compareDifferences(differencesOf(first, second, measure), measure, rounds, seed)
}

/**
 * Returns the measure of each question of the second run minus that in the first.
 * @throws {ConfigurationError} if the runs have different questions or a different `k`.
 */
export function differencesOf(first: EvaluationRun, second: EvaluationRun, measure: MeasureName): number[] {
  if (first.k !== second.k)
    throw new ConfigurationError(`compareRuns: the runs count ${first.k} and ${second.k} nodes; use the same k.`)
  const before = new Map(first.questions.map(({ id, measures }) => [id, measures[measure]]))
  const unknown = second.questions.find(({ id }) => !before.has(id))
  if (unknown || before.size !== second.questions.length) {
    const what = unknown ? `question "${unknown.id}" is only in the second run` : 'the first run has further questions'
    throw new ConfigurationError(`compareRuns: ${what}; compare runs of the same test set.`)
  }
  return second.questions.map(({ id, measures }) => measures[measure] - before.get(id)!)
}

/** The comparison of paired values, as differences of the second from the first. */
export function compareDifferences(
  differences: readonly number[],
  measure: MeasureName,
  rounds: number,
  seed: number,
): RunComparison {
  const difference = estimateOf(differences, rounds, seed)
  const pValue = signTest(differences, rounds, seed)
  const wins = differences.filter((value) => value > 0).length
  const losses = differences.filter((value) => value < 0).length
  return {
    measure,
    difference,
    pValue,
    wins,
    losses,
    ties: differences.length - wins - losses,
    better: pValue >= 0.05 ? 'neither' : difference.mean > 0 ? 'second' : 'first',
  }
}
