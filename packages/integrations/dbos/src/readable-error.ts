/**
 * @module
 * Converts errors that were read from the database.
 */
import { isToolkitError, ToolkitError } from '@x/core-model'
import { TaskCancelledError } from '@x/durable'
import { JournalMismatchError, TaskAbandonedError } from './errors.ts'

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

/** Returns the error of this package for an error of DBOS. */
export function taskError(taskId: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('dbosErrorCode' in error)) return readableError(error)
  const cause: Error = error
  if (CANCELLED.includes(error.dbosErrorCode)) return new TaskCancelledError(taskId)
  if (ABANDONED.includes(error.dbosErrorCode)) return new TaskAbandonedError(taskId, { cause })
  if (MISMATCH.includes(error.dbosErrorCode)) return new JournalMismatchError(taskId, { cause })
  return error
}

/** The error codes of DBOS for a cancelled workflow, and for a wait for one. */
const CANCELLED: unknown[] = [24, 27]
const ABANDONED: unknown[] = [18, 30]
/** The error codes of DBOS for a step that differs from the recorded one, and for a step that was recorded meanwhile. */
const MISMATCH: unknown[] = [26, 37]
