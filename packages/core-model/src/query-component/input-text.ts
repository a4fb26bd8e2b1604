import { ChatMessage, messageText } from '../messages/chat-message.ts'
import { ChatResponse, CompletionResponse } from '../messages/responses.ts'
import { kindOf } from '../model/check-issues.ts'
import { isInstance } from '../model/model.ts'
import { isNode } from '../nodes/node-record.ts'
import { NodeWithScore } from '../nodes/node-with-score.ts'
import { QueryBundle } from '../nodes/query-bundle.ts'
import { ComponentInputError } from './component-errors.ts'

/** The answer of a query engine or agent: a text with the nodes that it rests on. */
export interface ResponseLike {
  readonly response: string | null
  readonly sourceNodes: readonly NodeWithScore[]
}

function isResponseLike(value: unknown): value is ResponseLike {
  return (
    typeof value === 'object' &&
    value !== null &&
    'response' in value &&
    'sourceNodes' in value &&
    (value.response === null || typeof value.response === 'string')
  )
}

/**
 * The text of an input value: texts, numbers, messages of models, query bundles, answers, nodes, and lists of those.
 * @param key Name of the input, for the error.
 * @throws {ComponentInputError} for anything else, null too.
 */
export function inputText(value: unknown, key = 'input'): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (isInstance(value, ChatResponse)) return messageText(value.message)
  if (isInstance(value, CompletionResponse)) return value.text
  if (isInstance(value, QueryBundle)) return value.queryStr
  if (isNode(value) || isInstance(value, NodeWithScore)) return value.getContent('llm')
  if (isResponseLike(value)) return value.response ?? ''
  if (Array.isArray(value)) return value.map((item, index) => inputText(item, `${key}[${index}]`)).join('\n\n')
  throw new ComponentInputError(`Input ${key}: expected a text or something with one, got ${kindOf(value)}.`, [key])
}

/** As `inputText`, for values that may also be streams of texts or answers: their pieces put together. */
export async function inputTextOrStream(value: unknown, key = 'input'): Promise<string> {
  if (typeof value !== 'object' || value === null || !(Symbol.asyncIterator in value)) return inputText(value, key)
  let text = ''
  for await (const piece of value as AsyncIterable<unknown>) {
    text +=
      isInstance(piece, ChatResponse) || isInstance(piece, CompletionResponse)
        ? (piece.delta ?? '')
        : inputText(piece, key)
  }
  return text
}

/** Chat messages, when the value is a list of nothing else (and not empty). */
export function asMessages(value: unknown): ChatMessage[] | null {
  return Array.isArray(value) && value.length > 0 && value.every((item) => isInstance(item, ChatMessage)) ? value : null
}
