/**
 * @module
 * Reads the body of a request of a chat client.
 */
import { invalid } from '@x/core/reading'
import type { UIMessageLike } from './ui-conversation.ts'

/** The maximum number of characters of the id of a chat. */
const MAX_ID = 1000

/** What a client sends. */
export interface ChatRequestBody {
  /** The id of the chat. */
  id: string
  messages: readonly UIMessageLike[]
}

/**
 * Reads what `useChat` sends.
 * @throws {ModelValidationError} for a body of another form.
 */
export function readChatBody(body: unknown): ChatRequestBody {
  const { id, messages } = Object(body) as Record<string, unknown>
  checkId(id, 'id')
  if (!Array.isArray(messages) || messages.length === 0) throw refused('an array of messages', messages, ['messages'])
  for (const [index, message] of messages.entries()) checkMessage(message, index)
  return { id, messages }
}

/** Checks the id of a chat. */
export function checkId(id: unknown, name: string): asserts id is string {
  if (typeof id !== 'string' || id === '' || id.length > MAX_ID)
    throw refused(`a string of 1 to ${MAX_ID} characters`, id, [name])
}

function checkMessage(message: unknown, index: number): void {
  const { id, role, parts } = Object(message) as Record<string, unknown>
  const at = ['messages', String(index)]
  if (id !== undefined && typeof id !== 'string') throw refused('a string', id, [...at, 'id'])
  if (role !== 'user' && role !== 'assistant') throw refused('"user" or "assistant"', role, [...at, 'role'])
  if (!Array.isArray(parts)) throw refused('an array of parts', parts, [...at, 'parts'])
  for (const [place, part] of parts.entries()) checkPart(part, [...at, 'parts', String(place)])
}

/** The fields of a part that are read as strings. */
const texts = ['type', 'text', 'mediaType', 'url', 'filename', 'state', 'toolCallId', 'toolName', 'errorText']

function checkPart(part: unknown, at: string[]): void {
  if (typeof part !== 'object' || part === null) throw refused('an object', part, at)
  const given = part as Record<string, unknown>
  if (given['type'] === undefined) throw refused('a string', undefined, [...at, 'type'])
  for (const name of texts) {
    const value = given[name]
    if (value !== undefined && typeof value !== 'string') throw refused('a string', value, [...at, name])
  }
}

/**
 * Returns the parsed body of a request.
 * @throws {ModelValidationError} for a body that is too long, or not JSON.
 */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  const decoder = new TextDecoder()
  const reader = request.body?.getReader()
  let text = ''
  let count = 0
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    count += next.value.length
    if (count > maxBytes) {
      reader?.cancel().catch(() => {})
      throw refused(`a body of at most ${maxBytes} bytes`, 'a longer one', [])
    }
    text += decoder.decode(next.value, { stream: true })
  }
  try {
    return JSON.parse(text + decoder.decode())
  } catch {
    throw refused('JSON', text.slice(0, 100), [])
  }
}

/** Returns the error for a body of another form. */
export function refused(expected: string, received: unknown, at: string[]) {
  return invalid('ChatRequest', expected, received, at)
}
