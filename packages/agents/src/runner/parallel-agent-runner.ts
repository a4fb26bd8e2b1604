/**
 * @module
 * The runner that runs all queued steps of a task concurrently.
 */
import { checkOptions } from '@x/core/options'
import { DAGAgentState, DAGTaskState } from '../task/agent-state.ts'
import type { Task } from '../task/task.ts'
import type { TaskStep } from '../task/task-step.ts'
import type { TaskStepOutput } from '../task/task-step-output.ts'
import type { TypedTool } from '../tool/base-tool.ts'
import { BaseAgentRunner } from './agent-runner.ts'
import {
  BASE_RUNNER_OPTIONS,
  type BaseAgentRunnerOptions,
  type ChatResponseMode,
  type RunArguments,
  type RunTaskOptions,
} from './runner-options.ts'

/** Options of `ParallelAgentRunner`. */
interface ParallelAgentRunnerOptions extends Omit<BaseAgentRunnerOptions<never>, 'state'> {
  state?: DAGAgentState | null | undefined
}

/**
 * Runs all queued steps of a task as one batch. Results do not depend on which step ends first: outputs and next steps are recorded in
 * the order of the queue.
 */
export class ParallelAgentRunner<
  Context = unknown,
  Output = unknown,
  ToolName extends string = string,
  ExtraState extends object = Record<string, unknown>,
  Tools extends readonly TypedTool[] = readonly TypedTool[],
> extends BaseAgentRunner<DAGTaskState, Context, Output, ToolName, ExtraState, Tools> {
  constructor(options: ParallelAgentRunnerOptions) {
    checkOptions('ParallelAgentRunner', options, BASE_RUNNER_OPTIONS)
    super(options as BaseAgentRunnerOptions<DAGAgentState>, {
      emptyState: () => new DAGAgentState(),
      makeState,
      batches: true,
    })
  }

  /**
   * Runs all queued steps concurrently and returns the outputs in the order of the queue. If some steps fail, the others are completed,
   * the failed steps return to the front of the queue, and the first error is thrown.
   * @throws {StepNotReadyError} before anything runs, if a queued step is not ready.
   */
  async runStepsInQueue(
    taskId: string,
    ...[options]: RunArguments<RunTaskOptions<Context, ToolName> & { mode?: ChatResponseMode }, Context>
  ): Promise<TaskStepOutput[]> {
    const { mode = 'wait', ...run } = options ?? {}
    const state = this.state.get(taskId)
    return this.runs.runSteps(state, state.stepQueue, run, mode)
  }
}

function makeState(task: Task, firstStep: TaskStep): DAGTaskState {
  return new DAGTaskState({ task, rootStep: firstStep, stepQueue: [firstStep] })
}
