/**
 * @module
 * What a client sends to the route of a chat, the refusals, and which requests the pages of other sites may have sent, with the cookies of
 * the user.
 */

import { invalid } from '@x/core/reading'
import { isTextPart, isToolkitError, type MessageContent } from '@x/core-model'
import { type AllowFile, checkFiles } from '@x/durable'
import type { ChatProtocol } from './chat-protocol.ts'

/** The maximum number of characters of the id of a chat. */
const MAX_ID = 1000

/** The ids that a chat cannot have, because the address of such a chat would be another one: nobody could stop or delete it. */
const WITHOUT_ADDRESS: readonly string[] = ['stream', '.', '..']

/** Returns a response that refuses a request. */
export function refusal(status: number, code: string | null, message: string, headers: HeadersInit = {}): Response {
  return Response.json({ error: { code, message } }, { status, headers })
}

/** After so many seconds another worker has the task of one that has ended, with the default lease. */
const RETRY_AFTER = '5'

export const busy = () =>
  refusal(409, 'conversation_busy', 'Another answer of this chat is not finished.', { 'retry-after': RETRY_AFTER })

/** The responses to what is refused when an answer would begin. */
export const refusals = {
  busy,
  decision_refused: () => refusal(403, 'decision_refused', 'The user may not decide about this call.'),
  decision_pending: () => refusal(409, 'decision_pending', 'A call waits for a decision.'),
  replacing_refused: () =>
    refusal(
      409,
      'replacing_refused',
      'No answer of this chat is removed; only the last one goes on, if it failed or was stopped.',
    ),
  unknown_message: () => refusal(404, 'not_found', 'The chat has no such message.'),
  nothing_waits: () =>
    refusal(
      409,
      'nothing_waits',
      'The answer came back without a decision about a call; `regenerate` of `useChat` continues one that has not ended.',
    ),
  unknown_task: () => refusal(404, 'not_found', 'The chat has no such task.'),
}

/**
 * Whether a request comes from a page of another origin, by the headers that browsers set. Programs that are no browsers set none.
 * @param origins - further origins whose pages may send requests, such as `https://app.example`.
 */
export function isForeign({ headers, url }: Request, origins: readonly string[] = []): boolean {
  const origin = headers.get('origin')
  if (origin !== null && origins.includes(origin)) return false
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site !== 'same-origin' && site !== 'none'
  if (origin === null) return false
  // Behind a proxy, the protocol may differ.
  return !URL.canParse(origin) || new URL(origin).host !== (headers.get('host') ?? new URL(url).host)
}

/** Returns the id of the chat in an address such as `/api/chat/ID/stream` or `/api/chat/ID`; undefined for another one. */
export function chatInPath({ url }: Request): { id: string | undefined; isStream: boolean } {
  const [, encoded, stream] = /\/([^/]+?)(\/stream)?$/.exec(new URL(url).pathname) ?? []
  const isStream = stream !== undefined
  try {
    return { id: encoded && decodeURIComponent(encoded), isStream }
  } catch {
    return { id: undefined, isStream }
  }
}

/** Returns what the client sends, or the refusal of a body of another form. */
export function readTurn<Sent extends object>(
  text: string,
  protocol: ChatProtocol<Sent>,
  allowFile: AllowFile | undefined,
) {
  try {
    const turn = protocol.read(parsed(text))
    const { id, taskId, content, decisions } = { ...turn } as Readonly<Record<string, unknown>>
    if (typeof id !== 'string' || id === '' || id.length > MAX_ID)
      throw refused(`a string of 1 to ${MAX_ID} characters`, id, 'id')
    if (WITHOUT_ADDRESS.includes(id)) throw refused(`an id other than ${WITHOUT_ADDRESS.join(', ')}`, id, 'id')
    const isText = taskId === undefined && typeof content === 'string'
    if (!isText && !Array.isArray(taskId === undefined ? content : decisions))
      throw refused('a message or decisions', turn)
    const message = turn.taskId === undefined ? turn : turn.next
    if (message) {
      if (saysNothing(message.content)) throw refused('a message with a text or a file', message.content, 'content')
      checkFiles('content', message.content, allowFile)
    }
    return turn
  } catch (error) {
    if (isToolkitError(error)) return refusal(400, error.code, error.message)
    throw error
  }
}

/** Whether a message has neither a text nor a file: no model answers it. */
function saysNothing(content: MessageContent): boolean {
  if (typeof content === 'string') return content.trim() === ''
  return (content ?? []).every((part) => isTextPart(part) && part.text.trim() === '')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refused('JSON', text.slice(0, 100))
  }
}

function refused(expected: string, received: unknown, ...at: string[]) {
  return invalid('ChatRequest', expected, received, at)
}
