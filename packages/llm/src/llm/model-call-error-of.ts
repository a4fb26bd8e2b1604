/**
 * @module
 * Errors of clients and of the platform as model call errors.
 */
import { isToolkitError, type ToolkitError } from '@x/core'
import { jsonOr } from '@x/core/values'
import { type ErrorBody, errorBody, errorPartOf } from './error-body.ts'
import { ModelCallError, type ModelCallErrorKind, modelCallErrorFrom } from './model-call-error.ts'

/** What an adapter knows about an error beyond its properties. */
export interface ModelErrorFacts {
  /** The kind, for errors without an HTTP status and without a message of the server; `context_length` has priority over both. */
  kind?: ModelCallErrorKind | null | undefined
  /** The model or the server; the message starts with it. @defaultValue the name of the model */
  where?: string | undefined
  /** Values that must not be part of the error, see `requestSecrets`. */
  secrets?: readonly string[] | undefined
}

/** The properties of errors of vendors' clients and of `fetch` that are read. */
interface ClientError {
  name?: unknown
  message?: unknown
  status?: unknown
  statusCode?: unknown
  code?: unknown
  headers?: unknown
  responseHeaders?: unknown
  cause?: { message?: unknown; code?: unknown }
}

/** Where clients store what the server wrote. */
const bodies = ['responseBody', 'error', 'body', 'data', 'value'] as const

/** The kinds of errors without a status, by name, code and message; the first match counts. */
const kinds: readonly (readonly [words: RegExp, kind: ModelCallErrorKind])[] = [
  [/timeout|timed out|ETIMEDOUT/i, 'timeout'],
  [
    /fetch failed|failed to fetch|load failed|terminated|network error|connection|socket|premature|input stream|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|AbortError|stream ended/i,
    'connection',
  ],
]

/**
 * Returns the error to throw for anything that a client threw: a {@link ModelCallError} with the text of the server, its status and its
 * delay, and without secrets. Errors of this family are returned unchanged. What nobody knows is a `bad_response`.
 * @param where - the model or the server; the message starts with it.
 * @example
 * const error = Object.assign(new Error('429'), { status: 429, error: { message: 'slow down' } })
 * modelCallErrorOf('gpt', error).message // => 'gpt: slow down (HTTP 429)'
 */
export function modelCallErrorOf(where: string, error: unknown, facts: ModelErrorFacts = {}): ToolkitError {
  if (isToolkitError(error)) return error
  const { kind = null, secrets } = facts
  const client = Object(error) as ClientError
  const given = [client.status, client.statusCode].find((value) => typeof value === 'number' && value >= 400)
  const said = saidBy(error, given !== undefined)
  const own = typeof client.message === 'string' && client.message !== '' ? client.message : String(error)
  const message = said?.message ?? own
  const how = { cause: error, secrets }
  if (kind === 'context_length') return new ModelCallError(`${where}: ${message}`, { kind, ...how })
  const name = typeof client.code === 'string' ? client.code : said?.code
  if (given !== undefined || said) {
    const status = (given as number | undefined) ?? said!.status
    const headers = headersOf(client.headers ?? client.responseHeaders)
    return modelCallErrorFrom(where, { status, message, code: name, headers, ...how })
  }
  const words = [client.name, client.code, own, client.cause?.message, client.cause?.code].join(' ')
  const known = kind ?? kinds.find(([form]) => form.test(words))?.[1] ?? 'bad_response'
  return new ModelCallError(`${where}: ${message}`, { kind: known, ...how })
}

/**
 * Returns what the server wrote about an error; null if the error does not contain it.
 * @param isFailure - whether the server answered with the status of an error. Otherwise its answer may have any content.
 */
function saidBy(error: unknown, isFailure: boolean): ErrorBody | null {
  if (!(error instanceof Error)) return errorBody(error)
  for (const name of bodies) {
    const body: unknown = Reflect.get(error, name)
    const part =
      name === 'error' || isFailure ? body : errorPartOf(Object(typeof body === 'string' ? jsonOr(body) : body))
    const said = part === null ? null : errorBody(part)
    if (said && (said.message ?? said.code) !== null) return said
  }
  return null
}

/** Returns headers that are a `Headers` object or a record. */
function headersOf(headers: unknown): { get(name: string): string | null } | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined
  if ('get' in headers && typeof headers.get === 'function') return headers as { get(name: string): string | null }
  return new Headers(headers as Record<string, string>)
}
