/**
 * @module
 * Measures a retriever on a test set.
 */

import { ConfigurationError } from '@x/core'
import { callback, checkOptions, list, type OptionTable, required, text, unchecked, wholeNumber } from '@x/core/options'
import { type NodesPostprocessor, type NodeWithScore, QueryBundle, type TextNode } from '@x/core-model'
import { queryFor } from '@x/core-model/components'
import type { RetrieverLike, WordTokenizer } from '@x/retrieval'
import { type MeasureName, measureNames, measuresOf } from './measures.ts'
import { missOf, type NodeLedger } from './misses.ts'
import { bySource, nodePlaceText, PlaceMatcher, rightPlaceText, type SourceText } from './places.ts'
import { resultsOf } from './results-of.ts'
import type { EvaluationRun, Miss, QuestionResult } from './run.ts'
import { type Estimate, estimateOf } from './statistics.ts'
import { checkedTestSet, type TestQuestion } from './test-set.ts'

/** How intervals and tests are computed. */
export interface ResamplingOptions {
  /** The number of resampled sets of questions. @defaultValue 2000 */
  rounds?: number | undefined
  /** The same seed leads to the same intervals. @defaultValue 1 */
  seed?: number | undefined
}

export const resamplingOptions: OptionTable<ResamplingOptions> = { rounds: wholeNumber(1), seed: wholeNumber(0) }

/** The options of {@link evaluateRetriever}. */
interface EvaluateRetrieverOptions extends ResamplingOptions {
  /** The retriever. Let it return at least `k` nodes (`similarityTopK`). */
  retriever: RetrieverLike
  testSet: readonly TestQuestion[]
  /** The number of nodes that count. @defaultValue 10 */
  k?: number | undefined
  /** Run one after the other on the nodes of the retriever. @defaultValue no postprocessors */
  postprocessors?: readonly NodesPostprocessor[] | undefined
  /** Returns a new ledger for each question, such as `() => new ExplanationLedger()`: its reasons explain what a step dropped. */
  ledger?: (() => NodeLedger) | undefined
  /** All nodes of the index: they explain misses by their terms. @defaultValue misses name no terms */
  nodes?: readonly TextNode[] | undefined
  /** The tokenizer of the index, for these explanations. @defaultValue `tokenizeText` */
  tokenize?: WordTokenizer | undefined
  /** Returns the text of a source. Needed only where nodes have offsets and right places lines, or the other way round. */
  sourceText?: SourceText | undefined
  /** The name of the run in reports. @defaultValue 'run' */
  name?: string | undefined
  /** The number of questions at the same time. @defaultValue 1 */
  maxConcurrency?: number | undefined
  signal?: AbortSignal | undefined
  /** Called after each question. */
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined
}

const optionTable: OptionTable<EvaluateRetrieverOptions> = {
  ...resamplingOptions,
  retriever: required('a retriever', 'retrieve'),
  testSet: required('an array of questions', 'length'),
  k: wholeNumber(1),
  postprocessors: list,
  ledger: callback,
  nodes: list,
  tokenize: callback,
  sourceText: callback,
  name: text,
  maxConcurrency: wholeNumber(1),
  signal: unchecked,
  onProgress: callback,
}

/**
 * Asks a retriever every question of a test set, and returns the measures, with intervals and with the reason for each right place that was
 * missed. Questions without a right place are counted, and not asked.
 * @throws {ModelValidationError} if an option is not valid.
 * @throws {TestSetError} if a question is not valid; the line is its number.
 * @throws {ConfigurationError} if no question has a right place.
 * @throws {PlaceError} if the places of nodes cannot be compared with the right places.
 * @example
 * import { Bm25Retriever } from '@x/retrieval'
 * const nodes = ['Pears are green.', 'Wine is red.'].map((text, i) => new TextNode({ id: `${i}.md`, text }))
 * const testSet = readTestSet('{"question":"Which pear?","places":[{"source":"0.md"}]}')
 * const run = await evaluateRetriever({ retriever: new Bm25Retriever({ nodes }), testSet })
 * run.measures.ndcg.mean // => 1
 */
export async function evaluateRetriever(options: EvaluateRetrieverOptions): Promise<EvaluationRun> {
  checkOptions('evaluateRetriever', options, optionTable)
  const { k = 10, name = 'run', maxConcurrency = 1, rounds = 2000, seed = 1 } = options
  const matcher = new PlaceMatcher(options.sourceText)
  const nodesOf = options.nodes && bySource(options.nodes)
  const testSet = checkedTestSet(options.testSet)
  const asked = testSet.filter(({ places }) => places.length > 0)
  if (asked.length === 0) throw new ConfigurationError('evaluateRetriever: expected a question with a right place.')
  const questions = await resultsOf(asked, maxConcurrency, options, (question) =>
    askOne(question, matcher, options, k, nodesOf),
  )
  return {
    name,
    k,
    measures: estimatesOf(questions, rounds, seed),
    questions,
    unanswerable: testSet.length - asked.length,
  }
}

/** The means of all measures, with intervals. */
function estimatesOf(
  questions: readonly QuestionResult[],
  rounds: number,
  seed: number,
): Record<MeasureName, Estimate> {
  const of = (measure: MeasureName) =>
    estimateOf(
      questions.map(({ measures }) => measures[measure]),
      rounds,
      seed,
    )
  const [ndcg, recall, mrr] = measureNames.map(of) as [Estimate, Estimate, Estimate]
  return { ndcg, recall, mrr }
}

async function askOne(
  { id, question, places }: TestQuestion,
  matcher: PlaceMatcher,
  { retriever, postprocessors = [], ...options }: EvaluateRetrieverOptions,
  k: number,
  nodesOf: ReadonlyMap<string, readonly TextNode[]> | undefined,
): Promise<QuestionResult> {
  const ledger = options.ledger?.() ?? null
  const bundle = new QueryBundle({ queryStr: question })
  const lists = [await retriever.retrieve(bundle, { signal: options.signal })]
  for (const step of postprocessors) {
    const run = { ...queryFor(step, bundle), signal: options.signal, ...(ledger && { ledger }) }
    lists.push([...(await step.postprocessNodes(lists.at(-1)!, run))])
  }
  const final = lists.at(-1)!
  const reachedBy = ({ node }: NodeWithScore) =>
    places.flatMap((place, at) => (matcher.overlaps(node, place) ? [at] : []))
  const reached = final.slice(0, k).map(reachedBy)
  const found = new Set(reached.flat())
  const ranking = { question, lists, steps: postprocessors, ledger, k }
  const misses = places.flatMap((place, at): Miss[] => {
    if (found.has(at)) return []
    const holds = (node: TextNode) => matcher.overlaps(node, place)
    const known = nodesOf ? (nodesOf.get(place.source) ?? []) : null
    return [{ place: rightPlaceText(place), ...missOf(ranking, holds, known, options.tokenize) }]
  })
  return {
    id,
    question,
    measures: measuresOf(
      reached,
      places.map(({ grade = 1 }) => grade),
      k,
    ),
    found: final.slice(0, k).map(({ node, score }, at) => ({
      nodeId: node.id,
      place: nodePlaceText(node),
      score,
      isRight: reached[at]!.length > 0,
    })),
    misses,
  }
}
