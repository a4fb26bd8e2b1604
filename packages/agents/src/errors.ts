/**
 * @module
 * The errors of this package, except those of tools. Their classes show who must act: the caller, the model, or another component.
 */

import { ToolkitError, type ToolkitErrorOptions } from '@x/core-model'
import type { PendingToolCall } from './task/agent-event.ts'

/** The base class. The name is computed from the code: `task_not_found` is the code of `TaskNotFoundError`. */
export abstract class AgentError extends ToolkitError {
  constructor(code: string, message: string, options?: ToolkitErrorOptions) {
    const name = code.replace(/^react/, 'reAct').replace(/(?:^|_)./g, (start) => start.slice(-1).toUpperCase())
    super(`${name}Error`, code, message, options)
  }
}

/** An error about one task. */
abstract class TaskError extends AgentError {
  readonly taskId: string

  constructor(code: string, taskId: string, message: string) {
    super(code, message)
    this.taskId = taskId
  }
}

/** Thrown when the runner has no task with this id. */
export class TaskNotFoundError extends TaskError {
  constructor(taskId: string) {
    super('task_not_found', taskId, `Task "${taskId}" does not exist.`)
  }
}

/** Thrown when the id of a new task is already used. */
export class TaskAlreadyExistsError extends TaskError {
  constructor(taskId: string) {
    super('task_already_exists', taskId, `Task "${taskId}" already exists.`)
  }
}

/** Thrown when an operation would change a finalized task. Its messages are already in the conversation. */
export class TaskFinalizedError extends TaskError {
  constructor(taskId: string, wanted: string) {
    super('task_finalized', taskId, `Task "${taskId}" is finalized; ${wanted}.`)
  }
}

/** Thrown while a step of the task is running, or a change of it is being saved. */
export class TaskBusyError extends TaskError {
  constructor(taskId: string) {
    super('task_busy', taskId, `Task "${taskId}" is running a step; wait for it.`)
  }

  override get retryable(): boolean {
    return true
  }
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

/** Thrown when another runner has taken over the task. Load the task again to continue it here. */
export class TaskClaimedError extends TaskError {
  constructor(taskId: string) {
    super(
      'task_claimed',
      taskId,
      `Task "${taskId}" was changed by another runner; resume it from the store to continue it here.`,
    )
  }
}

/** Thrown when the task has no completed step with this id. */
export class StepNotFoundError extends AgentError {
  readonly stepId: string

  constructor(taskId: string, stepId: string) {
    super('step_not_found', `Task "${taskId}" has no completed step "${stepId}".`)
    this.stepId = stepId
  }
}

/** Thrown for a value that is not a step. */
export class InvalidStepError extends AgentError {
  constructor(message: string) {
    super('invalid_step', message)
  }
}

/** Thrown when a step cannot run yet. */
export class StepNotReadyError extends AgentError {
  readonly stepId: string

  constructor(stepId: string, message = `Step "${stepId}" is not ready to run.`) {
    super('step_not_ready', message)
    this.stepId = stepId
  }
}

/** Thrown when a task is finalized with an output that is not the output of its last step. */
export class StepNotLastError extends TaskError {
  constructor(taskId: string) {
    super('step_not_last', taskId, `Task "${taskId}": the step output is not the last one; run more steps first.`)
  }
}

/** Thrown when the task has no step to run. */
export class NoUpcomingStepError extends TaskError {
  constructor(taskId: string) {
    super('no_upcoming_step', taskId, `Task "${taskId}" has no upcoming step.`)
  }
}

/** Thrown when no step of the task has run. */
export class NoCompletedStepError extends TaskError {
  constructor(taskId: string) {
    super('no_completed_step', taskId, `Task "${taskId}" has no completed step.`)
  }
}

/** Thrown when the task has no step to undo. */
export class NothingToUndoError extends TaskError {
  constructor(taskId: string) {
    super('nothing_to_undo', taskId, `Task "${taskId}" has no completed step to undo.`)
  }
}

/** Thrown when the last batch of parallel steps has other outputs in addition to the final one. */
export class MultipleFinalStepsError extends TaskError {
  constructor(taskId: string, outputs: number) {
    super(
      'multiple_final_steps',
      taskId,
      `Task "${taskId}": the final batch has ${outputs} outputs; a final step must run alone.`,
    )
  }
}

/** Thrown when the output of a worker is not a chat response. */
export class InvalidAgentOutputError extends AgentError {
  constructor(message: string) {
    super('invalid_agent_output', message)
  }
}

/** Thrown when the limit of model calls is reached without an answer. The task stays open and can continue with a higher limit. */
export class MaxIterationsError extends TaskError {
  /** The text of the last step output, or null. */
  readonly lastOutput: string | null

  constructor(taskId: string, limit: string, lastOutput: string | null) {
    super('max_iterations', taskId, `Task "${taskId}": no answer within ${limit}.`)
    this.lastOutput = lastOutput
  }
}

/** Thrown when a budget of the task is exhausted. The task stays open and can continue with a larger budget. */
export class BudgetExceededError extends TaskError {
  constructor(taskId: string, message: string) {
    super('budget_exceeded', taskId, `Task "${taskId}": ${message}.`)
  }
}

/**
 * Thrown when the model's reply was cut at a token limit, or stopped by a content filter. The step can run again, for example with a
 * higher `maxTokens` in the model options.
 */
export class CutAnswerError extends TaskError {
  readonly reason: 'length' | 'content_filter'
  /** The text that the model has written. */
  readonly text: string

  constructor(taskId: string, reason: 'length' | 'content_filter', text: string) {
    const what = reason === 'length' ? 'was cut at the token limit of the model' : 'was stopped by a content filter'
    super('cut_answer', taskId, `Task "${taskId}": the reply of the model ${what}.`)
    this.reason = reason
    this.text = text
  }
}

/** Thrown when a guard blocks the input or the answer of a task. The message contains its reason. */
export class GuardBlockedError extends TaskError {
  readonly stage: 'input' | 'answer'
  readonly reason: string

  constructor(taskId: string, stage: 'input' | 'answer', reason: string) {
    super('guard_blocked', taskId, `Task "${taskId}": the ${stage} was blocked: ${reason}`)
    this.stage = stage
    this.reason = reason
  }
}

/** Thrown when the answer of the model still does not match the output schema after the error was reported to the model. */
export class InvalidOutputError extends TaskError {
  /** The answer of the model. */
  readonly text: string
  /** One issue per invalid value. */
  readonly issues: readonly { readonly path: string; readonly message: string }[]

  constructor(taskId: string, issues: readonly { path: string; message: string }[], text: string) {
    const faults = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ')
    super('invalid_output', taskId, `Task "${taskId}": the answer does not match the output schema: ${faults}.`)
    this.text = text
    this.issues = issues
  }
}

/** Thrown when the model repeats the same call and it fails every time. */
export class RepeatedFailureError extends TaskError {
  readonly toolName: string

  constructor(taskId: string, toolName: string, times: number, output: string) {
    super(
      'repeated_failure',
      taskId,
      `Task "${taskId}": the same call of tool "${toolName}" failed ${times} times in a row: ${output}`,
    )
    this.toolName = toolName
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

/** Thrown when the tokens already in use exceed the token limit of the memory. */
export class TokenLimitError extends AgentError {
  constructor(initial: number, limit: number) {
    super('token_limit', `Expected at most ${limit} tokens in use, received ${initial}.`)
  }
}

/** Thrown when a saved task cannot be read: it has another version, or is incomplete. */
export class SavedTaskError extends AgentError {
  constructor(message: string, options?: ToolkitErrorOptions) {
    super('saved_task', message, options)
  }
}

/** Thrown for a decision on a tool call that does not wait for one, and for a call that needs approval where no run can wait for it. */
export class ApprovalError extends AgentError {
  constructor(message: string) {
    super('approval', message)
  }
}

/** Thrown when the task waits for decisions on tool calls. Approve or reject them, then continue the task. */
export class ApprovalRequiredError extends TaskError {
  /** The waiting calls. */
  readonly calls: readonly PendingToolCall[]

  constructor(taskId: string, calls: readonly PendingToolCall[]) {
    const names = calls.map(({ name, id }) => `${name} (${id})`).join(', ')
    super('approval_required', taskId, `Task "${taskId}" waits for approval of: ${names}.`)
    this.calls = calls
  }
}

/** Thrown when a replayed run differs from its recording. */
export class ReplayMismatchError extends AgentError {
  /** Always true: the failure is never reported to a model as the failure of a tool. */
  readonly fatal = true

  constructor(message: string) {
    super('replay_mismatch', message)
  }
}

declare module '@x/core-model' {
  interface ToolkitErrors {
    abort: AbortError
    approval: ApprovalError
    approval_required: ApprovalRequiredError
    budget_exceeded: BudgetExceededError
    conversation_busy: ConversationBusyError
    cut_answer: CutAnswerError
    deadline_exceeded: DeadlineExceededError
    guard_blocked: GuardBlockedError
    invalid_agent_output: InvalidAgentOutputError
    invalid_output: InvalidOutputError
    invalid_step: InvalidStepError
    max_iterations: MaxIterationsError
    multiple_final_steps: MultipleFinalStepsError
    no_completed_step: NoCompletedStepError
    no_upcoming_step: NoUpcomingStepError
    nothing_to_undo: NothingToUndoError
    repeated_failure: RepeatedFailureError
    replay_mismatch: ReplayMismatchError
    saved_task: SavedTaskError
    step_not_found: StepNotFoundError
    step_not_last: StepNotLastError
    step_not_ready: StepNotReadyError
    task_already_exists: TaskAlreadyExistsError
    task_busy: TaskBusyError
    task_claimed: TaskClaimedError
    task_finalized: TaskFinalizedError
    task_not_found: TaskNotFoundError
    token_limit: TokenLimitError
  }
}
