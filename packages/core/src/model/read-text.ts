/**
 * @module
 * Reads JSON strings.
 */
import { ModelValidationError } from '../errors.ts'
import { parseExactly } from './json-text.ts'
import { invalid } from './report.ts'

/** Throws the error for a string or bytes that cannot be read. */
export function refuse(title: string, code: string, message: string, cause?: unknown): never {
  throw new ModelValidationError(title, [{ path: '', message, code }], { cause })
}

/** Returns the value of a JSON string. */
export function parseJson(title: string, text: string): unknown {
  if (typeof text !== 'string') throw invalid(title, 'a JSON string', text)
  try {
    return parseExactly(text)
  } catch (cause) {
    // The message of the engine may quote private data of a user, so only the position is copied from it.
    const [where] = /position \d+|the number \S+ is too large/.exec((cause as Error).message) ?? []
    return refuse(title, 'json', `invalid JSON${where ? ` (${where})` : ''}`, cause)
  }
}
