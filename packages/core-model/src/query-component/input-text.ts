import { type ChatMessage, messageText } from '../messages/chat-message.ts'
import { kindOf } from '../model/check-value.ts'
import { isModel } from '../model/is-model.ts'
import type { NodeWithScore } from '../nodes/node-with-score.ts'
import { ComponentInputError } from './component-errors.ts'

/** The answer of a query engine or agent: a text with the nodes that it rests on. */
export interface ResponseLike {
  readonly response: string | null
  readonly sourceNodes: readonly NodeWithScore[]
}

/** What the values with a text of their own look like; told by shape, so that no class has to be loaded for it. */
interface Shapes {
  /** Chat responses. */
  message?: { content: unknown }
  /** Query bundles. */
  queryStr?: string
  /** Nodes, alone or with a score. */
  getContent?: (mode: 'llm') => string
  /** Completion responses. */
  text?: string
  /** Answers of query engines and agents. */
  response?: string | null
  sourceNodes?: unknown
}

/**
 * The text of an input value: texts, numbers, messages of models, query bundles, answers, nodes, and lists of those.
 * @param key Name of the input, for the error.
 * @throws {ComponentInputError} for anything else, null too.
 */
export function inputText(value: unknown, key = 'input'): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map((item, index) => inputText(item, `${key}[${index}]`)).join('\n\n')
  const { message, queryStr, getContent, text, response, sourceNodes } = (value ?? {}) as Shapes
  if (isModel(value)) {
    if (message) return messageText(message)
    if (typeof queryStr === 'string') return queryStr
    if (getContent) return getContent.call(value, 'llm')
    if (typeof text === 'string') return text
  }
  if (sourceNodes !== undefined && response !== undefined) return response ?? ''
  throw new ComponentInputError(`Input ${key}: expected a text or something with one, got ${kindOf(value)}.`, [key])
}

/** As `inputText`, for values that may also be streams of texts or answers: their pieces put together. */
export async function inputTextOrStream(value: unknown, key?: string): Promise<string> {
  const stream = Object(value)
  if (!(Symbol.asyncIterator in stream || ('next' in stream && Symbol.iterator in stream))) return inputText(value, key)
  let text = ''
  for await (const piece of stream)
    text += inputText(isModel(piece) && 'delta' in piece ? (piece.delta ?? '') : piece, key)
  return text
}

/** Chat messages, when the value is a list of nothing else (and not empty). */
export function asMessages(value: unknown): ChatMessage[] | null {
  return Array.isArray(value) && value.length > 0 && value.every((item) => isModel(item) && 'role' in item)
    ? (value as ChatMessage[])
    : null
}
