/**
 * @module
 * What a worker is to a runner.
 */
import type { CallbackManager } from '@x/core-model'
import type { HasPrompts } from '@x/prompts'
import type { StepEvent } from '../agent-event.ts'
import type { Task } from '../task.ts'
import type { TaskStep, TaskStepOutput } from '../task-step.ts'

/**
 * Which tools a model may call: `auto` (it decides), `none`, `required` or `any` (some tool), the name of a tool, or an
 * object that is handed to the provider as it is.
 */
export type ToolChoice = string | Record<string, unknown>

/** What goes along with a step. */
export interface StepOptions {
  /** Workers that know no such thing ignore it. */
  toolChoice?: ToolChoice | undefined
  /** Cancels the step; handed to the model, the tools and the retrievers. */
  signal?: AbortSignal | undefined
  /** Hears what happens in the step, as it happens. */
  onEvent?: ((event: StepEvent) => void) | undefined
}

/**
 * Makes the first step of a task and runs single steps.
 *
 * A worker keeps nothing between steps but what is in `task.extraState` and `step.stepState`: that is what makes tasks
 * undoable, savable and parallel.
 */
export interface AgentWorker extends HasPrompts {
  initializeStep(task: Task): TaskStep | Promise<TaskStep>
  runStep(step: TaskStep, task: Task, options?: StepOptions): Promise<TaskStepOutput>
  /** As `runStep`, but the answer streams: the output of the last step is a streaming response. */
  streamStep(step: TaskStep, task: Task, options?: StepOptions): Promise<TaskStepOutput>
  /** Puts what the task has to say into its memory. */
  finalizeTask(task: Task): void | Promise<void>
  /** Whether this worker can go on with a saved extra state. @defaultValue any */
  readsState?(extraState: Readonly<Record<string, unknown>>): boolean
  /** Null while none is set. */
  readonly callbackManager: CallbackManager | null
  setCallbackManager(callbackManager: CallbackManager): void
}
