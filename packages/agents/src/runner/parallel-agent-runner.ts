/**
 * @module
 * The runner that runs all queued steps of a task concurrently.
 */

import { withAbortError } from '../abort.ts'
import { MultipleFinalStepsError, NoUpcomingStepError, StepNotReadyError, TaskBusyError } from '../errors.ts'
import type { ToolChoice } from '../loop/agent-worker.ts'
import { DAGAgentState, DAGTaskState } from '../task/agent-state.ts'
import { StepTransaction } from '../task/step-transaction.ts'
import type { Task } from '../task/task.ts'
import type { TaskStep, TaskStepOutput } from '../task/task-step.ts'
import { chosenStep } from './agent-runner.ts'
import {
  type Advance,
  BaseAgentRunner,
  type BaseAgentRunnerOptions,
  type ChatResponseMode,
  type RunStepOptions,
} from './base-agent-runner.ts'

/** Options of `ParallelAgentRunner`. */
export interface ParallelAgentRunnerOptions extends Omit<BaseAgentRunnerOptions<never>, 'state'> {
  state?: DAGAgentState | null | undefined
}

/**
 * Runs all queued steps of a task as one batch. Results do not depend on which step ends first: outputs and next steps are recorded in
 * the order of the queue.
 */
export class ParallelAgentRunner extends BaseAgentRunner<DAGTaskState> {
  constructor(options: ParallelAgentRunnerOptions) {
    super(options as BaseAgentRunnerOptions<DAGAgentState>, () => new DAGAgentState())
  }

  protected makeState(task: Task, firstStep: TaskStep): DAGTaskState {
    return new DAGTaskState({ task, rootStep: firstStep, stepQueue: [firstStep] })
  }

  protected firstToolChoice(given: ToolChoice | null | undefined): ToolChoice {
    return given ?? 'auto'
  }

  protected async advance(state: DAGTaskState, options: Advance): Promise<TaskStepOutput | undefined> {
    const { taskId } = state
    if (state.stepQueue.length === 0 && !state.busy) throw new NoUpcomingStepError(taskId)
    const outputs = await this.runBatch(state, options)
    const last = outputs.find(({ isLast }) => isLast)
    if (last && outputs.length > 1) throw new MultipleFinalStepsError(taskId, outputs.length)
    return last
  }

  /**
   * Runs all queued steps concurrently and returns the outputs in the order of the queue. If some steps fail, the others are completed,
   * the failed steps return to the front of the queue, and the first error is thrown.
   * @throws {StepNotReadyError} before anything runs, if a queued step is not ready.
   */
  async runStepsInQueue(
    taskId: string,
    options: { mode?: ChatResponseMode; toolChoice?: ToolChoice; signal?: AbortSignal; context?: unknown } = {},
  ): Promise<TaskStepOutput[]> {
    const { mode = 'wait', toolChoice = 'auto', signal, context } = options
    const advance: Advance = { mode, toolChoice, signal, context }
    return this.withAbortError(signal, () => this.runBatch(this.state.get(taskId), advance))
  }

  /** Runs one step: the step in the options, or the first of the queue. */
  runStep(taskId: string, options: RunStepOptions = {}): Promise<TaskStepOutput> {
    return this.run(taskId, options, 'wait')
  }

  /** Like `runStep`, but an answer of the model is a streaming response. */
  streamStep(taskId: string, options: RunStepOptions = {}): Promise<TaskStepOutput> {
    return this.run(taskId, options, 'stream')
  }

  private async run(taskId: string, options: RunStepOptions, mode: ChatResponseMode): Promise<TaskStepOutput> {
    const given = chosenStep(taskId, options.step, options.input)
    const state = this.state.get(taskId)
    const step = given ?? state.stepQueue[0]
    if (state.busy) throw new TaskBusyError(taskId)
    if (!step) throw new NoUpcomingStepError(taskId)
    const { toolChoice, signal, context } = options
    const advance: Advance = { toolChoice: toolChoice ?? 'auto', mode, signal, context }
    return (await this.withAbortError(signal, () => this.runBatch(state, advance, [step], options.input)))[0]!
  }

  private withAbortError(
    signal: AbortSignal | undefined,
    run: () => Promise<TaskStepOutput[]>,
  ): Promise<TaskStepOutput[]> {
    return withAbortError(signal, run, (outputs) => outputs.map(({ output }) => output))
  }

  private async runBatch(
    state: DAGTaskState,
    advance: Advance,
    steps: readonly TaskStep[] = state.stepQueue,
    input?: string | null,
  ): Promise<TaskStepOutput[]> {
    const { outputs, errors } = await this.runTogether(state, advance, steps, input)
    if (errors.length > 0) throw errors[0]
    return outputs
  }

  private async runTogether(
    state: DAGTaskState,
    advance: Advance,
    steps: readonly TaskStep[],
    input: string | null | undefined,
  ): Promise<{ outputs: TaskStepOutput[]; errors: unknown[] }> {
    if (state.busy) throw new TaskBusyError(state.taskId)
    if (steps.length === 0) return { outputs: [], errors: [] }
    const unready = steps.find(({ isReady }) => !isReady)
    if (unready) throw new StepNotReadyError(unready.stepId)
    const batch = [...steps]
    const transaction = new StepTransaction(state, batch, this.isAbandonable(advance))
    try {
      const running = batch.map(async (step) => this.runOne(state, step.copy({ input }), transaction.task, advance))
      const settled = await Promise.allSettled(running)
      const outputs = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      const errors = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
      // No step succeeded, so the task keeps its previous state.
      if (outputs.length === 0) throw errors[0]
      const failed = batch.filter((_, i) => settled[i]!.status === 'rejected')
      const queued = outputs.flatMap(({ nextSteps }) => nextSteps.filter(({ isReady }) => isReady))
      await this.record(transaction, outputs, queued, failed)
      return { outputs, errors }
    } catch (error) {
      transaction.rollBack()
      throw error
    }
  }
}
