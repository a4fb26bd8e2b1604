/**
 * @module
 * The runner that works on a task one step at a time.
 */
import { ConfigurationError } from '@x/core-model'
import { withAbortError } from '../abort.ts'
import { AgentState, TaskState } from '../agent-state.ts'
import { InvalidStepError, NoUpcomingStepError, StepNotReadyError, TaskBusyError } from '../errors.ts'
import type { Task } from '../task.ts'
import { isTaskStep, type TaskStep, type TaskStepOutput } from '../task-step.ts'
import type { ToolChoice } from '../worker/agent-worker.ts'
import {
  type Advance,
  BaseAgentRunner,
  type BaseAgentRunnerOptions,
  type ChatResponseMode,
  type RunStepOptions,
} from './base-agent-runner.ts'
import { Move } from './move.ts'

/** The options of a runner. */
export interface AgentRunnerOptions extends BaseAgentRunnerOptions<AgentState> {
  /** For every message that brings none of its own. @defaultValue 'auto' */
  defaultToolChoice?: ToolChoice | undefined
  /** Whether the worker reports its reasoning. @defaultValue false */
  verbose?: boolean | undefined
}

/** The options that agents hand on to their runner as they are. */
export const HANDED_ON = [
  'initTaskStateKwargs',
  'deleteTaskOnFinish',
  'maxFinishedTasks',
  'defaultToolChoice',
  'timeouts',
  'taskStore',
  'registry',
] as const

/** See {@link HANDED_ON}. */
export type HandedOnOptions = Pick<AgentRunnerOptions, (typeof HANDED_ON)[number]>

/** Those of the options that are given. */
export function pick<T extends object, K extends string>(
  options: T,
  keys: readonly K[],
): Partial<Pick<T, K & keyof T>> {
  return Object.fromEntries(Object.entries(options).filter(([key]) => keys.includes(key as K))) as never
}

/**
 * Owns a conversation and its tasks: makes tasks, runs their steps one by one, and gives the answers.
 *
 * A step that fails leaves the task as it was before it, so it can be run again.
 * @throws {ConfigurationError} when a memory and a chat history are given.
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
   * @throws {ConfigurationError} when an input and a step are given.
   * @throws {InvalidStepError} when the step is none, or one of another task.
   * @throws {NoUpcomingStepError} when there is nothing to run.
   * @throws {TaskBusyError} when a step of the task is running.
   */
  async runStep(taskId: string, options: RunStepOptions = {}): Promise<TaskStepOutput> {
    return this.runOnly(taskId, options, 'wait')
  }

  /** As `runStep`; an answer of the model is a streaming response. */
  async streamStep(taskId: string, options: RunStepOptions = {}): Promise<TaskStepOutput> {
    return this.runOnly(taskId, options, 'stream')
  }

  private runOnly(taskId: string, options: RunStepOptions, mode: ChatResponseMode): Promise<TaskStepOutput> {
    const { toolChoice, signal } = options
    const advance: Advance = { toolChoice: toolChoice ?? 'auto', mode, signal, onEvent: undefined }
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
    const move = new Move(state, [original], this.isAbandonable(advance))
    const fail = (error: unknown): never => {
      move.takeBack()
      throw error
    }
    // Takes its own failures back: `then(end).catch(fail)` would be a promise more for every step.
    const end = (output: TaskStepOutput): TaskStepOutput | Promise<TaskStepOutput> => {
      try {
        return this.record(move, [output], output.nextSteps)?.then(() => output, fail) ?? output
      } catch (error) {
        return fail(error)
      }
    }
    try {
      // The worker may change what it gets; the original stays for a second try.
      return Promise.resolve(this.runOne(original.copy({ input }), move.task, advance)).then(end, fail)
    } catch (error) {
      return fail(error)
    }
  }
}

/** @throws when what is given is no step of the task, or comes with an input. */
export function chosenStep(
  taskId: string,
  step: TaskStep | null | undefined,
  input: string | null | undefined,
): TaskStep | undefined {
  if (step === null || step === undefined) return undefined
  if (input !== null && input !== undefined) {
    throw new ConfigurationError('runStep: give an input or a step, not both; put the input into the step.')
  }
  if (!isTaskStep(step)) throw new InvalidStepError(`runStep: expected a TaskStep, got ${typeof step}.`)
  if (step.taskId !== taskId)
    throw new InvalidStepError(`runStep: step "${step.stepId}" belongs to task "${step.taskId}".`)
  return step
}
