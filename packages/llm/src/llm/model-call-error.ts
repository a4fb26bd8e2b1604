/**
 * @module
 * The error of a failed model call, the same for all providers.
 */

import { ToolkitError, type ToolkitErrorOptions } from '@x/core'
import { checkOption, required } from '@x/core/options'
import { withoutSecrets } from '@x/core-model'
import { causeWithoutSecrets } from '@x/core-model/components'

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
interface ModelCallErrorOptions extends ToolkitErrorOptions {
  kind: ModelCallErrorKind
  /** The HTTP status; null without an HTTP response. */
  status?: number | null | undefined
  /** Whether the same call may succeed later. @defaultValue true for rate limits, overload, connection failures and timeouts */
  retryable?: boolean | undefined
  /** The time after which the provider accepts the call again, in milliseconds. */
  retryAfterMs?: number | null | undefined
  /** Values that must not be part of the message and the cause, see `requestSecrets`. Addresses never contain passwords and keys. */
  secrets?: readonly string[] | undefined
}

/**
 * Thrown when a call of a model failed. `kind` is the reason; `retryable` whether the same call may succeed later. Message and cause
 * contain no secrets, see `withoutSecrets`.
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
    const { secrets = [], cause } = options
    const own = cause === undefined ? {} : { cause: causeWithoutSecrets(cause, secrets) }
    super('ModelCallError', 'model_call', withoutSecrets(message, secrets), own)
    this.kind = kind
    this.status = status ?? null
    this.retryAfterMs = retryAfterMs ?? null
    this.#retryable = retryable ?? repeatable.includes(kind)
  }

  override get retryable(): boolean {
    return this.#retryable
  }
}

/** A failed HTTP response of a model server. */
interface FailedModelResponse {
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
  /** Values that must not be part of the error, see `requestSecrets`. */
  secrets?: readonly string[] | undefined
}

/**
 * Returns the error for a failed HTTP response. Its kind is determined by the status, and by the code and the message if one status has
 * several meanings. An exhausted quota is a rate limit that is not retryable.
 * @param where - the model or the server; the message starts with it.
 * @example
 * modelCallErrorFrom('gpt', { status: 400, message: 'too long', code: 'context_length_exceeded' }).kind // => 'context_length'
 */
export function modelCallErrorFrom(where: string, response: FailedModelResponse): ModelCallError {
  checkOption('modelCallErrorFrom', 'response', response, required('a response', 'status'))
  const { status, message, code, headers, now = Date.now(), cause, secrets } = response
  const kind = kindOf(status, `${code ?? ''} ${message}`)
  const isUsedUp = kind === 'rate_limit' && /insufficient_quota|billing/i.test(`${code ?? ''} ${message}`)
  return new ModelCallError(`${where}: ${message} (HTTP ${status})`, {
    kind,
    status,
    retryAfterMs: headers ? retryAfterMs(headers, now) : null,
    ...(isUsedUp && { retryable: false }),
    cause,
    secrets,
  })
}

function kindOf(status: number, text: string): ModelCallErrorKind {
  if (status === 401 || status === 403) return 'auth'
  if (status === 408) return 'timeout'
  if (status === 429) return 'rate_limit'
  // llama.cpp reports that with a status of 500.
  if (status === 413 || isTooLong(text)) return 'context_length'
  if (status >= 500) return 'overloaded'
  if (/content[_ ]?(?:filter|policy)|safety|moderation/i.test(text)) return 'content_filter'
  return status >= 400 ? 'bad_request' : 'bad_response'
}

function isTooLong(text: string): boolean {
  return /context[_ ](?:length|window|size|limit)|(?:prompt|input) length|too many (?:input )?tokens|token count [\w ()]{0,40}exceeds|(?:prompt|input|request) is too l(?:ong|arge)/i.test(
    text,
  )
}

/**
 * Returns the delay in `retry-after-ms`, or in `retry-after` as seconds or as a date; null if neither is valid. A header that was sent
 * twice, by a server and its proxy, has two numbers: the larger one counts.
 */
function retryAfterMs(headers: { get(name: string): string | null }, now: number): number | null {
  const milliseconds = largest(headers.get('retry-after-ms'))
  if (milliseconds !== null) return milliseconds
  const header = headers.get('retry-after')
  const seconds = largest(header)
  if (seconds !== null) return seconds * 1000
  // Engines read anything with numbers as a date.
  const date = Date.parse(/[a-z]/i.test(header ?? '') ? header! : '')
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

/** Returns the largest number of a header; null if it is not made of numbers. */
function largest(header: string | null): number | null {
  const parts = (header ?? '').split(',').map((part) => part.trim())
  return parts.every((part) => /^\d+(?:\.\d+)?$/.test(part)) ? Math.max(...parts.map(Number)) : null
}

declare module '@x/core' {
  interface ToolkitErrors {
    model_call: ModelCallError
  }
}
