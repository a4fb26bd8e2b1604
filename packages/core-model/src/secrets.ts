/**
 * @module
 * Keeps the secrets of a request out of errors, and so out of traces and saved tasks.
 */
import { checkGiven, text as string } from '@x/core/options'
import { toBase64 } from './base64.ts'

import { credentialForm } from './credential-form.ts'

/** The replacement of a secret. */
const HIDDEN = '[secret]'

/** Shorter values are not replaced, because they also occur in ordinary text. */
const MIN_LENGTH = 4

/** Values of headers with other names are replaced from this length on. */
const MIN_HEADER_LENGTH = 8

const secretName = /key|token|secret|sig|pass|auth|credential|cookie|session/i

/** User and password in an address, values in its query whose name says that they are secret, and what follows an authentication scheme. */
const patterns: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\b([a-z]{2,12}:\/\/)[^\s/?#@"'<>]{1,500}@/gi, '$1'],
  [/([?&][\w.-]{0,40}(?:key|token|secret|sig|pass|auth|credential)[\w.-]{0,40}=)[^\s&#"'<>)]+/gi, `$1${HIDDEN}`],
  [/\b(Bearer|Basic) [\w.~+/-]{20,}=*/gi, `$1 ${HIDDEN}`],
]

/**
 * Returns a string without secrets: these values, keys whose form is known, and passwords and keys in addresses. For errors of servers and
 * of libraries that become part of an error.
 * @param secrets - see {@link requestSecrets}. Values of fewer than 4 characters are ignored.
 * @example
 * withoutSecrets('wrong key K-123 at https://me:pw@host/v1?key=K-123', ['K-123'])
 * // => 'wrong key [secret] at https://host/v1?key=[secret]'
 */
export function withoutSecrets(text: string, secrets: readonly string[] = []): string {
  checkGiven('withoutSecrets', { text }, string)
  // A secret may be part of another one.
  const known = secrets.filter(({ length }) => length >= MIN_LENGTH).sort((a, b) => b.length - a.length)
  const rest = known.reduce((sum, secret) => sum.replaceAll(secret, HIDDEN), text)
  const named = patterns.reduce((sum, [pattern, replacement]) => sum.replace(pattern, replacement), rest)
  return named.replace(credentialForm(), HIDDEN)
}

/**
 * Returns the secrets of a request, as servers may repeat them: the values of its headers, such as a key with and without `Bearer`, and
 * user, password and keys in its address.
 * @param headers - the headers that carry credentials, without those that every request has.
 */
export function requestSecrets(
  headers: Readonly<Record<string, string | undefined>>,
  address?: string | URL,
): string[] {
  checkGiven('requestSecrets', { headers }, 'an object of headers')
  const found: string[] = []
  for (const [name, value = ''] of Object.entries(headers)) {
    checkGiven('requestSecrets', { [name]: value }, string)
    if (!secretName.test(name) && value.length < MIN_HEADER_LENGTH) continue
    found.push(value, value.replace(/^\w+ +/, ''))
  }
  if (address !== undefined) {
    const { username, password, searchParams } = new URL(address)
    for (const part of [username, password]) found.push(part, decoded(part))
    for (const [name, value] of searchParams) if (secretName.test(name)) found.push(value)
  }
  return [...new Set(found.flatMap(formsOf))]
}

/** Returns a secret as servers repeat it: as it is, in an address, in JSON, and in base64. */
function formsOf(secret: string): string[] {
  const bytes = secret.length < MIN_LENGTH ? '' : toBase64(new TextEncoder().encode(secret)).replace(/={1,2}$/, '')
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), bytes]
}

/**
 * Returns the cause of an error, or a copy without secrets if it contains any: an error with the same name and no other properties.
 * @param depth - how many causes of causes are read.
 */
export function causeWithoutSecrets(cause: unknown, secrets: readonly string[] = [], depth = 8): unknown {
  if (depth === 0) return undefined
  if (typeof cause === 'string') return withoutSecrets(cause, secrets)
  if (typeof cause !== 'object' || cause === null) return cause
  if (!(cause instanceof Error)) return isClean(cause, secrets) ? cause : HIDDEN
  const inner = causeWithoutSecrets(cause.cause, secrets, depth - 1)
  if (inner === cause.cause && withoutSecrets(cause.message, secrets) === cause.message && isClean(cause, secrets))
    return cause
  const copy = new Error(withoutSecrets(cause.message, secrets), inner === undefined ? {} : { cause: inner })
  Object.defineProperty(copy, 'name', { value: cause.name, configurable: true, writable: true })
  copy.stack = withoutSecrets(cause.stack ?? '', secrets)
  return copy
}

/** Whether the properties of an object contain no secret, also inside of headers, maps and other objects. */
function isClean(value: object, secrets: readonly string[], depth = 6): boolean {
  const { headers } = value as { headers?: unknown }
  const items = isEntries(value) ? [...value.entries()].flat() : []
  const properties = Object.entries(value).filter(([name]) => name !== 'cause')
  return [...items, ...properties.flat(), headers].every((item) => {
    if (typeof item === 'string') return withoutSecrets(item, secrets) === item
    if (typeof item !== 'object' || item === null) return true
    return depth > 0 && isClean(item, secrets, depth - 1)
  })
}

function isEntries(value: object): value is { entries(): Iterable<[unknown, unknown]> } {
  return value instanceof Map || value instanceof Set || value instanceof Headers
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
