/**
 * @module
 * Why a call of a model failed, in one form for all providers.
 */
import { ToolkitError, type ToolkitErrorOptions } from '../errors.ts'

/** Why a call of a model failed. */
export type ModelCallErrorKind =
  | 'rate_limit'
  | 'overloaded'
  | 'auth'
  | 'bad_request'
  | 'context_length'
  | 'content_filter'
  | 'bad_response'
  | 'connection'
  | 'timeout'

const repeatable: readonly ModelCallErrorKind[] = ['rate_limit', 'overloaded', 'connection', 'timeout']

/** The details of a failed call. */
export interface ModelCallErrorOptions extends ToolkitErrorOptions {
  kind: ModelCallErrorKind
  /** The HTTP status, where there was one. */
  status?: number | null | undefined
  /** Whether the same call may succeed later. @defaultValue true for rate limits, overload, connection failures and timeouts */
  retryable?: boolean | undefined
  /** How long the provider asks to wait, in milliseconds. */
  retryAfterMs?: number | null | undefined
}

/**
 * A call of a model failed. `kind` says why, `retryable` whether the same call may succeed later.
 * @example
 * const error = new ModelCallError('gpt: too many requests', { kind: 'rate_limit', status: 429, retryAfterMs: 2000 })
 * error.retryable // => true
 */
export class ModelCallError extends ToolkitError {
  readonly kind: ModelCallErrorKind
  readonly status: number | null
  readonly retryAfterMs: number | null
  readonly #retryable: boolean

  constructor(message: string, { kind, status, retryable, retryAfterMs, ...options }: ModelCallErrorOptions) {
    super('ModelCallError', 'model_call', message, options)
    this.kind = kind
    this.status = status ?? null
    this.retryAfterMs = retryAfterMs ?? null
    this.#retryable = retryable ?? repeatable.includes(kind)
  }

  override get retryable(): boolean {
    return this.#retryable
  }
}

/** A failed HTTP answer of a model server. */
export interface FailedModelResponse {
  status: number
  /** The message of the provider, or the body as text. */
  message: string
  /** The provider's own code or type of the error, such as `context_length_exceeded`. */
  code?: string | null | undefined
  /** The headers, for `retry-after-ms` and `retry-after`. */
  headers?: { get(name: string): string | null } | undefined
  /** The current time in milliseconds, for a `retry-after` that is a date. @defaultValue Date.now() */
  now?: number | undefined
  cause?: unknown
}

/**
 * The error for a failed HTTP answer: its kind is read from the status, and from the code and the message where one status has
 * several meanings. A quota that is used up is a rate limit that is not worth repeating.
 * @param where - the model or the server, as the message starts.
 * @example
 * modelCallErrorFrom('gpt', { status: 400, message: 'too long', code: 'context_length_exceeded' }).kind // => 'context_length'
 */
export function modelCallErrorFrom(where: string, response: FailedModelResponse): ModelCallError {
  const { status, message, code, headers, now = Date.now(), cause } = response
  const kind = kindOf(status, `${code ?? ''} ${message}`)
  const isUsedUp = kind === 'rate_limit' && /insufficient_quota|billing/i.test(`${code ?? ''} ${message}`)
  return new ModelCallError(`${where}: ${message} (HTTP ${status})`, {
    kind,
    status,
    retryAfterMs: headers ? retryAfterMs(headers, now) : null,
    ...(isUsedUp && { retryable: false }),
    cause,
  })
}

function kindOf(status: number, text: string): ModelCallErrorKind {
  if (status === 401 || status === 403) return 'auth'
  if (status === 408) return 'timeout'
  if (status === 429) return 'rate_limit'
  if (status >= 500) return 'overloaded'
  if (status === 413 || isTooLong(text)) return 'context_length'
  if (/content[_ ]?(?:filter|policy)|safety|moderation/i.test(text)) return 'content_filter'
  return status >= 400 ? 'bad_request' : 'bad_response'
}

function isTooLong(text: string): boolean {
  return /context[_ ](?:length|window|size)|too many (?:input )?tokens|(?:prompt|input|request) is too long/i.test(text)
}

/** How long to wait, from `retry-after-ms`, or `retry-after` in seconds or as a date; null when neither can be read. */
function retryAfterMs(headers: { get(name: string): string | null }, now: number): number | null {
  const exact = headers.get('retry-after-ms')
  if (exact !== null && /^\d+(?:\.\d+)?$/.test(exact.trim())) return Number(exact)
  const header = headers.get('retry-after')
  if (header === null) return null
  if (/^\d+(?:\.\d+)?$/.test(header.trim())) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}
