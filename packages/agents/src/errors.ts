/**
 * @module
 * The errors of this package. Each says who must act: the caller, the model, or a collaborator such as a tool.
 */

import { ToolkitError, type ToolkitErrorOptions } from '@x/core-model'
import type { PendingToolCall } from './agent-event.ts'

/** The name follows from the code: `task_not_found` is the code of a `TaskNotFoundError`. */
abstract class AgentError extends ToolkitError {
  constructor(code: string, message: string, options?: ToolkitErrorOptions) {
    const name = code.replace(/^react/, 'reAct').replace(/(?:^|_)./g, (start) => start.slice(-1).toUpperCase())
    super(`${name}Error`, code, message, options)
  }
}

/** An error that tells of which task it is. */
abstract class TaskError extends AgentError {
  readonly taskId: string

  constructor(code: string, taskId: string, message: string) {
    super(code, message)
    this.taskId = taskId
  }
}

/** The runner knows no task with that id. */
export class TaskNotFoundError extends TaskError {
  constructor(taskId: string) {
    super('task_not_found', taskId, `There is no task "${taskId}".`)
  }
}

/** The id of a new task is taken. */
export class TaskAlreadyExistsError extends TaskError {
  constructor(taskId: string) {
    super('task_already_exists', taskId, `There is a task "${taskId}" already.`)
  }
}

/** The task is finalized: its messages are in the conversation and it cannot change any more. */
export class TaskFinalizedError extends TaskError {
  constructor(taskId: string, wanted: string) {
    super('task_finalized', taskId, `Task "${taskId}" is finalized; ${wanted}.`)
  }
}

/** A step of the task is running. */
export class TaskBusyError extends TaskError {
  constructor(taskId: string) {
    super('task_busy', taskId, `Task "${taskId}" is running a step; wait for it.`)
  }
}

/** The task has no such completed step. */
export class StepNotFoundError extends AgentError {
  readonly stepId: string

  constructor(taskId: string, stepId: string) {
    super('step_not_found', `Task "${taskId}" has no completed step "${stepId}".`)
    this.stepId = stepId
  }
}

/** What was given as a step is none. */
export class InvalidStepError extends AgentError {
  constructor(message: string) {
    super('invalid_step', message)
  }
}

/** The step waits for something and cannot run yet. */
export class StepNotReadyError extends AgentError {
  readonly stepId: string

  constructor(stepId: string, message = `Step "${stepId}" is not ready to run.`) {
    super('step_not_ready', message)
    this.stepId = stepId
  }
}

/** Only the output of a last step can be finalized. */
export class StepNotLastError extends TaskError {
  constructor(taskId: string) {
    super('step_not_last', taskId, `Task "${taskId}": the step output is not the last one; run more steps first.`)
  }
}

/** The task has no step to run. */
export class NoUpcomingStepError extends TaskError {
  constructor(taskId: string) {
    super('no_upcoming_step', taskId, `Task "${taskId}" has no upcoming step.`)
  }
}

/** No step of the task has run. */
export class NoCompletedStepError extends TaskError {
  constructor(taskId: string) {
    super('no_completed_step', taskId, `Task "${taskId}" has no completed step.`)
  }
}

/** No step of the task can be taken back. */
export class NothingToUndoError extends TaskError {
  constructor(taskId: string) {
    super('nothing_to_undo', taskId, `Task "${taskId}" has no completed step to undo.`)
  }
}

/** A batch of parallel steps ended with something besides its final output. */
export class MultipleFinalStepsError extends TaskError {
  constructor(taskId: string, outputs: number) {
    super(
      'multiple_final_steps',
      taskId,
      `Task "${taskId}": the final batch has ${outputs} outputs; a final step must run alone.`,
    )
  }
}

/** A worker gave something that is no chat response. */
export class InvalidAgentOutputError extends AgentError {
  constructor(message: string) {
    super('invalid_agent_output', message)
  }
}

/** The model was called as often as allowed without an answer. The task is open and can go on with a larger limit. */
export class MaxIterationsError extends TaskError {
  /** Text of the last step output; null when there is none. */
  readonly lastOutput: string | null

  constructor(taskId: string, limit: string, lastOutput: string | null) {
    super('max_iterations', taskId, `Task "${taskId}": no answer within ${limit}.`)
    this.lastOutput = lastOutput
  }
}

/** A budget of the task is used up. The task is open and can go on with a larger one. */
export class BudgetExceededError extends TaskError {
  constructor(taskId: string, message: string) {
    super('budget_exceeded', taskId, `Task "${taskId}": ${message}.`)
  }
}

/** The model makes the same call again and again, and it fails every time. */
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

/** The model calls a tool that does not exist. */
export class ToolNotFoundError extends AgentError {
  readonly toolName: string

  constructor(toolName: string, available: readonly string[]) {
    const known = available.length > 0 ? `available are: ${available.join(', ')}` : 'no tools are available'
    super('tool_not_found', `There is no tool "${toolName}"; ${known}.`)
    this.toolName = toolName
  }
}

/** The arguments do not fit the tool. */
export class ToolInputError extends AgentError {
  readonly toolName: string
  /** What is wrong, argument by argument. */
  readonly issues: readonly { readonly path: string; readonly message: string }[]

  constructor(toolName: string, issues: readonly { path: string; message: string }[], options?: ToolkitErrorOptions) {
    const faults = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ')
    super('tool_input', `Tool "${toolName}": ${faults}.`, options)
    this.toolName = toolName
    this.issues = issues
  }
}

/** A tool failed. `cause` is its own error. */
export class ToolExecutionError extends AgentError {
  readonly toolName: string
  /** Whether the run must stop instead of telling the model. */
  readonly fatal: boolean

  constructor(toolName: string, message: string, options?: ToolkitErrorOptions & { fatal?: boolean }) {
    super('tool_execution', `Tool "${toolName}" failed: ${message}`, options)
    this.toolName = toolName
    this.fatal = options?.fatal ?? false
  }
}

/** A tool took longer than allowed. */
export class ToolTimeoutError extends AgentError {
  readonly toolName: string
  readonly milliseconds: number

  constructor(toolName: string, milliseconds: number) {
    super('tool_timeout', `Tool "${toolName}" took longer than ${milliseconds} ms.`)
    this.toolName = toolName
    this.milliseconds = milliseconds
  }
}

/** A step or a run took longer than allowed. The task is as it was before the step and can be continued. */
export class DeadlineExceededError extends AgentError {
  readonly milliseconds: number

  constructor(what: string, milliseconds: number) {
    super('deadline_exceeded', `${what} took longer than ${milliseconds} ms.`)
    this.milliseconds = milliseconds
  }
}

/** The arguments of a tool call cannot be read. The model must act: show it the message. */
export class ToolArgumentsError extends AgentError {
  /** What the model wrote. */
  readonly text: string

  constructor(message: string, text: string, code: 'tool_arguments' | 'react_parse' = 'tool_arguments') {
    super(code, message)
    this.text = text
  }
}

/** The text of a ReAct model contains neither a tool call that can be read nor an answer. */
export class ReActParseError extends ToolArgumentsError {
  constructor(message: string, text: string) {
    super(message, text, 'react_parse')
  }
}

/** A tool that is offered to a model needs a name. */
export class ToolNameError extends AgentError {
  constructor() {
    super('tool_name', 'ToolMetadata.name: a tool that is offered to a model needs a name.')
  }
}

/** A tool that is described to a model needs a schema. */
export class ToolSchemaError extends AgentError {
  constructor(message: string, options?: ToolkitErrorOptions) {
    super('tool_schema', message, options)
  }
}

/** The caller has cancelled the operation. `cause` is the reason of the signal. */
export class AbortError extends AgentError {
  constructor(cause: unknown) {
    super('abort', 'The operation was aborted.', { cause })
  }
}

/** More tokens are asked for than the memory may give. */
export class TokenLimitError extends AgentError {
  constructor(initial: number, limit: number) {
    super('token_limit', `${initial} tokens are in use already, more than the limit of ${limit}.`)
  }
}

/** A saved task cannot be read: another version, or not complete. */
export class SavedTaskError extends AgentError {
  constructor(message: string, options?: ToolkitErrorOptions) {
    super('saved_task', message, options)
  }
}

/** A decision names no tool call that waits for one, or a call needs one where nobody can be waited for. */
export class ApprovalError extends AgentError {
  constructor(message: string) {
    super('approval', message)
  }
}

/** The task waits for decisions on tool calls: approve or reject them, then run the task on. */
export class ApprovalRequiredError extends TaskError {
  /** The calls that wait. */
  readonly calls: readonly PendingToolCall[]

  constructor(taskId: string, calls: readonly PendingToolCall[]) {
    const names = calls.map(({ name, id }) => `${name} (${id})`).join(', ')
    super('approval_required', taskId, `Task "${taskId}" waits for approval of: ${names}.`)
    this.calls = calls
  }
}

/** A replayed run differs from its record. */
export class ReplayMismatchError extends AgentError {
  /** Never told to a model as the failure of a tool. */
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
    deadline_exceeded: DeadlineExceededError
    invalid_agent_output: InvalidAgentOutputError
    invalid_step: InvalidStepError
    max_iterations: MaxIterationsError
    multiple_final_steps: MultipleFinalStepsError
    no_completed_step: NoCompletedStepError
    no_upcoming_step: NoUpcomingStepError
    nothing_to_undo: NothingToUndoError
    react_parse: ReActParseError
    repeated_failure: RepeatedFailureError
    replay_mismatch: ReplayMismatchError
    saved_task: SavedTaskError
    step_not_found: StepNotFoundError
    step_not_last: StepNotLastError
    step_not_ready: StepNotReadyError
    task_already_exists: TaskAlreadyExistsError
    task_busy: TaskBusyError
    task_finalized: TaskFinalizedError
    task_not_found: TaskNotFoundError
    token_limit: TokenLimitError
    tool_arguments: ToolArgumentsError
    tool_execution: ToolExecutionError
    tool_input: ToolInputError
    tool_name: ToolNameError
    tool_not_found: ToolNotFoundError
    tool_schema: ToolSchemaError
    tool_timeout: ToolTimeoutError
  }
}
