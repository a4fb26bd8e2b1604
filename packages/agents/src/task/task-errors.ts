/**
 * @module
 * The errors of tasks, their steps and their approvals.
 */
import { errorMessage } from '@x/core/values'
import type { ToolkitErrorOptions } from '@x/core-model'
import { AgentError, TaskError } from '../agent-error.ts'
import type { PendingToolCall } from './agent-event.ts'

/** Thrown when the runner has no task with this id. Check the id; after a restart, load or resume the task first. */
export class TaskNotFoundError extends TaskError {
  /** Whether the run must stop instead of reporting the error to the model. */
  declare readonly fatal?: true

  /** @param options.advice - what the caller can do. */
  constructor(taskId: string, { advice = '', fatal = false }: { advice?: string; fatal?: boolean } = {}) {
    super('task_not_found', taskId, `Task "${taskId}" does not exist.${advice && ` ${advice}`}`)
    if (fatal) (this as { fatal?: true }).fatal = true
  }
}

/**
 * Thrown when the id of a new task is already used, or a message with this id comes from another conversation than the task. Use another
 * id, or continue the task that exists.
 */
export class TaskAlreadyExistsError extends TaskError {
  /** @param where - where it exists, and what the caller can do. */
  constructor(taskId: string, where = '') {
    super('task_already_exists', taskId, `Task "${taskId}" already exists${where}.`)
  }
}

/** Thrown when an operation would change a finalized task. Its messages are already in the conversation. */
export class TaskFinalizedError extends TaskError {
  constructor(taskId: string, wanted: string) {
    super('task_finalized', taskId, `Task "${taskId}" is finalized; ${wanted}.`)
  }
}

/**
 * Thrown while a step of the task is running, or a change of it is being saved; by an engine, for a task that has not ended. Wait for the
 * end of the step, or cancel the task.
 */
export class TaskBusyError extends TaskError {
  /** @param state - what the task does, and what the caller can do. */
  constructor(taskId: string, state = 'is running a step; wait for it') {
    super('task_busy', taskId, `Task "${taskId}" ${state}.`)
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

/** Thrown when the task has no completed step with this id. Use the id of a step that `getCompletedSteps` returns. */
export class StepNotFoundError extends AgentError {
  readonly stepId: string

  constructor(taskId: string, stepId: string) {
    super('step_not_found', `Task "${taskId}" has no completed step "${stepId}".`)
    this.stepId = stepId
  }
}

/** Thrown for a value that is not a step. Pass a step that this task returned, or a number of completed steps. */
export class InvalidStepError extends AgentError {
  constructor(message: string) {
    super('invalid_step', message)
  }
}

/** Thrown when a step cannot run yet. Run the other steps first; the worker sets `isReady`. */
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

/** Thrown when the task has no step to run. Finalize the task if it is done, or create a new one. */
export class NoUpcomingStepError extends TaskError {
  constructor(taskId: string) {
    super('no_upcoming_step', taskId, `Task "${taskId}" has no upcoming step.`)
  }
}

/** Thrown when no step of the task has run. Run a step first. */
export class NoCompletedStepError extends TaskError {
  constructor(taskId: string) {
    super('no_completed_step', taskId, `Task "${taskId}" has no completed step.`)
  }
}

/** Thrown when the task has no step to undo. Undo only while the task has completed steps. */
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

/**
 * Thrown when a saved task cannot be read: it has another version, or is incomplete. Pass the JSON of a saved task unchanged, to an
 * agent of the same kind and of a version that can read it.
 */
export class SavedTaskError extends AgentError {
  constructor(message: string, options?: ToolkitErrorOptions) {
    super('saved_task', message, options)
  }
}

/** Returns the error of saved data that could not be read. @param where - the beginning of its message. */
export function unreadable(error: unknown, where = ''): SavedTaskError {
  return new SavedTaskError(where + errorMessage(error), { cause: error })
}

/**
 * Thrown for a decision on a tool call that does not wait for one, and for a call that needs approval where no run can wait for it.
 * Decide on calls that `getPendingApprovals` returns, each once; in a pipeline, use tools without `needsApproval`.
 */
export class ApprovalError extends AgentError {
  /** The tool of an approved call that the agent does not have; undefined for other reasons. */
  readonly missingTool: string | undefined

  constructor(message: string, missingTool?: string) {
    super('approval', message)
    this.missingTool = missingTool
  }
}

/** Thrown when the task waits for decisions on tool calls. Approve or reject them, then continue the task. */
export class ApprovalRequiredError extends TaskError {
  /** The waiting calls. */
  readonly calls: readonly PendingToolCall[]
  /** The saved task of an agent behind a tool; undefined if the agent has saved it in its own store. */
  readonly agentTask: unknown

  constructor(taskId: string, calls: readonly PendingToolCall[], agentTask?: unknown) {
    const names = calls.map(({ name, id }) => `${name} (${id})`).join(', ')
    super('approval_required', taskId, `Task "${taskId}" waits for approval of: ${names}.`)
    this.calls = calls
    this.agentTask = agentTask
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    approval: ApprovalError
    approval_required: ApprovalRequiredError
    invalid_step: InvalidStepError
    multiple_final_steps: MultipleFinalStepsError
    no_completed_step: NoCompletedStepError
    no_upcoming_step: NoUpcomingStepError
    nothing_to_undo: NothingToUndoError
    saved_task: SavedTaskError
    step_not_found: StepNotFoundError
    step_not_last: StepNotLastError
    step_not_ready: StepNotReadyError
    task_already_exists: TaskAlreadyExistsError
    task_busy: TaskBusyError
    task_claimed: TaskClaimedError
    task_finalized: TaskFinalizedError
    task_not_found: TaskNotFoundError
  }
}
