/**
 * @module
 * The errors of tasks. Each has a stable `code`; test for one with `isToolkitError(error, code)`.
 */
import { ToolkitError, type ToolkitErrorOptions } from '@x/core-model'

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
