import { isModel } from '@x/core'
import { kindOf } from '@x/core/values'
import type { ChatMessage } from '../messages/chat-message.ts'
import { messageText } from '../messages/message-content.ts'
import { ComponentInputError } from './check-keys.ts'

/** The values that have a string form. They are recognized by shape, so that no class is imported. */
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
 * Returns the text of an input value: a string, number, response of a model, query bundle, answer, node, or an array of these.
 * @param key Name of the input, for the error.
 * @throws {ComponentInputError} for anything else, including null.
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
  throw new ComponentInputError(
    `Input ${key}: expected a string or a value with a string form, received ${kindOf(value)}.`,
    [key],
  )
}

/** Like `inputText`, but also joins the pieces of a stream of strings or responses. */
export async function inputTextOrStream(value: unknown, key?: string): Promise<string> {
  const stream = Object(value)
  if (!(Symbol.asyncIterator in stream || ('next' in stream && Symbol.iterator in stream))) return inputText(value, key)
  let text = ''
  for await (const piece of stream)
    text += inputText(isModel(piece) && 'delta' in piece ? (piece.delta ?? '') : piece, key)
  return text
}

/** Returns the value if it is an array of chat messages, otherwise null. */
export function asMessages(value: unknown): ChatMessage[] | null {
  return Array.isArray(value) && value.every((item) => isModel(item) && 'role' in item)
    ? (value as ChatMessage[])
    : null
}
