/**
 * @module
 * The contract between a runner and its worker.
 */
import type { CallbackManager } from '@x/core-model'
import type { HasPrompts } from '@x/prompts'
import type { PendingToolCall } from '../task/agent-event.ts'
import type { Approval } from '../task/approval-record.ts'
import type { StepContext } from '../task/step-context.ts'
import type { Task } from '../task/task.ts'
import type { TaskStep } from '../task/task-step.ts'
import type { TaskStepOutput } from '../task/task-step-output.ts'

/**
 * The tools that a model may call: `auto` (the model decides), `none`, `required` or `any` (at least one), the name of a tool, or an
 * object that is passed to the provider unchanged.
 */
export type ToolChoice<ToolName extends string = string> =
  | 'auto'
  | 'none'
  | 'required'
  | 'any'
  | ToolName
  | Record<string, unknown>

/** Options of a step. A runner passes the whole context of the step. */
export interface StepOptions extends Partial<StepContext> {
  /** Workers without tool choice ignore it. */
  readonly toolChoice?: ToolChoice | undefined
}

/**
 * Creates the first step of a task and runs single steps.
 *
 * Between steps, a worker keeps state only in `task.extraState` and `step.stepState`. Therefore tasks can be undone, saved and run in
 * parallel.
 */
export interface AgentWorker extends HasPrompts {
  initializeStep(task: Task): TaskStep | Promise<TaskStep>
  runStep(step: TaskStep, task: Task, options?: StepOptions): Promise<TaskStepOutput>
  /** Like `runStep`, but the output of the last step is a streaming response. */
  streamStep(step: TaskStep, task: Task, options?: StepOptions): Promise<TaskStepOutput>
  /** Adds the messages of the task to its memory. */
  finalizeTask(task: Task): void | Promise<void>
  /** Adds the messages of a finished task to its memory, when the task is loaded. @defaultValue `finalizeTask` */
  addMessagesOnLoad?(task: Task): void | Promise<void>
  /**
   * Returns a call that waits as an approved one. Checks new arguments like those of the model, and updates the state of the task so that
   * the conversation shows the call that will run. @defaultValue only the call changes
   */
  approveCall?(call: PendingToolCall, approval: Approval, task: Task): PendingToolCall | Promise<PendingToolCall>
  /** Whether this worker can continue with a saved extra state. @defaultValue every state is accepted */
  readsState?(extraState: Readonly<Record<string, unknown>>): boolean
  /** Called after steps of a task were undone, and before a fork begins, with the id of its original. @defaultValue nothing happens */
  restored?(task: Task, origin?: string): void | Promise<void>
  /**
   * Whether a message of the user may be refused. If its run ends before `onInput` of the step has received it, later tasks of its
   * conversation do not contain it. @defaultValue false
   */
  readonly holdsInput?: boolean
  /** Whether users do not see the reasoning of the model, also when their page is loaded. @defaultValue false */
  readonly holdsReasoning?: boolean
  /** Null until it is set. */
  readonly callbackManager: CallbackManager | null
  setCallbackManager(callbackManager: CallbackManager): void
}
