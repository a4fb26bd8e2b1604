/**
 * @module
 * Measures a retriever on a test set.
 */
import { ConfigurationError } from '@x/core'
import {
  callback,
  callOptions,
  checkOption,
  checkOptions,
  list,
  listOf,
  type OptionTable,
  required,
  text,
  wholeNumber,
} from '@x/core/options'
import { type NodesPostprocessor, type NodeWithScore, QueryBundle, type TextNode } from '@x/core-model'
import { queryFor } from '@x/core-model/components'
import { type RetrieverLike, searchableText, tokenizeText, type WordTokenizer } from '@x/retrieval'
import { type MeasureName, measureNames, measuresOf } from './measures.ts'
import { bySource, nodePlaceText, PlaceMatcher, rightPlaceText, type SourceText } from './places.ts'
import type { EvaluationRun, Miss, QuestionResult } from './run.ts'
import { resultsOf } from './run.ts'
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
  /** Returns the text of a source. Needed only where nodes have offsets and right passages lines, or the other way round. */
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
  signal: callOptions.signal,
  onProgress: callback,
}

/**
 * Asks a retriever every question of a test set, and returns the measures, with intervals and with the reason for each right passage that
 * was missed. Questions without a right passage are counted, and not asked.
 * @throws {ModelValidationError} if an option is not valid.
 * @throws {TestSetError} if a question is not valid; the line is its number.
 * @throws {ConfigurationError} if no question has a right passage.
 * @throws {PlaceError} if the passages of nodes cannot be compared with the right passages.
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

const scoredNodes = listOf('a scored node (NodeWithScore)', 'node')

/** Refuses what is no array of scored nodes: retrievers and postprocessors may be written without types. */
function checkedNodes<Nodes extends readonly NodeWithScore[]>(from: string, nodes: Nodes): Nodes {
  checkOption('evaluateRetriever', from, nodes, scoredNodes)
  return nodes
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
  const lists = [checkedNodes('retriever.retrieve()', await retriever.retrieve(bundle, { signal: options.signal }))]
  for (const step of postprocessors) {
    const run = { ...queryFor(step, bundle), signal: options.signal, ...(ledger && { ledger }) }
    const nodes = await step.postprocessNodes(lists.at(-1)!, run)
    lists.push([...checkedNodes(`postprocessors[${lists.length - 1}].postprocessNodes()`, nodes)])
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

/** What a ledger of postprocessors reports of a node, such as `ExplanationLedger` of `@x/postprocessors`. */
interface NodeLedger {
  of(nodeId: string): readonly { step: number; className: string; change: string; reason: string }[]
}

/** The lists of nodes of one question: of the retriever, and after each step. */
interface Ranking {
  question: string
  /** The list of the retriever, then the list after each step. */
  lists: readonly (readonly NodeWithScore[])[]
  steps: readonly NodesPostprocessor[]
  ledger: NodeLedger | null
  k: number
}

/**
 * Returns why a right passage was missed.
 * @param holds - whether a node contains a part of the passage.
 * @param nodes - the nodes of the source of the passage, if they are known.
 */
function missOf(
  ranking: Ranking,
  holds: (node: TextNode) => boolean,
  nodes: readonly TextNode[] | null,
  tokenize: WordTokenizer = tokenizeText,
): Omit<Miss, 'place'> {
  const { lists, k } = ranking
  const late = lists.at(-1)!.findIndex(({ node }) => holds(node))
  if (late >= 0) return { kind: 'ranked_low', reason: `ranked ${late + 1}, after the first ${k}` }
  const retrieved = lists[0]!.find(({ node }) => holds(node))
  if (retrieved) return droppedBy(ranking, holds)
  if (nodes === null) return { kind: 'not_retrieved', reason: `not among the ${lists[0]!.length} nodes retrieved` }
  const holding = nodes.filter(holds)
  if (holding.length === 0) return { kind: 'no_node', reason: 'no node contains this place' }
  const asked = new Set((tokenize.query ?? tokenize)(ranking.question))
  const shared = new Set(holding.flatMap((node) => tokenize(searchableText(node)).filter((term) => asked.has(term))))
  if (shared.size === 0) return { kind: 'no_common_term', reason: 'no term in common with the question' }
  const terms = [...shared].slice(0, 5).join(', ')
  return {
    kind: 'not_retrieved',
    reason: `not among the ${lists[0]!.length} nodes retrieved; ${shared.size} of ${asked.size} terms in common (${terms})`,
  }
}

/** The first step after which no node contains the passage. */
function droppedBy({ lists, steps, ledger }: Ranking, holds: (node: TextNode) => boolean): Omit<Miss, 'place'> {
  const step = lists.findIndex((list) => !list.some(({ node }) => holds(node)))
  const lost = lists[step - 1]!.find(({ node }) => holds(node))!
  const entry = ledger?.of(lost.nodeId).findLast(({ change }) => change === 'dropped')
  const name = entry?.className ?? classNameOf(steps[step - 1]!)
  const reason = `dropped by step ${step} (${name})`
  return { kind: 'dropped', reason: entry?.reason ? `${reason}: ${entry.reason}` : reason }
}

function classNameOf(step: NodesPostprocessor): string {
  const { constructor } = step as { constructor: { name: string; className?: () => string } }
  return constructor.className?.() ?? constructor.name
}
