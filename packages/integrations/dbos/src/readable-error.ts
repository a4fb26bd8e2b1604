/**
 * @module
 * Converts errors that were read from the database.
 */
import { isToolkitError, ToolkitError } from '@x/core-model'

/** Returns an error that was read from the database in a form that `isToolkitError` recognizes. */
export function readableError(error: unknown): unknown {
  if (!(error instanceof Error) || isToolkitError(error)) return error
  const { code, ...data } = error as Error & { code?: unknown }
  if (typeof code !== 'string') return error
  const { name, message, cause } = error
  const read = new ToolkitError(name, code, message, { cause })
  for (const [key, value] of Object.entries(data))
    if (!(key in read)) Object.defineProperty(read, key, { value, enumerable: true })
  return read
}
