/**
 * @module
 * The runner that runs the steps of a task one by one.
 */
import { ConfigurationError } from '@x/core-model'
import { withAbortError } from '../abort.ts'
import { InvalidStepError, NoUpcomingStepError, StepNotReadyError, TaskBusyError } from '../errors.ts'
import type { ToolChoice } from '../loop/agent-worker.ts'
import { AgentState, TaskState } from '../task/agent-state.ts'
import { StepTransaction } from '../task/step-transaction.ts'
import type { Task } from '../task/task.ts'
import { isTaskStep, type TaskStep, type TaskStepOutput } from '../task/task-step.ts'
import {
  type Advance,
  BaseAgentRunner,
  type BaseAgentRunnerOptions,
  type ChatResponseMode,
  type RunStepOptions,
} from './base-agent-runner.ts'

/** Options of `AgentRunner`. */
export interface AgentRunnerOptions extends BaseAgentRunnerOptions<AgentState> {
  /** The tool choice of messages without their own. @defaultValue 'auto' */
  defaultToolChoice?: ToolChoice | undefined
  /** Whether the worker reports its reasoning. @defaultValue false */
  verbose?: boolean | undefined
}

/** The names of the options that agents pass to their runner unchanged. */
export const RUNNER_OPTION_NAMES = [
  'initTaskStateKwargs',
  'deleteTaskOnFinish',
  'maxFinishedTasks',
  'defaultToolChoice',
  'timeouts',
  'taskStore',
  'registry',
  'now',
  'durable',
] as const

/** See {@link RUNNER_OPTION_NAMES}. */
export type RunnerOptionsOfAgent = Pick<AgentRunnerOptions, (typeof RUNNER_OPTION_NAMES)[number]>

/** Returns the options with these names that are set. */
export function pick<T extends object, K extends string>(
  options: T,
  keys: readonly K[],
): Partial<Pick<T, K & keyof T>> {
  return Object.fromEntries(Object.entries(options).filter(([key]) => keys.includes(key as K))) as never
}

/**
 * Owns a conversation and its tasks: creates tasks, runs their steps one by one, and returns the answers.
 *
 * If a step fails, the task has the state that it had before the step, so the step can run again.
 * @throws {ConfigurationError} if a memory and a chat history are passed.
 * @example
 * const agentWorker = new ReActAgentWorker({ llm: new ScriptedLLM({ answers: ['Answer: four'] }) })
 * const runner = new AgentRunner({ agentWorker })
 * const { taskId } = await runner.createTask('How much is 2 + 2?')
 * const output = await runner.runStep(taskId)
 * output.isLast // => true
 * String(await runner.finalizeResponse(taskId)) // => 'four'
 */
export class AgentRunner extends BaseAgentRunner {
  defaultToolChoice: ToolChoice
  readonly verbose: boolean

  constructor(options: AgentRunnerOptions) {
    super(options, () => new AgentState())
    if (options.callbackManager) options.agentWorker.setCallbackManager(options.callbackManager)
    this.defaultToolChoice = options.defaultToolChoice ?? 'auto'
    this.verbose = options.verbose ?? false
  }

  protected makeState(task: Task, firstStep: TaskStep): TaskState {
    return new TaskState({ task, stepQueue: [firstStep] })
  }

  protected firstToolChoice(given: ToolChoice | null | undefined): ToolChoice {
    return given ?? this.defaultToolChoice
  }

  protected advance(state: TaskState, options: Advance): Promise<TaskStepOutput> {
    return this.run(state.task.taskId, {}, options)
  }

  /**
   * Runs one step of a task.
   * @throws {ConfigurationError} if an input and a step are passed.
   * @throws {InvalidStepError} if the value is not a step, or is a step of another task.
   * @throws {NoUpcomingStepError} if the task has no step to run.
   * @throws {TaskBusyError} if a step of the task is running.
   */
  async runStep(taskId: string, options: RunStepOptions = {}): Promise<TaskStepOutput> {
    return this.runOnly(taskId, options, 'wait')
  }

  /** Like `runStep`, but an answer of the model is a streaming response. */
  async streamStep(taskId: string, options: RunStepOptions = {}): Promise<TaskStepOutput> {
    return this.runOnly(taskId, options, 'stream')
  }

  private runOnly(taskId: string, options: RunStepOptions, mode: ChatResponseMode): Promise<TaskStepOutput> {
    const { toolChoice, signal, context } = options
    const advance: Advance = { toolChoice: toolChoice ?? 'auto', mode, signal, context }
    return withAbortError(
      signal,
      () => this.run(taskId, options, advance),
      ({ output }) => [output],
    )
  }

  private run(taskId: string, { input, step: given }: RunStepOptions, advance: Advance): Promise<TaskStepOutput> {
    const step = chosenStep(taskId, given, input)
    const state = this.state.get(taskId)
    if (state.busy) throw new TaskBusyError(taskId)
    const original = step ?? state.stepQueue[0]
    if (!original) throw new NoUpcomingStepError(taskId)
    if (!original.isReady) throw new StepNotReadyError(original.stepId)
    const transaction = new StepTransaction(state, [original], this.isAbandonable(advance))
    const fail = (error: unknown): never => {
      transaction.rollBack()
      throw error
    }
    // Rolls back its own failures: `then(end).catch(fail)` would need one more promise per step.
    const end = (output: TaskStepOutput): TaskStepOutput | Promise<TaskStepOutput> => {
      try {
        return this.record(transaction, [output], output.nextSteps)?.then(() => output, fail) ?? output
      } catch (error) {
        return fail(error)
      }
    }
    try {
      // The worker may change its copy; the original is kept for another attempt.
      return Promise.resolve(this.runOne(state, original.copy({ input }), transaction.task, advance)).then(end, fail)
    } catch (error) {
      return fail(error)
    }
  }
}

/** @throws if the value is not a step of the task, or is passed together with an input. */
export function chosenStep(
  taskId: string,
  step: TaskStep | null | undefined,
  input: string | null | undefined,
): TaskStep | undefined {
  if (step === null || step === undefined) return undefined
  if (input !== null && input !== undefined) {
    throw new ConfigurationError('runStep: input and step cannot be combined; put the input into the step.')
  }
  if (!isTaskStep(step)) throw new InvalidStepError(`runStep: expected a TaskStep, received ${typeof step}.`)
  if (step.taskId !== taskId)
    throw new InvalidStepError(`runStep: step "${step.stepId}" belongs to task "${step.taskId}".`)
  return step
}
