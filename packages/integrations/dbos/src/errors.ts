/**
 * @module
 * The errors of tasks. Each has a stable `code`; test for one with `isToolkitError(error, code)`.
 */
import { ToolkitError, type ToolkitErrorOptions } from '@x/core-model'

/** The task was cancelled. `AgentTasks.retry` goes on with it. */
export class TaskCancelledError extends ToolkitError {
  /** The id of the task. */
  readonly taskId: string

  constructor(taskId: string, options?: ToolkitErrorOptions) {
    super('TaskCancelledError', 'task_cancelled', `Task "${taskId}" was cancelled; go on with it by retry.`, options)
    this.taskId = taskId
  }
}

/** Every worker that ran the task died. Look for the reason before you go on with it by `AgentTasks.retry`. */
export class TaskAbandonedError extends ToolkitError {
  /** The id of the task. */
  readonly taskId: string

  constructor(taskId: string, options?: ToolkitErrorOptions) {
    super(
      'TaskAbandonedError',
      'task_abandoned',
      `Task "${taskId}" was given up, because its workers died again and again; find out why, then go on with it by retry.`,
      options,
    )
    this.taskId = taskId
  }
}

/** The code of the worker makes other calls than those that are recorded for the task. Nothing was repeated. */
export class JournalMismatchError extends ToolkitError {
  /** The id of the task. */
  readonly taskId: string

  constructor(taskId: string, options?: ToolkitErrorOptions & { cause?: Error }) {
    super(
      'JournalMismatchError',
      'journal_mismatch',
      `Task "${taskId}" was begun by code that makes other calls (${options?.cause?.message}); finish it by a worker with its version, or begin it again.`,
      options,
    )
    this.taskId = taskId
  }
}

/** The queue is not registered, so nobody would run what is put into it. */
export class UnknownQueueError extends ToolkitError {
  constructor(queue: string, known: readonly string[]) {
    const names = known.length > 0 ? known.map((name) => `"${name}"`).join(', ') : 'none'
    super(
      'UnknownQueueError',
      'unknown_queue',
      `The queue "${queue}" is not registered (registered: ${names}); correct the name, or call registerQueue first, in a worker or a client.`,
    )
  }

  /** True: it may be registered later. */
  override get retryable(): boolean {
    return true
  }
}

declare module '@x/core-model' {
  interface ToolkitErrors {
    journal_mismatch: JournalMismatchError
    task_abandoned: TaskAbandonedError
    task_cancelled: TaskCancelledError
    unknown_queue: UnknownQueueError
  }
}
