/**
 * @module
 * What a server with the chat interface of OpenAI sends, and what its client has to make of it.
 */

/** The body of an answer. */
export interface SentBody {
  /** @defaultValue 200 */
  status?: number
  /** The media type. @defaultValue that of a stream, or of JSON */
  type?: string
  headers?: Readonly<Record<string, string>>
  /** Sent one after the other. */
  pieces: readonly (string | Uint8Array)[]
  /** How the connection ends: properly, by a reset, or never. @defaultValue 'end' */
  end?: 'end' | 'reset' | 'never'
}

/** What a client has to make of an answer. Fields that are left out are not compared. */
export interface ExpectedAnswer {
  text?: string
  reasoning?: string
  /** Name and JSON text of the arguments of each call. */
  calls?: readonly (readonly [name: string, args: string])[]
  /** As `finishReasonOf` returns it. */
  finish?: string
  /** Tokens of the request and of the answer. */
  usage?: readonly [input: number, output: number]
}

/** The error that a client has to throw: a `ModelCallError`. */
export interface ExpectedError {
  /** Its kind; several if the client may not know more. */
  error: string | readonly string[]
  /** What its message contains. */
  says?: string
  retryable?: boolean
}

/** A server whose answers differ from the documented ones, as a public report describes it. */
export interface OddServer {
  /** What the server does. */
  name: string
  /** A public report of it, as `owner/repository#number`, or the server that does it. */
  report: string
  /** Whether a stream is requested. */
  isStream: boolean
  body: SentBody
  expected: ExpectedAnswer | ExpectedError
}

/** Returns the text of an event. */
export const event = (data: unknown): string => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

/** The end of a stream. */
export const DONE = event('[DONE]')

/** Returns a chunk of a stream. */
export const chunk = (delta: unknown, finish_reason: string | null = null, more: object = {}) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason, ...more }],
})

const first = chunk({ role: 'assistant', content: '' })

/** Returns a server that streams these events. */
export function streaming(
  name: string,
  report: string,
  events: readonly unknown[],
  expected: OddServer['expected'],
  body: Omit<SentBody, 'pieces'> & { isCut?: boolean } = {},
): OddServer {
  const { isCut = false, ...rest } = body
  const pieces = [event(first), ...events.map(event), ...(isCut ? [] : [DONE])]
  return { name, report, isStream: true, body: { ...rest, pieces }, expected }
}

/** Returns a server that streams this text, with the documented end unless an option says otherwise. */
export function sending(
  name: string,
  report: string,
  pieces: SentBody['pieces'],
  expected: OddServer['expected'],
  body: Omit<SentBody, 'pieces'> = {},
): OddServer {
  return { name, report, isStream: true, body: { ...body, pieces }, expected }
}

/** Returns a server that answers with one JSON value, or this text. */
export function answering(
  name: string,
  report: string,
  data: unknown,
  expected: OddServer['expected'],
  body: Omit<SentBody, 'pieces'> = {},
): OddServer {
  const pieces = [typeof data === 'string' ? data : JSON.stringify(data)]
  return { name, report, isStream: false, body: { ...body, pieces }, expected }
}

/** Returns a whole answer. */
export const answer = (message: unknown, finish_reason: string | null = 'stop', more: object = {}) => ({
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message, finish_reason }],
  ...more,
})
