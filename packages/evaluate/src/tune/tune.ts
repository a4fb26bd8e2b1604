/**
 * @module
 * Chooses settings of retrieval by a test set.
 */
import { ConfigurationError } from '@x/core'
import { checkOptions } from '@x/core/options'
import { compareDifferences, type RunComparison } from '../compare-runs.ts'
import type { MeasureName } from '../measures.ts'
import { questionsOf } from '../report/figures.ts'
import { type Estimate, estimateOf, meanOf } from '../statistics.ts'
import { checkedTestSet } from '../test-set.ts'
import type { RetrievalSettings } from './settings.ts'
import { type TuneOptions, tuneOptions } from './settings.ts'
import { Trials } from './trials.ts'

const tokenizers: NonNullable<TuneOptions['tokenizers']> = [
  {},
  { stopWords: 'en', stem: true },
  { ngrams: 3 },
  { ngrams: 4 },
  { stopWords: 'en', stem: true, ngrams: 4 },
]
const bm25: NonNullable<TuneOptions['bm25']> = [
  [0.9, 0.4],
  [0.9, 0.75],
  [1.2, 0.75],
  [1.5, 0.5],
  [1.5, 1],
  [2.5, 0.75],
]
const weights: NonNullable<TuneOptions['weights']> = [
  [1, 0],
  [4, 1],
  [2, 1],
  [1, 2],
]

/** The result of {@link tune}. It is plain JSON. */
export interface TuneResult {
  /** The settings to use: those of the baseline unless others are shown to be better. */
  settings: RetrievalSettings
  isBaseline: boolean
  /** Why these settings, as a sentence that names what they are compared with. */
  reason: string
  measure: MeasureName
  k: number
  /** The number of questions that were used. */
  questions: number
  /** The means of the baseline and of the best settings on all questions, with intervals. */
  baseline: Estimate & { settings: RetrievalSettings }
  best: Estimate & { settings: RetrievalSettings }
  /** The choice against the baseline, on questions that did not take part in it. */
  heldOut: RunComparison
  /** All settings that were tried with all questions, best first. */
  tried: (Estimate & { settings: RetrievalSettings })[]
}

/** A setting of one dimension. */
type Change = Partial<RetrievalSettings>

/**
 * Chooses tokenizer, BM25 parameters, the weights of a hybrid search and the chunk size by a test set: one after the other, each the best
 * with those chosen before. The questions are divided into parts; for each part, the settings are chosen by the other parts. The settings
 * that all questions choose are returned only if those choices are better than the baseline on the parts that did not take part, by a
 * paired test with a limit of 0.05. Otherwise the baseline is returned, with the reason. The baseline is what you use today (`baseline`),
 * or else the default settings with the own chunk size of the parser.
 * @throws {ConfigurationError} with both or neither of `nodes` and `parse`, with chunk sizes but without `parse`, with weights but without
 * `vectors`, or if no question of these origins has a right passage.
 * @example
 * const nodes = ['Pears are green.', 'Wine is red.'].map((text, i) => new TextNode({ id: `${i}.md`, text }))
 * const testSet = readTestSet('{"question":"Which pear?","places":[{"source":"0.md"}]}')
 * const { settings, reason } = await tune({ nodes, testSet })
 * settings // => { tokenizer: 'default', k1: 1.5, b: 0.75 }
 * reason // => 'The default settings: no setting is better on 1 question.'
 */
export async function tune(options: TuneOptions): Promise<TuneResult> {
  checkOptions('tune', options, tuneOptions)
  const { measure = 'ndcg', k = 10, folds = 5, rounds = 2000, seed = 1, origins = ['person'] } = options
  const questions = checkedTestSet(options.testSet).filter(
    ({ places, origin = 'person' }) => places.length > 0 && origins.includes(origin),
  )
  if (questions.length === 0)
    throw new ConfigurationError(`tune: expected questions of the origin ${origins.join(' or ')} with a right place.`)
  const trials = new Trials(options, questions, measure, k)
  const first = baselineOf(options)
  const dimensions = dimensionsOf(options)
  const base = await trials.scoresOf(first)

  const everything = questions.map((_, i) => i)
  const best = await chosenBy(everything, first, dimensions, trials)
  const differences = new Array<number>(questions.length).fill(0)
  for (let fold = 0; fold < Math.min(folds, questions.length); fold++) {
    // A single question has no other part.
    const others = everything.filter((i) => i % folds !== fold)
    const settings = await chosenBy(others, first, dimensions, trials)
    const scores = await trials.scoresOf(settings)
    for (const i of everything) if (i % folds === fold) differences[i] = scores[i]! - base[i]!
  }
  const heldOut = compareDifferences(differences, measure, rounds, seed)
  const isBaseline = best === first || heldOut.better !== 'second'
  const estimate = (scores: readonly number[]) => estimateOf(scores, rounds, seed)
  return {
    settings: isBaseline ? first : best,
    isBaseline,
    reason: reasonOf(baselineText(first, options), best === first, heldOut, questions.length),
    measure,
    k,
    questions: questions.length,
    baseline: { ...estimate(base), settings: first },
    best: { ...estimate(await trials.scoresOf(best)), settings: best },
    heldOut,
    tried: trials
      .all()
      .map(({ settings, scores }) => ({ ...estimate(scores), settings }))
      .sort((a, b) => b.mean - a.mean),
  }
}

function reasonOf(
  baseline: string,
  bestIsBaseline: boolean,
  { difference, pValue, better }: RunComparison,
  count: number,
): string {
  const questions = questionsOf(count)
  const kept = `${baseline[0]!.toUpperCase()}${baseline.slice(1)}`
  if (bestIsBaseline) return `${kept}: no setting is better on ${questions}.`
  const by = Math.abs(difference.mean).toFixed(4)
  const where = `on questions that did not take part in the choice (p ${pValue.toFixed(3)}, ${questions})`
  if (better === 'second') return `Better than ${baseline} by ${by} ${where}.`
  if (difference.mean < 0) return `${kept}: what is chosen is worse by ${by} ${where}.`
  return `${kept}: what is chosen is not shown to be better, ${by} ${where}.`
}

const defaults: RetrievalSettings = { tokenizer: 'default', k1: 1.5, b: 0.75 }

function baselineOf({ nodes, parse, chunkSizes, vectors, baseline = {} }: TuneOptions): RetrievalSettings {
  if (!nodes === !parse) throw new ConfigurationError('tune: expected either nodes or parse.')
  const { chunkSize, weights } = baseline
  if (!parse && (chunkSizes?.length || chunkSize !== undefined))
    throw new ConfigurationError('tune: chunk sizes need parse, which returns the nodes for a size.')
  if (!vectors && weights) throw new ConfigurationError('tune: baseline.weights needs vectors.')
  return {
    tokenizer: baseline.tokenizer ?? defaults.tokenizer,
    k1: baseline.k1 ?? defaults.k1,
    b: baseline.b ?? defaults.b,
    ...(vectors && { weights: weights ?? ([1, 1] as const) }),
    ...(chunkSize !== undefined && { chunkSize }),
  }
}

/** The name of a baseline: `the default settings with chunks of the parser's own size`, `your settings with chunks of 400 and k1 1.2`. */
function baselineText(settings: RetrievalSettings, { parse, baseline }: TuneOptions): string {
  const { chunkSize, tokenizer, k1, b, weights } = settings
  const parts = [
    ...(parse ? [chunkSize === undefined ? "chunks of the parser's own size" : `chunks of ${chunkSize}`] : []),
    ...(tokenizer === defaults.tokenizer ? [] : [`the tokenizer ${JSON.stringify(tokenizer)}`]),
    ...(k1 === defaults.k1 ? [] : [`k1 ${k1}`]),
    ...(b === defaults.b ? [] : [`b ${b}`]),
    ...(weights === undefined || weights[0] === weights[1] ? [] : [`the weights ${weights.join(' and ')}`]),
  ]
  const name = baseline ? 'your settings' : 'the default settings'
  return parts.length === 0 ? name : `${name} with ${parts.join(', ').replace(/, ([^,]*)$/, ' and $1')}`
}

/** What is tried, in this order. */
function dimensionsOf(options: TuneOptions): Change[][] {
  const isSet = options.baseline !== undefined
  return [
    (options.chunkSizes ?? []).map((chunkSize) => ({ chunkSize })),
    [...(isSet ? [defaults.tokenizer] : []), ...(options.tokenizers ?? tokenizers)].map((tokenizer) => ({ tokenizer })),
    [...(isSet ? [[defaults.k1, defaults.b] as const] : []), ...(options.bm25 ?? bm25)].map(([k1, b]) => ({ k1, b })),
    options.vectors ? (options.weights ?? weights).map((weights) => ({ weights })) : [],
  ]
}

/** The best settings for some of the questions. Of equally good ones, the first. */
async function chosenBy(
  questions: readonly number[],
  first: RetrievalSettings,
  dimensions: readonly Change[][],
  trials: Trials,
): Promise<RetrievalSettings> {
  const meanFor = async (settings: RetrievalSettings) => {
    const scores = await trials.scoresOf(settings)
    return meanOf(questions.map((i) => scores[i]!))
  }
  let best = first
  let highest = await meanFor(first)
  for (const changes of dimensions) {
    const before = best
    for (const change of changes) {
      const settings = { ...before, ...change }
      const mean = await meanFor(settings)
      if (mean > highest + 1e-9) [best, highest] = [settings, mean]
    }
  }
  return best
}
