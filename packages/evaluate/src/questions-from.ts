/**
 * @module
 * Makes questions from nodes, without a model or with one.
 */
import {
  callback,
  callOptions,
  checkOption,
  checkOptions,
  having,
  listOf,
  type OptionTable,
  wholeNumber,
} from '@x/core/options'
import { type BaseLLM, ChatMessage, type Durable, type TextNode } from '@x/core-model'
import { sentenceEnds, withoutThinking } from '@x/core-model/text'
import { placeOfNode } from './places.ts'
import { resultsOf, saved } from './run.ts'
import type { TestQuestion } from './test-set.ts'

/** The options of {@link questionsFrom}. */
interface QuestionsFromOptions {
  /** Writes the questions. @defaultValue headings and first sentences, without a model */
  llm?: BaseLLM | undefined
  /** The largest number of questions, from nodes at equal distances. @defaultValue 100 */
  limit?: number | undefined
  /** Saves each answer of the model under `question/<id of the node>/<hash of its text>`, so that a run that was killed continues. */
  durable?: Durable | undefined
  /** The number of calls of the model at the same time. @defaultValue 4 */
  maxConcurrency?: number | undefined
  signal?: AbortSignal | undefined
}

const optionTable: OptionTable<QuestionsFromOptions> = {
  llm: having('a language model', 'chat'),
  limit: wholeNumber(1),
  durable: callback,
  maxConcurrency: wholeNumber(1),
  signal: callOptions.signal,
}

/** The least number of characters that must follow a heading or a first sentence. */
const ANSWER = 60
const SENTENCE = { from: 20, to: 300 }

/**
 * Returns questions with the passage of their node. Without a model, a question is the heading of a node, or else its first sentence, and
 * the answer what follows; nodes with too little text are left out. It has the `origin` `text`, or `model` with a model.
 *
 * They show whether passages are found at all. They do not replace questions of persons: on public collections their ranking of settings
 * often differs from that of persons, therefore `tune` does not use them by default.
 * @example
 * const text = '# How apples are kept\n\nThey are kept in a cool and dark cellar, each wrapped in paper, for some months.'
 * const [question] = await questionsFrom([new TextNode({ id: 'a.md', text })])
 * question // => { id: 'a.md', question: 'How apples are kept', places: [{ source: 'a.md' }], origin: 'text' }
 */
export async function questionsFrom(
  nodes: readonly TextNode[],
  options: QuestionsFromOptions = {},
): Promise<TestQuestion[]> {
  checkOption('questionsFrom', 'nodes', nodes, listOf('a node', 'metadata'))
  checkOptions('questionsFrom', options, optionTable)
  const { llm, limit = 100, maxConcurrency = 4 } = options
  if (!llm) return spread(nodes.flatMap(questionOf), limit)
  const long = nodes.filter(({ text }) => text.trim().length >= ANSWER)
  const asked = await resultsOf(spread(long, limit), maxConcurrency, { signal: options.signal }, (node) =>
    askModel(llm, node, options),
  )
  return asked.flat()
}

/** At most `limit` items at equal distances. */
function spread<T>(items: readonly T[], limit: number): T[] {
  const count = Math.min(limit, items.length)
  return Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)]!)
}

function questionOf(node: TextNode): TestQuestion[] {
  const question = headingOf(node.text) ?? firstSentence(node.text)
  if (question === null) return []
  return [{ id: node.id, question, places: [placeOfNode(node)], origin: 'text' }]
}

/** The heading at the start of a passage that has at least two words and is followed by an answer. */
function headingOf(text: string): string | null {
  const [line = '', words = ''] = /^\s*#{1,6}[ \t](.+)(?:\n|$)/.exec(text) ?? []
  const heading = words
    .trim()
    .replace(/(?<!#)#+$/, '')
    .trimEnd()
  if (!/\S\s+\S/.test(heading)) return null
  return text.slice(line.length).trim().length >= ANSWER ? heading : null
}

/** The first sentence of a passage of prose that is followed by an answer. */
function firstSentence(text: string): string | null {
  const prose = text.replace(/^\s*#{1,6}[ \t].*\n/, '').trim()
  const [end = 0] = sentenceEnds(prose, new Intl.Segmenter('en', { granularity: 'sentence' }))
  const sentence = prose.slice(0, end).trim()
  const isLong = sentence.length >= SENTENCE.from && sentence.length <= SENTENCE.to
  return isLong && prose.length - end >= ANSWER ? sentence : null
}

async function askModel(
  llm: BaseLLM,
  node: TextNode,
  { durable, signal }: QuestionsFromOptions,
): Promise<TestQuestion[]> {
  const ask = async () => String(await llm.chat(promptFor(node), { signal }))
  const answer = withoutThinking(await saved(durable, `question/${node.id}`, () => node.getContent('llm'), ask))
  const question = answer
    .trim()
    .replace(/^["'“]|["'”]$/g, '')
    .replace(/\s+/g, ' ')
  // A refusal or an empty answer is not a question.
  if (!/\p{L}/u.test(question) || question.length > 500) return []
  return [{ id: node.id, question, places: [placeOfNode(node)], origin: 'model' }]
}

function promptFor(node: TextNode): ChatMessage[] {
  const task =
    'Write one question that a reader could ask before knowing the passage, and that the passage answers. Use the language of the passage, but your own words. Do not mention the passage. Reply with the question alone.'
  return [
    new ChatMessage({ role: 'system', content: task }),
    new ChatMessage({ role: 'user', content: `Passage:\n\n${node.getContent('llm')}` }),
  ]
}
