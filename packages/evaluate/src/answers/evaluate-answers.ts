/**
 * @module
 * Measures answers: whether they cite the right passages, and whether the passages support them.
 */
import {
  callback,
  callOptions,
  checkOption,
  checkOptions,
  having,
  list,
  listOf,
  numberFrom,
  type OptionTable,
  required,
  text,
  wholeNumber,
} from '@x/core/options'
import { type BaseLLM, type Durable, isNode, type NodeWithScore, type TextNode } from '@x/core-model'
import type { SourcedAnswer } from '@x/retrieval/answer'
import { type ResamplingOptions, resamplingOptions } from '../evaluate-retriever.ts'
import { PlaceMatcher, placeOfNode, rightPlaceText, type SourceText } from '../places.ts'
import { resultsOf, saved } from '../run.ts'
import { type Estimate, estimateOf } from '../statistics.ts'
import { checkedTestSet, type RightPlace, type TestQuestion } from '../test-set.ts'
import { type Statement, statementsOf, supportOf } from './faithfulness.ts'

/** A passage that a model received. */
interface AnswerPassage extends RightPlace {
  text: string
}

/** An answer to a question of a test set. It is plain JSON. */
export interface GivenAnswer {
  text: string
  /** The passages that the answer cites. */
  citations: readonly RightPlace[]
  /** The passages that the model received. */
  passages: readonly AnswerPassage[]
  /** Whether the answer is that the documents do not contain one. @defaultValue false */
  isRefusal?: boolean
}

/** The options of {@link evaluateAnswers}. */
interface EvaluateAnswersOptions extends ResamplingOptions {
  testSet: readonly TestQuestion[]
  /** Answers a question. */
  answer: (question: string, options: { signal: AbortSignal | undefined }) => Promise<GivenAnswer>
  /**
   * Judges whether the passages support each sentence of an answer; asked once more about sentences that its reply does not judge.
   * @defaultValue sentences are not judged
   */
  llm?: BaseLLM | undefined
  /** The least share of the sentences that must be judged, from 0 to 1: below it, `faithfulness` is null. @defaultValue 0.9 */
  minJudged?: number | undefined
  /**
   * Saves each answer under `answer/<id>/<hash of the question>`, each judgment under `judgment/<id>/<hash of what is judged>` (or
   * `judgment-again/…`), so that a run that was killed continues; such as `fileJournal` of `@x/evaluate/node`. For one model, prompt and
   * index.
   */
  durable?: Durable | undefined
  sourceText?: SourceText | undefined
  /** The name of the run in reports. @defaultValue 'run' */
  name?: string | undefined
  /** The number of questions at the same time. @defaultValue 4 */
  maxConcurrency?: number | undefined
  signal?: AbortSignal | undefined
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined
}

const optionTable: OptionTable<EvaluateAnswersOptions> = {
  ...resamplingOptions,
  testSet: required('an array of questions', 'length'),
  answer: required(callback),
  llm: having('a language model', 'chat'),
  minJudged: numberFrom(0, 1),
  durable: callback,
  sourceText: callback,
  name: text,
  maxConcurrency: wholeNumber(1),
  signal: callOptions.signal,
  onProgress: callback,
}

/** A citation of an answer. */
interface AnswerCitation {
  /** The passage, such as `README.md:3-9`. */
  place: string
  /** Whether it contains a part of a right passage. */
  isRight: boolean
  /** Whether it is a part of a passage that the model received. */
  isGiven: boolean
}

/** The result of one question. */
export interface AnswerResult {
  id: string
  question: string
  answer: string
  isRefusal: boolean
  citations: AnswerCitation[]
  /** The share of the citations that are right and given; null for a question without a right passage. 0 without citations. */
  citationPrecision: number | null
  /** The share of the right passages that are cited; null for a question without one. */
  citationRecall: number | null
  /** The sentences of the answer, and whether the passages support them; empty without `llm`. */
  statements: Statement[]
  /** The share of the judged sentences that the passages support; null if none was judged. */
  faithfulness: number | null
  /** Whether the answer contains the expected one, without case; null if none is expected. */
  containsExpected: boolean | null
}

/** The result of {@link evaluateAnswers}. It is plain JSON. */
export interface AnswersRun {
  name: string
  /** Means over the questions that have the measure, with intervals of 95 %; null if none has it. */
  measures: Record<'citationPrecision' | 'citationRecall' | 'faithfulness' | 'containsExpected', Estimate | null>
  /**
   * The number of sentences that were judged, of all sentences of the answers. `reason`: why `faithfulness` is null; null if it is not.
   */
  judged: { sentences: number; of: number; reason: string | null }
  /** The number of questions that the documents do not answer, and of those that were refused. */
  unanswerable: { questions: number; refused: number }
  /** The number of questions with a right passage that were refused. */
  refusedWrongly: number
  questions: AnswerResult[]
}

/**
 * Answers the questions of a test set, and checks each answer: whether its citations are passages that the model received and contain a
 * right passage; with `llm`, whether the passages support its sentences. With `durable`, calls of models are not repeated after a failure.
 * @throws {ModelValidationError} if an option is not valid.
 * @throws {TestSetError} if a question is not valid; the line is its number.
 * @example
 * const { measures } = await evaluateAnswers({
 *   testSet: readTestSet('{"question":"Which colour?","places":[{"source":"a.md","lines":[2,2]}],"answer":"green"}'),
 *   answer: async () => ({
 *     text: 'They are green.',
 *     citations: [{ source: 'a.md', lines: [2, 2] }],
 *     passages: [{ source: 'a.md', lines: [1, 3], text: 'Pears are green.' }],
 *   }),
 *   llm: new ScriptedLLM({ answers: ['1: yes'] }),
 * })
 * Object.values(measures).map((measure) => measure?.mean) // => [1, 1, 1, 1]
 */
export async function evaluateAnswers(options: EvaluateAnswersOptions): Promise<AnswersRun> {
  checkOptions('evaluateAnswers', options, optionTable)
  const { name = 'run', maxConcurrency = 4, rounds = 2000, seed = 1, minJudged = 0.9 } = options
  const testSet = checkedTestSet(options.testSet)
  const matcher = new PlaceMatcher(options.sourceText)
  const questions = await resultsOf(testSet, maxConcurrency, options, (question) =>
    checkOne(question, matcher, options),
  )
  const estimate = (measure: keyof AnswersRun['measures']) => {
    const values = questions.flatMap(({ [measure]: value }) => (value === null ? [] : [Number(value)]))
    return values.length === 0 ? null : estimateOf(values, rounds, seed)
  }
  const judged = judgedOf(questions, options.llm !== undefined, minJudged)
  const unanswerable = questions.filter((_, i) => testSet[i]!.places.length === 0)
  const refused = unanswerable.filter(({ isRefusal }) => isRefusal).length
  return {
    name,
    measures: {
      citationPrecision: estimate('citationPrecision'),
      citationRecall: estimate('citationRecall'),
      faithfulness: judged.reason === null ? estimate('faithfulness') : null,
      containsExpected: estimate('containsExpected'),
    },
    judged,
    unanswerable: { questions: unanswerable.length, refused },
    refusedWrongly: questions.filter(({ isRefusal }) => isRefusal).length - refused,
    questions,
  }
}

function judgedOf(questions: readonly AnswerResult[], hasJudge: boolean, minJudged: number): AnswersRun['judged'] {
  const all = questions.flatMap(({ statements }) => statements)
  const sentences = all.filter(({ isSupported }) => isSupported !== null).length
  const reasonOf = () => {
    if (!hasJudge) return 'no model was passed to judge sentences'
    if (all.length === 0) return 'no answer contains a sentence to judge'
    if (sentences === 0 || sentences < minJudged * all.length)
      return `${sentences} of ${all.length} sentences were judged, fewer than the share of ${minJudged} (minJudged)`
    return null
  }
  return { sentences, of: all.length, reason: reasonOf() }
}

async function checkOne(
  { id, question, places, answer: expected }: TestQuestion,
  matcher: PlaceMatcher,
  { answer, llm, durable, signal }: EvaluateAnswersOptions,
): Promise<AnswerResult> {
  const ask = async () => {
    const made = await answer(question, { signal })
    checkAnswer(made)
    return JSON.stringify(made)
  }
  const given: GivenAnswer = JSON.parse(await saved(durable, `answer/${id}`, () => question, ask))
  const { text, citations = [], passages = [], isRefusal = false } = given
  const checked = citations.map((citation) => ({
    place: rightPlaceText(citation),
    isRight: places.some((place) => matcher.overlap(citation, place)),
    isGiven: passages.some((passage) => matcher.overlap(citation, passage)),
  }))
  const right = checked.filter(({ isRight, isGiven }) => isRight && isGiven).length
  const cited = places.filter((place) => citations.some((citation) => matcher.overlap(citation, place))).length
  const sentences = isRefusal || !llm ? [] : statementsOf(text)
  const statements =
    sentences.length === 0 || !llm ? [] : await supportOf(sentences, question, passages, { llm, durable, id, signal })
  const judged = statements.filter(({ isSupported }) => isSupported !== null)
  const isAnswerable = places.length > 0
  return {
    id,
    question,
    answer: text,
    isRefusal,
    citations: checked,
    citationPrecision: isAnswerable ? right / Math.max(1, citations.length) : null,
    citationRecall: isAnswerable ? cited / places.length : null,
    statements,
    faithfulness: judged.length === 0 ? null : judged.filter(({ isSupported }) => isSupported).length / judged.length,
    containsExpected: expected === undefined ? null : folded(text).includes(folded(expected)),
  }
}

const placeList = listOf('a place with its source', 'source')

/** Refuses what is no answer, before it is saved. */
function checkAnswer(made: Partial<GivenAnswer> | null | undefined): void {
  checkOption('evaluateAnswers', 'answer().text', made?.text, required(text))
  for (const name of ['citations', 'passages'] as const)
    checkOption('evaluateAnswers', `answer().${name}`, made?.[name] ?? [], placeList)
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()

/**
 * Returns an answer of `answerWithSources` of `@x/retrieval/answer` for `evaluateAnswers`. An answer that cites nothing is a refusal, as
 * its prompt asks for. A citation of a passage that does not exist counts as wrong.
 * @param passages - the passages that the model received.
 * @example
 * import { answerWithSources } from '@x/retrieval/answer'
 * const node = new TextNode({ id: 'fruit.md', text: 'Pears keep 3 weeks.' })
 * const passages = [new NodeWithScore({ node })]
 * const llm = new ScriptedLLM({ answers: ['Three weeks [1].'] })
 * const answer = await answerWithSources({ llm, passages, question: 'How long do pears keep?' }).result()
 * givenAnswerOf(answer, passages).citations // => [{ source: 'fruit.md' }]
 */
export function givenAnswerOf(answer: SourcedAnswer, passages: readonly (NodeWithScore | TextNode)[]): GivenAnswer {
  checkOption('givenAnswerOf', 'answer', answer, required('an answer with sources', 'text'))
  checkOption('givenAnswerOf', 'passages', passages, required(list))
  const nodes = passages.map((passage) => (isNode(passage) ? passage : (passage as NodeWithScore).node))
  return {
    text: answer.text,
    citations: answer.sources.map(({ node, number }) => (node ? placeOfNode(node) : { source: `[${number}]` })),
    passages: nodes.map((node) => ({ ...placeOfNode(node), text: node.getContent('llm') })),
    isRefusal: answer.citations.length === 0,
  }
}
