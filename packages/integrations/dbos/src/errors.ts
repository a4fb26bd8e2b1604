/**
 * @module
 * The errors of tasks, and of DBOS. Each has a stable `code`; test for one with `isToolkitError(error, code)`.
 */
import { isToolkitError, ToolkitError, type ToolkitErrorOptions } from '@x/core-model'
import { TaskCancelledError } from '@x/durable'

/** Every worker that ran the task died. Find the reason before you continue it by `DbosTasks.retry`. */
export class TaskAbandonedError extends ToolkitError {
  /** The id of the task. */
  readonly taskId: string

  constructor(taskId: string, options?: ToolkitErrorOptions) {
    super(
      'TaskAbandonedError',
      'task_abandoned',
      `Task "${taskId}" was abandoned, because its workers died repeatedly; find the reason, then continue it by retry.`,
      options,
    )
    this.taskId = taskId
  }
}

/** The code of the worker makes calls that differ from those recorded for the task. Nothing was repeated. */
export class JournalMismatchError extends ToolkitError {
  /** The id of the task. */
  readonly taskId: string

  constructor(taskId: string, options?: ToolkitErrorOptions & { cause?: Error }) {
    super(
      'JournalMismatchError',
      'journal_mismatch',
      `Task "${taskId}" was started by code that makes different calls (${options?.cause?.message}); finish it by a worker with its version, or submit a new task.`,
      options,
    )
    this.taskId = taskId
  }
}

/** The queue is not registered, so nobody would run what is put into it. */
export class UnknownQueueError extends ToolkitError {
  constructor(queue: string) {
    super(
      'UnknownQueueError',
      'unknown_queue',
      `The queue "${queue}" is not registered; correct the name, or call registerQueue first.`,
    )
  }

  /** True: it may be registered later. */
  override get retryable(): boolean {
    return true
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    journal_mismatch: JournalMismatchError
    task_abandoned: TaskAbandonedError
    unknown_queue: UnknownQueueError
  }
}

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
