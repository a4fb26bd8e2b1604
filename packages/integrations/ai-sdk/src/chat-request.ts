/**
 * @module
 * What `useChat` sends.
 */
import type { ChatMessageTurn, ChatTurn } from '@x/chats'
import { invalid } from '@x/core/reading'
import { isPlainObject } from '@x/core/values'
import { chatTurn, type UIMessageLike } from './ui-conversation.ts'

/**
 * Reads what `useChat` sends.
 * @throws {ModelValidationError} for a body of another form.
 */
export function readChatBody(body: unknown): ChatTurn & { id: string } {
  const {
    id,
    message,
    messages: sent,
  } = Object(body) as { id: string; message?: UIMessageLike; messages: UIMessageLike[] }
  const isAlone = sent === undefined && message !== undefined
  const messages = isAlone ? [message] : sent
  if (!Array.isArray(messages)) throw refused('an array of messages', messages, ['messages'])
  if (messages.length === 0) throw refused('at least one message', messages, ['messages'])
  for (const [index, message] of messages.entries()) checkMessage(message, index)
  const turn = chatTurn(messages)
  // A client that sends its last message alone does not say what it shows.
  const shown = isAlone ? undefined : turn.shown
  return turn.taskId === undefined ? { id, ...turn, shown, ...asksFor(body) } : { id, ...turn, shown }
}

/** What `useChat` asks for: it names the message that is edited, and says when another answer is wanted. */
function asksFor(body: unknown): Pick<ChatMessageTurn, 'asks' | 'discardsRest' | 'replaces'> {
  const { trigger, messageId: replaces } = Object(body) as { trigger?: unknown; messageId?: unknown }
  if (replaces !== undefined && typeof replaces !== 'string') throw refused('a string', replaces, ['messageId'])
  const rest = { replaces, discardsRest: replaces !== undefined }
  if (trigger === 'regenerate-message') return { asks: 'again', ...rest }
  return trigger === 'submit-message' && !rest.discardsRest ? { asks: 'send' } : rest
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
  checkApproval(given['approval'] ?? {}, [...at, 'approval'])
}

function checkApproval(approval: unknown, at: string[]): void {
  if (!isPlainObject(approval)) throw refused('an object', approval, at)
  const { id = '', approved = false, reason = '' } = approval
  if (typeof id !== 'string') throw refused('a string', id, [...at, 'id'])
  if (typeof approved !== 'boolean') throw refused('true or false', approved, [...at, 'approved'])
  if (typeof reason !== 'string') throw refused('a string', reason, [...at, 'reason'])
}

/** Returns the error for a body of another form. */
export function refused(expected: string, received: unknown, at: string[]) {
  return invalid('ChatRequest', expected, received, at)
}
