/**
 * @module
 * The base classes of the errors of this package, and the errors that concern more than one of its parts. The classes show who must act:
 * the caller, the model, or another component.
 */

import { ToolkitError, type ToolkitErrorOptions } from '@x/core-model'
import { isUsage, type TaskUsage } from './task-usage.ts'

/** The base class. The name is computed from the code: `task_not_found` is the code of `TaskNotFoundError`. */
export abstract class AgentError extends ToolkitError {
  /** What the task has used until this error ended its run, agents behind its tools included. */
  declare usage?: TaskUsage

  constructor(code: string, message: string, options?: ToolkitErrorOptions) {
    const name = code.replace(/^react/, 'reAct').replace(/(?:^|_)./g, (start) => start.slice(-1).toUpperCase())
    super(`${name}Error`, code, message, options)
  }
}

/** Notes on an error what its task has used, and returns the error. Errors of other packages and of tools get the property too. */
export function withUsage(error: unknown, usage: unknown): unknown {
  if (typeof error === 'object' && error !== null && isUsage(usage) && Object.isExtensible(error))
    Object.defineProperty(error, 'usage', { value: { ...usage }, configurable: true })
  return error
}

/** An error about one task. */
export abstract class TaskError extends AgentError {
  readonly taskId: string

  constructor(code: string, taskId: string, message: string) {
    super(code, message)
    this.taskId = taskId
  }
}

/** Returns issues as one line of text. */
export function issuesText(issues: readonly { readonly path: string; readonly message: string }[]): string {
  return issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ')
}

/** Thrown when another run uses the conversation. Wait for its answer, or pass a separate conversation to each run. */
export class ConversationBusyError extends AgentError {
  constructor() {
    super(
      'conversation_busy',
      'Another run uses this conversation. Wait for its answer, or pass a `memory` or a `conversation` to each run.',
    )
  }

  override get retryable(): boolean {
    return true
  }
}

/** Thrown when a step or a run exceeds its time limit. The task is in its state before the step and can be continued. */
export class DeadlineExceededError extends AgentError {
  readonly milliseconds: number

  constructor(what: string, milliseconds: number) {
    super('deadline_exceeded', `${what} took longer than ${milliseconds} ms.`)
    this.milliseconds = milliseconds
  }

  override get retryable(): boolean {
    return true
  }
}

/** Thrown when the caller has cancelled the operation. `cause` is the reason of the signal. */
export class AbortError extends AgentError {
  constructor(cause: unknown) {
    super('abort', 'The operation was aborted.', { cause })
  }
}

/**
 * Thrown to a reader of a streaming answer whose text starts again, because the stream of the model broke and was repeated. Drop the
 * pieces, and read the answer again from its new beginning.
 */
export class TextRestartedError extends AgentError {
  constructor() {
    super(
      'text_restarted',
      'The stream of the model broke and was repeated: drop this text, and read the answer again.',
    )
  }

  override get retryable(): boolean {
    return true
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    abort: AbortError
    conversation_busy: ConversationBusyError
    deadline_exceeded: DeadlineExceededError
    text_restarted: TextRestartedError
  }
}
