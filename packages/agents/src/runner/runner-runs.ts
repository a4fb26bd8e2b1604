/**
 * @module
 * Runs single steps, and tasks from their current step to the answer. The runner documents the operations.
 */

import { ConfigurationError, isToolkitError } from '@x/core-model'
import { withDeadline } from '@x/core-model/async'
import { DeadlineExceededError, withUsage } from '../agent-error.ts'
import { asStream, isStreamingResponse, streamEnd } from '../answer/chat-answer.ts'
import type { TaskState } from '../task/agent-state.ts'
import { stoppingCalls } from '../task/approvals.ts'
import type { JournalPort } from '../task/durable.ts'
import { conversationIdOf } from '../task/task.ts'
import {
  ApprovalRequiredError,
  InvalidStepError,
  MultipleFinalStepsError,
  NoUpcomingStepError,
  TaskBusyError,
  TaskNotFoundError,
} from '../task/task-errors.ts'
import { isTaskStep, type TaskStep } from '../task/task-step.ts'
import type { TaskStepOutput } from '../task/task-step-output.ts'
import { inAgentEvent } from './callback-events.ts'
import { OpenConversations } from './conversation.ts'
import { type Answer, finalizeTask } from './finalizing.ts'
import {
  type BaseAgentRunnerOptions,
  type ChatResponseMode,
  type RunStepOptions,
  type RunTaskOptions,
  type RunTimeouts,
  runOptions,
  type StepRunOptions,
} from './runner-options.ts'
import { type RunnerFields, type RunnerTasks, twoJournals } from './runner-tasks.ts'
import { SharedRuns, withAbortError } from './shared-runs.ts'
import { StepRunner } from './step-runner.ts'
import { TurnRecorder } from './turn-recorder.ts'

/** What begins with a run. */
interface RunStart {
  message: unknown
  taskId: string
  memory: object
}
type RunOuter = Pick<RunTaskOptions, 'signal' | 'parentId'>
type RunWork = (signal: AbortSignal | undefined, parentId: string | undefined) => Promise<Answer>

/** The runs of a runner: whole tasks and single steps. */
export class RunnerRuns<State extends TaskState = TaskState> {
  readonly conversations = new OpenConversations()
  /** The runs that others can join by the id of their task. */
  readonly shared = new SharedRuns()
  private readonly runner: RunnerFields<State>
  private readonly tasks: RunnerTasks<State>
  private readonly batches: boolean
  private readonly timeouts: RunTimeouts
  private readonly steps: StepRunner<State>

  /** @param batches - whether all queued steps run together. */
  constructor(
    runner: RunnerFields<State>,
    tasks: RunnerTasks<State>,
    {
      timeouts = {},
      maxUndo = 100,
      now = Date.now,
    }: Pick<BaseAgentRunnerOptions<never>, 'timeouts' | 'maxUndo' | 'now'>,
    batches: boolean,
  ) {
    this.runner = runner
    this.tasks = tasks
    this.batches = batches
    this.timeouts = timeouts
    const steps = { batches, timeouts, maxUndo: maxUndo ?? Number.POSITIVE_INFINITY, now }
    this.steps = new StepRunner(runner, tasks, steps)
  }

  /** Runs the remaining steps of a task, in a run that others can join. */
  async runTask(taskId: string, given: RunTaskOptions | undefined, mode: ChatResponseMode): Promise<Answer> {
    const options = runOptions('runTask', given)
    // Whoever joins a run of an engine finds its events there.
    const isSilent = !options.onEvent && this.portOf(options.durable)
    return this.shared.begin(taskId, options.onEvent, (onEvent) =>
      this.runToEnd(taskId, isSilent ? options : { ...options, onEvent }, mode),
    )
  }

  async runToEnd(taskId: string, options: RunTaskOptions, mode: ChatResponseMode): Promise<Answer> {
    const { task, busy } = this.runner.state.get(taskId)
    const message = task.inputMessage ?? task.input
    const run = () =>
      // Looked up by id, because the task may be deleted before the run starts.
      this.withDeadline({ message, taskId, memory: task.memory }, options, (signal, parentId) =>
        this.finish(this.runner.state.get(taskId), { ...options, signal, parentId }, mode),
      )
    // If the task is busy, the run throws TaskBusyError, or returns the answer that is streaming.
    return busy ? run() : this.conversations.use(task.memory, run)
  }

  /**
   * Runs `work` within the time limit of runs. Steps stop when the signal aborts, and are rolled back before the run ends. An error has the
   * usage of the task, which counts as ended then.
   */
  async withDeadline(run: RunStart, outer: RunOuter, work: RunWork): Promise<Answer> {
    const { table } = this.tasks
    const noted = (error: unknown) => {
      const state = table.find(run.taskId)
      const goesOn = isToolkitError(error, 'approval_required') || isToolkitError(error, 'task_busy')
      if (state && !goesOn) table.recordEnded(state)
      return withUsage(error, state?.task.extraState['usage'])
    }
    try {
      const answer = await this.within(run, outer, work)
      if (isStreamingResponse(answer)) answer.mapError(noted)
      return answer
    } catch (error) {
      throw noted(error)
    }
  }

  private within({ message, taskId, memory }: RunStart, outer: RunOuter, work: RunWork): Promise<Answer> {
    const { callbackManager } = this.runner
    const { parentId = 'root' } = outer
    const { totalMs } = this.timeouts
    const isTraced = callbackManager.handlers.length > 0
    if (!isTraced && !outer.signal && totalMs == null) return work(undefined, parentId)
    const conversationId = conversationIdOf(memory)
    const start = {
      messages: [message],
      task_id: taskId,
      ...(conversationId !== undefined && { conversation_id: conversationId }),
    }
    const run = (signal: AbortSignal | undefined) =>
      isTraced
        ? inAgentEvent(callbackManager, { ...start, parentId: outer.parentId }, ({ id }) => work(signal, id))
        : work(signal, parentId)
    const error = () => new DeadlineExceededError('The run', totalMs ?? 0)
    const deadline = { milliseconds: totalMs, signal: outer.signal, error, untilSettled: streamEnd }
    return withAbortError(
      outer.signal,
      async () => withDeadline<Answer>(deadline, run),
      (answer) => [answer],
    )
  }

  /** Runs the remaining steps of a task and finalizes it. */
  async finish(state: State, options: RunTaskOptions, mode: ChatResponseMode): Promise<Answer> {
    const { signal } = options
    const durable = this.portOf(options.durable)
    const isNew = state.completedSteps.length === 0
    const toolChoice = options.toolChoice ?? ((isNew && this.runner.defaultToolChoice) || 'auto')
    this.tasks.table.recordRun(state)
    const recorder = TurnRecorder.of(state, this.runner.agentWorker, durable !== undefined)
    const onEvent = recorder?.through(options.onEvent) ?? options.onEvent
    const { accepts: onInput, begun } = recorder ?? {}
    const run: StepRunOptions = { ...options, onEvent, onInput, begun, toolChoice, mode, signal, durable }
    try {
      await recorder?.begin()
      const answer = await this.toAnswer(state, run, recorder)
      if (recorder && isStreamingResponse(answer))
        void answer.whenDone(
          () => {},
          (error) => recorder.end(error, signal),
        )
      return mode === 'stream' ? asStream(answer) : answer
    } catch (error) {
      // The error of the run is the one to report.
      await recorder?.end(error, signal).catch(() => {})
      throw error
    }
  }

  private async toAnswer(state: State, run: StepRunOptions, recorder: TurnRecorder | undefined): Promise<Answer> {
    const { taskId } = state.task
    const { signal, durable } = run
    let output = state.completedSteps.at(-1)
    while (!output?.isLast) {
      const outputs = await this.advance(state, run)
      if (outputs.length > 1 && outputs.some(({ isLast }) => isLast))
        throw new MultipleFinalStepsError(taskId, outputs.length)
      // The caller cancelled while the step was being saved.
      signal?.throwIfAborted()
      output = outputs.find(({ isLast }) => isLast)
      // The task was deleted in the meantime; another one may have its id.
      if (this.tasks.table.find(taskId) !== state) throw new TaskNotFoundError(taskId)
      const waiting = stoppingCalls(state, outputs)
      if (waiting.length > 0) throw new ApprovalRequiredError(taskId, waiting)
      // A tool choice is forced only once; otherwise the task would never end.
      run.toolChoice = 'auto'
      if (!output) await recorder?.stepDone()
    }
    return this.finalize(taskId, output, durable, recorder)
  }

  /** @param durable - the engine that saves the calls of the run. */
  finalize(
    taskId: string,
    output: TaskStepOutput | null | undefined,
    durable = this.tasks.durable,
    recorder?: TurnRecorder,
  ): Promise<Answer> {
    const { state, agentWorker } = this.runner
    const { table } = this.tasks
    return finalizeTask(state.get(taskId), output, { taskTable: table, worker: agentWorker, engine: durable, recorder })
  }

  /** The port of a run. @throws {ConfigurationError} if the runner also has a task store. */
  private portOf(durable: JournalPort | undefined): JournalPort | undefined {
    if (durable && this.tasks.store) throw twoJournals('runTask')
    return durable ?? this.tasks.durable
  }

  /** Runs the next step or batch. */
  private advance(state: State, run: StepRunOptions): Promise<TaskStepOutput[]> {
    const steps = this.batches ? state.stepQueue : state.stepQueue.slice(0, 1)
    if (steps.length === 0 && !state.busy) throw new NoUpcomingStepError(state.task.taskId)
    return this.steps.run(state, steps, run)
  }

  /** Runs the chosen step, or the first of the queue. */
  async runStep(taskId: string, given: RunStepOptions | undefined, mode: ChatResponseMode): Promise<TaskStepOutput> {
    const options = runOptions('runStep', given)
    const { step: wanted, input } = options
    const chosen = wanted ? chosenStep(taskId, wanted, input) : undefined
    const state = this.runner.state.get(taskId)
    const step = chosen ?? state.stepQueue[0]
    // A step that runs is not in the queue.
    if (!step) throw state.busy ? new TaskBusyError(taskId) : new NoUpcomingStepError(taskId)
    const outputs = await this.runSteps(state, [step], options, mode)
    return outputs[0]!
  }

  /** Runs steps together, which throw an {@link AbortError} when the signal of the caller aborts. */
  async runSteps(
    state: State,
    steps: readonly TaskStep[],
    options: RunStepOptions,
    mode: ChatResponseMode,
  ): Promise<TaskStepOutput[]> {
    const { signal, toolChoice } = options
    const run = { ...options, toolChoice: toolChoice ?? 'auto', mode, signal, durable: this.portOf(options.durable) }
    const start = () => this.steps.run(state, steps, run, options.input)
    try {
      return await (signal ? withAbortError(signal, start, (outputs) => outputs.map(({ output }) => output)) : start())
    } catch (error) {
      throw withUsage(error, state.task.extraState['usage'])
    }
  }
}

/** @throws if the value is not a step of the task, or is passed together with an input. */
function chosenStep(taskId: string, step: TaskStep, input: string | null | undefined): TaskStep {
  if (input !== null && input !== undefined) {
    throw new ConfigurationError('runStep: input and step cannot be combined; put the input into the step.')
  }
  if (!isTaskStep(step)) throw new InvalidStepError(`runStep: expected a TaskStep, received ${typeof step}.`)
  if (step.taskId !== taskId)
    throw new InvalidStepError(`runStep: step "${step.stepId}" belongs to task "${step.taskId}".`)
  return step
}
