/**
 * @module
 * Runs single steps, and tasks from their current step to the answer.
 */
import { withDeadline } from '@x/core-model/async'
import { withAbortError } from '../abort.ts'
import { DeadlineExceededError } from '../agent-error.ts'
import type { AgentChatResponse } from '../answer/agent-chat-response.ts'
import { streamOf } from '../answer/is-chat-response.ts'
import { asStream, type StreamingAgentChatResponse } from '../answer/streaming-chat-response.ts'
import type { ToolChoice } from '../loop/agent-worker.ts'
import type { AgentState, TaskState } from '../task/agent-state.ts'
import { waitingCalls } from '../task/approvals.ts'
import type { JournalPort } from '../task/durable.ts'
import {
  ApprovalRequiredError,
  MultipleFinalStepsError,
  NoUpcomingStepError,
  TaskBusyError,
} from '../task/task-errors.ts'
import type { TaskStep } from '../task/task-step.ts'
import type { TaskStepOutput } from '../task/task-step-output.ts'
import { inAgentEvent } from './callback-events.ts'
import { chosenStep } from './chosen-step.ts'
import { OpenConversations } from './conversation.ts'
import { type Answer, finalizeTask } from './finalizing.ts'
import {
  type BaseAgentRunnerOptions,
  type ChatResponseMode,
  type RunArguments,
  type RunStepOptions,
  type RunTaskOptions,
  type RunTimeouts,
  runOptions,
  type StepRunOptions,
} from './runner-options.ts'
import { RunnerTasks, twoJournals } from './runner-tasks.ts'
import { SharedRuns } from './shared-runs.ts'
import { StepRunner } from './step-runner.ts'

/** The runs of a runner: whole tasks and single steps. */
export abstract class RunnerRuns<
  State extends TaskState,
  Context,
  Output,
  ToolName extends string,
  ExtraState extends object,
> extends RunnerTasks<State, ExtraState> {
  protected readonly timeouts: RunTimeouts
  /** Whether all queued steps run together. */
  protected readonly batches: boolean
  /** @internal */
  protected readonly conversations = new OpenConversations()
  /** The runs that others can join by the id of their task. @internal */
  protected readonly shared = new SharedRuns()
  private readonly steps: StepRunner

  constructor(
    options: BaseAgentRunnerOptions<AgentState<State>>,
    { emptyState, batches }: { emptyState: () => AgentState<State>; batches: boolean },
  ) {
    super(options, emptyState)
    this.batches = batches
    this.timeouts = options.timeouts ?? {}
    this.steps = new StepRunner({
      agentWorker: options.agentWorker,
      callbackManager: this.callbackManager,
      batches,
      timeouts: this.timeouts,
      maxUndo: options.maxUndo ?? Number.POSITIVE_INFINITY,
      newId: this.newId,
      now: options.now ?? Date.now,
      durable: options.durable,
      tasks: this.taskTable,
    })
  }

  protected abstract firstToolChoice(given: ToolChoice | null | undefined): ToolChoice

  /** Runs the remaining steps of a task and finalizes it, for example after a failure, a load or an approval. */
  async runTask(
    taskId: string,
    ...[options]: RunArguments<RunTaskOptions<Context, ToolName>, Context>
  ): Promise<AgentChatResponse<Output>> {
    const response = await this.runShared(taskId, runOptions('runTask', options), 'wait')
    // The last step may have returned a stream.
    await streamOf(response)
    return response as AgentChatResponse<Output>
  }

  /** Like `runTask`, but returns a streaming answer. */
  async streamTask(
    taskId: string,
    ...[options]: RunArguments<RunTaskOptions<Context, ToolName>, Context>
  ): Promise<StreamingAgentChatResponse<Output>> {
    const response = await this.runShared(taskId, runOptions('runTask', options), 'stream')
    return response as StreamingAgentChatResponse<Output>
  }

  private runShared(taskId: string, options: RunTaskOptions, mode: ChatResponseMode): Promise<Answer> {
    return this.shared.begin(taskId, options.onEvent, (onEvent) => this.runToEnd(taskId, { ...options, onEvent }, mode))
  }

  protected async runToEnd(taskId: string, options: RunTaskOptions, mode: ChatResponseMode): Promise<Answer> {
    const { task, busy } = this.state.get(taskId)
    const message = task.inputMessage ?? task.input
    const run = () =>
      // Looked up by id, because the task may be deleted before the run starts.
      this.withRunDeadline({ message, taskId, memory: task.memory }, options, (signal, parentId) =>
        this.finish(this.state.get(taskId), { ...options, signal, parentId }, mode),
      )
    // If the task is busy, the run throws TaskBusyError, or returns the answer that is streaming.
    return busy ? run() : this.conversations.use(task.memory, run)
  }

  /** Runs `work` within the time limit of runs. Steps stop when the signal aborts, and are rolled back before the run ends. */
  protected withRunDeadline(
    { message, taskId, memory }: { message: unknown; taskId: string; memory: object },
    outer: Pick<RunTaskOptions, 'signal' | 'parentId'>,
    work: (signal: AbortSignal | undefined, parentId: string | undefined) => Promise<Answer>,
  ): Promise<Answer> {
    const { parentId = 'root' } = outer
    const { totalMs } = this.timeouts
    const isTraced = this.callbackManager.handlers.length > 0
    if (!isTraced && !outer.signal && totalMs == null) return work(undefined, parentId)
    const { conversationId } = memory as { conversationId?: string }
    const start = {
      messages: [message],
      task_id: taskId,
      ...(conversationId !== undefined && { conversation_id: conversationId }),
    }
    const run = (signal: AbortSignal | undefined) =>
      inAgentEvent(this.callbackManager, { ...start, parentId: outer.parentId }, (event) =>
        work(signal, isTraced ? event.id : parentId),
      )
    const error = () => new DeadlineExceededError('The run', totalMs ?? 0)
    const deadline = { milliseconds: totalMs, signal: outer.signal, error, untilSettled: streamOf }
    return withAbortError(
      outer.signal,
      async () => withDeadline<Answer>(deadline, run),
      (answer) => [answer],
    )
  }

  /** Runs the remaining steps of a task and finalizes it. */
  protected async finish(
    state: State,
    { toolChoice, signal, context, onEvent, parentId, durable, checkBudget }: RunTaskOptions,
    mode: ChatResponseMode,
  ): Promise<Answer> {
    const { taskId } = state.task
    const port = this.portOf(durable)
    const run = { mode, signal, onEvent, context, parentId, durable: port, checkBudget }
    // A tool choice is forced only once; otherwise the task would never end.
    let choice = this.firstToolChoice(toolChoice)
    let output = state.completedSteps.at(-1)
    while (!output?.isLast) {
      const outputs = await this.advance(state, { ...run, toolChoice: choice })
      // The caller cancelled while the step was being saved.
      signal?.throwIfAborted()
      output = outputs.find(({ isLast }) => isLast)
      // `get` throws if the task was deleted in the meantime, which ends the run.
      const waiting = waitingCalls(this.state.get(taskId), outputs)
      if (waiting.length > 0) throw new ApprovalRequiredError(taskId, waiting)
      choice = 'auto'
    }
    const answer = await finalizeTask(this.state.get(taskId), output, this.taskTable, this.agentWorker, port)
    return mode === 'stream' ? asStream(answer) : answer
  }

  /** The port of a run. @throws {ConfigurationError} if the runner also has a task store. */
  protected portOf(durable: JournalPort | undefined): JournalPort | undefined {
    if (durable && this.options.taskStore?.store) throw twoJournals('runTask')
    return durable ?? this.options.durable
  }

  /** Runs the next step or batch. */
  private async advance(state: State, run: StepRunOptions): Promise<TaskStepOutput[]> {
    const { taskId } = state.task
    const steps = this.batches ? state.stepQueue : state.stepQueue.slice(0, 1)
    if (steps.length === 0 && !state.busy) throw new NoUpcomingStepError(taskId)
    const outputs = await this.runBatch(state, steps, run)
    if (outputs.length > 1 && outputs.some(({ isLast }) => isLast))
      throw new MultipleFinalStepsError(taskId, outputs.length)
    return outputs
  }

  /** Runs steps together. Throws the first error if some failed. */
  protected async runBatch(
    state: State,
    steps: readonly TaskStep[],
    run: StepRunOptions,
    input?: string | null,
  ): Promise<TaskStepOutput[]> {
    const { outputs, errors } = await this.steps.run(state, steps, run, input)
    if (errors.length > 0) throw errors[0]
    return outputs
  }

  /**
   * Runs one step of a task: the step in the options, or the first of the queue.
   * @throws {ConfigurationError} if an input and a step are passed.
   * @throws {InvalidStepError} if the value is not a step, or is a step of another task.
   * @throws {NoUpcomingStepError} if the task has no step to run.
   * @throws {TaskBusyError} if a step of the task is running.
   */
  async runStep(
    taskId: string,
    ...[options]: RunArguments<RunStepOptions<Context, ToolName>, Context>
  ): Promise<TaskStepOutput> {
    return this.runOnly(taskId, options, 'wait')
  }

  /** Like `runStep`, but an answer of the model is a streaming response. */
  async streamStep(
    taskId: string,
    ...[options]: RunArguments<RunStepOptions<Context, ToolName>, Context>
  ): Promise<TaskStepOutput> {
    return this.runOnly(taskId, options, 'stream')
  }

  private async runOnly(
    taskId: string,
    options: RunStepOptions | undefined,
    mode: ChatResponseMode,
  ): Promise<TaskStepOutput> {
    const { signal, context, input, onEvent, checkBudget, ...given }: RunStepOptions = options
      ? runOptions('runStep', options)
      : {}
    const chosen = given.step ? chosenStep(taskId, given.step, input) : undefined
    const state = this.state.get(taskId)
    if (state.busy) throw new TaskBusyError(taskId)
    const step = chosen ?? state.stepQueue[0]
    if (!step) throw new NoUpcomingStepError(taskId)
    const durable = this.portOf(given.durable)
    const { parentId, toolChoice } = given
    const run = { toolChoice: toolChoice ?? 'auto', mode, signal, context, onEvent, parentId, durable, checkBudget }
    const outputs = await this.cancellable(signal, () => this.runBatch(state, [step], run, input))
    return outputs[0]!
  }

  /** Runs steps, which throw an {@link AbortError} when the signal of the caller aborts. */
  protected cancellable(
    signal: AbortSignal | undefined,
    run: () => Promise<TaskStepOutput[]>,
  ): Promise<TaskStepOutput[]> {
    return signal ? withAbortError(signal, run, (outputs) => outputs.map(({ output }) => output)) : run()
  }

  /**
   * Adds the messages of a finished task to the conversation and returns its answer. For a streaming answer, the messages are added when
   * the stream is complete. A second call returns the same answer and adds nothing.
   * @throws {StepNotLastError} if the step is not the last one.
   * @throws {InvalidAgentOutputError} if the output of the worker is not an answer.
   * @throws {TaskBusyError} if the last step is still being saved.
   */
  async finalizeResponse(taskId: string, stepOutput?: TaskStepOutput | null): Promise<Answer> {
    return finalizeTask(this.state.get(taskId), stepOutput, this.taskTable, this.agentWorker, this.options.durable)
  }
}
