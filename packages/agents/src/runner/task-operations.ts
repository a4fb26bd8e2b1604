/**
 * @module
 * The operations on tasks and their steps that all runners have.
 */
import { checkOptions, flag, text, unchecked } from '@x/core/options'
import { type BaseMemory, CallbackManager } from '@x/core-model'
import { memoryOf } from '@x/core-model/memory'
import type { AgentChatResponse } from '../answer/agent-chat-response.ts'
import { type StreamingAgentChatResponse, streamEnd } from '../answer/chat-answer.ts'
import type { AgentWorker } from '../loop/agent-worker.ts'
import type { PendingToolCall } from '../task/agent-event.ts'
import type { AgentState, TaskState } from '../task/agent-state.ts'
import type { Approval } from '../task/approval-record.ts'
import { type Decide, decideCall, undecidedCalls, waitingCall } from '../task/approvals.ts'
import type { Json } from '../task/durable.ts'
import type { LoadTaskOptions } from '../task/journal.ts'
import { type AgentInput, type Task, taskInput } from '../task/task.ts'
import { StepNotFoundError, TaskBusyError } from '../task/task-errors.ts'
import { forkAt, undoLast } from '../task/task-history.ts'
import type { TaskStep } from '../task/task-step.ts'
import type { TaskStepOutput } from '../task/task-step-output.ts'
import type { SavedTask } from '../task/versions.ts'
import type { Answer } from './finalizing.ts'
import type { BaseAgentRunnerOptions, RunArguments, RunStepOptions, RunTaskOptions } from './runner-options.ts'
import { RunnerRuns } from './runner-runs.ts'
import {
  CREATE_TASK_OPTIONS,
  type CreateTaskOptions,
  LOAD_TASK_OPTIONS,
  type RunnerKind,
  RunnerTasks,
  refuseSaving,
} from './runner-tasks.ts'
import { TurnRecorder } from './turn-recorder.ts'

const decider = { by: text, approvalId: text }

/** The checks of the options of decisions. */
const DECISIONS = {
  approve: { ...decider, always: flag },
  edit: { ...decider, exact: flag, arguments: unchecked },
  reject: { by: text, reason: text },
  provideResult: { by: text, isError: flag },
}

/** Tasks of a runner: they are created, run step by step, decided, undone, forked, saved and loaded. */
export abstract class TaskOperations<
  State extends TaskState,
  Context,
  Output,
  ToolName extends string,
  ExtraState extends object,
> {
  readonly agentWorker: AgentWorker
  readonly memory: BaseMemory
  readonly callbackManager: CallbackManager
  readonly initTaskStateKwargs: Readonly<Record<string, unknown>>
  deleteTaskOnFinish: boolean
  maxFinishedTasks: number | null
  readonly state: AgentState<State>
  /** @internal */
  protected readonly tasks: RunnerTasks<State>
  /** @internal */
  protected readonly runs: RunnerRuns<State>

  /** @internal */
  constructor(options: BaseAgentRunnerOptions<AgentState<State>>, kind: RunnerKind<State>) {
    const { agentWorker, maxFinishedTasks = 1000 } = options
    this.agentWorker = agentWorker
    this.memory = memoryOf('AgentRunner', options)
    this.callbackManager = options.callbackManager ?? agentWorker.callbackManager ?? new CallbackManager()
    this.initTaskStateKwargs = options.initTaskStateKwargs ?? {}
    this.deleteTaskOnFinish = options.deleteTaskOnFinish ?? false
    this.maxFinishedTasks = maxFinishedTasks
    this.state = options.state ?? kind.emptyState()
    this.tasks = new RunnerTasks(this, options, kind.makeState)
    this.runs = new RunnerRuns(this, this.tasks, options, kind.batches)
  }

  /** Runs the remaining steps of a task and finalizes it, for example after a failure, a load or an approval. */
  async runTask(
    taskId: string,
    ...[options]: RunArguments<RunTaskOptions<Context, ToolName>, Context>
  ): Promise<AgentChatResponse<Output>> {
    const response = await this.runs.runTask(taskId, options, 'wait')
    // The last step may have returned a stream.
    await streamEnd(response)
    return response as AgentChatResponse<Output>
  }

  /** Like `runTask`, but returns a streaming answer. */
  streamTask(
    taskId: string,
    ...[options]: RunArguments<RunTaskOptions<Context, ToolName>, Context>
  ): Promise<StreamingAgentChatResponse<Output>> {
    return this.runs.runTask(taskId, options, 'stream') as Promise<StreamingAgentChatResponse<Output>>
  }

  /**
   * Runs one step of a task: the step in the options, or the first of the queue.
   * @throws {ConfigurationError} if an input and a step are passed.
   * @throws {InvalidStepError} if the value is not a step, or is a step of another task.
   * @throws {NoUpcomingStepError} if the task has no step to run.
   * @throws {TaskBusyError} if a step of the task is running.
   */
  runStep(
    taskId: string,
    ...[options]: RunArguments<RunStepOptions<Context, ToolName>, Context>
  ): Promise<TaskStepOutput> {
    return this.runs.runStep(taskId, options, 'wait')
  }

  /** Like `runStep`, but an answer of the model is a streaming response. */
  streamStep(
    taskId: string,
    ...[options]: RunArguments<RunStepOptions<Context, ToolName>, Context>
  ): Promise<TaskStepOutput> {
    return this.runs.runStep(taskId, options, 'stream')
  }

  /**
   * Adds the messages of a finished task to the conversation and returns its answer. For a streaming answer, the messages are added when
   * the stream is complete. A second call returns the same answer and adds nothing.
   * @throws {StepNotLastError} if the step is not the last one.
   * @throws {InvalidAgentOutputError} if the output of the worker is not an answer.
   * @throws {TaskBusyError} if the last step is still being saved.
   */
  finalizeResponse(taskId: string, stepOutput?: TaskStepOutput | null): Promise<Answer> {
    return this.runs.finalize(taskId, stepOutput)
  }

  /**
   * Creates a task for an input, and its first step. The conversation does not change before the task is finalized.
   * @param input - a string, content parts (text, images and files), or a message of the user.
   * @throws {TaskAlreadyExistsError} if the id is already used.
   * @throws {ConfigurationError} if there are `initTaskStateKwargs` and an extra state.
   * @throws {ModelValidationError} if a part of the input is invalid.
   */
  async createTask<Own extends object = Record<never, never>>(
    input: AgentInput,
    options: CreateTaskOptions<Own> = {},
  ): Promise<Task<ExtraState & Own>> {
    checkOptions('createTask', options, CREATE_TASK_OPTIONS)
    const { task } = await this.tasks.create(taskInput(input), options)
    return task as Task<ExtraState & Own>
  }

  /** Returns all tasks, in order of creation. */
  listTasks(): Task<ExtraState>[] {
    return Array.from(this.state.taskDict.values(), ({ task }) => task as Task<ExtraState>)
  }

  /** @throws {TaskNotFoundError} */
  getTask(taskId: string): Task<ExtraState> {
    return this.state.get(taskId).task as Task<ExtraState>
  }

  /** Returns the upcoming steps. @throws {TaskNotFoundError} */
  getUpcomingSteps(taskId: string): TaskStep[] {
    return [...this.state.get(taskId).stepQueue]
  }

  /** Returns the outputs of the completed steps. @throws {TaskNotFoundError} */
  getCompletedSteps(taskId: string): TaskStepOutput[] {
    return [...this.state.get(taskId).completedSteps]
  }

  /** @throws {StepNotFoundError} if no completed step has the id. */
  getCompletedStep(taskId: string, stepId: string): TaskStepOutput {
    const found = this.state.get(taskId).completedSteps.find(({ taskStep }) => taskStep.stepId === stepId)
    if (!found) throw new StepNotFoundError(taskId, stepId)
    return found
  }

  /**
   * Deletes a task. Messages that it already added to the conversation stay. A step or stream in progress adds no more messages.
   */
  deleteTask(taskId: string): Promise<void> {
    return this.tasks.table.delete(taskId)
  }

  /**
   * Undoes the last step (in a parallel runner: the last batch) and restores the previous state. External effects of tools are not
   * undone.
   * @throws {TaskFinalizedError} if the messages of the task are in the conversation.
   * @throws {NothingToUndoError} if no step has run.
   */
  async undoStep(taskId: string): Promise<void> {
    const state = this.state.get(taskId)
    await undoLast(state, () => this.tasks.table.append(state, (writer) => writer.undo()))
    await TurnRecorder.of(state, this.agentWorker)?.undone()
    await this.agentWorker.restored?.(state.task)
  }

  /**
   * Creates a task that continues independently from a step of this task, with a copy of the conversation. This task does not change.
   * Approvals after that step are not copied.
   * @param options.atStep - the number of steps that are kept. @defaultValue all
   * @throws {InvalidStepError} if the task was never at that step, or the step is inside a batch.
   */
  async forkTask(taskId: string, options: { atStep?: number; taskId?: string } = {}): Promise<Task<ExtraState>> {
    const { table, newId, makeState } = this.tasks
    const origin = this.state.get(taskId)
    const { atStep = origin.completedSteps.length, taskId: forkId = newId() } = options
    table.refuseDuplicate(forkId)
    const state = await forkAt(origin, { atStep, taskId: forkId }, makeState)
    await this.agentWorker.restored?.(state.task, taskId)
    await table.add(state, { forkedFrom: { task_id: taskId, at_step: atStep } })
    return state.task as Task<ExtraState>
  }

  /** Whether a task has a journal in a task store. @throws {TaskNotFoundError} */
  isSaved(taskId: string): boolean {
    return this.tasks.table.isSaved(this.state.get(taskId))
  }

  /** Returns the tool calls of a task that wait for a decision. */
  getPendingApprovals(taskId: string): PendingToolCall[] {
    return undecidedCalls(this.state.get(taskId))
  }

  /**
   * Approves a waiting tool call, as soon as it was reported as waiting.
   * @param options.always - whether later calls of the same tool need no approval in this task. @defaultValue false
   * @param options.by - who approved, for the journal, and for `approvals.user`.
   * @param options.approvalId - the `approval.id` of the call that the person was shown: if the call has another one, it waits again.
   * @throws {ApprovalError} if no call with this id waits.
   */
  approve(taskId: string, callId: string, options: Omit<Approval, 'arguments' | 'exact'> = {}): Promise<void> {
    return this.approveWith('approve', taskId, callId, options)
  }

  /** Rejects a waiting tool call. The model receives the reason. @throws {ApprovalError} if no call with this id waits. */
  reject(taskId: string, callId: string, reason?: string, options: { by?: string } = {}): Promise<void> {
    const given = reason === undefined ? {} : { reason }
    return this.decide('reject', taskId, callId, options && { ...options, ...given }, (call) => ({
      ...call,
      decision: 'reject',
      ...given,
    }))
  }

  /**
   * Approves a waiting tool call with other arguments. The conversation shows them, because the tool runs with them.
   * @param options.exact - whether they are refused if the schema of the tool makes others of them, as by a default value. @defaultValue
   * false
   * @throws {ApprovalError} if no call with this id waits.
   * @throws {ToolInputError} if the arguments do not match the schema of the tool. Then the call still waits.
   */
  edit(
    taskId: string,
    callId: string,
    args: Record<string, unknown>,
    options: Pick<Approval, 'by' | 'approvalId' | 'exact'> = {},
  ): Promise<void> {
    return this.approveWith('edit', taskId, callId, options && { ...options, arguments: args })
  }

  /**
   * Checks arguments for {@link edit}, and changes nothing.
   * @throws {ApprovalError} if no call with this id waits.
   * @throws {ToolInputError} if the arguments do not match the schema of the tool.
   */
  async checkEdit(
    taskId: string,
    callId: string,
    args: Record<string, unknown>,
    { exact }: Pick<Approval, 'exact'> = {},
  ): Promise<void> {
    const state = this.state.get(taskId)
    await this.agentWorker.approveCall?.(waitingCall(state, callId), { arguments: args, exact }, state.task)
  }

  private approveWith(kind: 'approve' | 'edit', taskId: string, callId: string, approval: Approval): Promise<void> {
    return this.decide(kind, taskId, callId, approval, async (call, task) => {
      const approved = await this.agentWorker.approveCall?.(call, approval, task)
      return { ...(approved ?? { ...call, arguments: approval.arguments ?? call.arguments }), decision: 'approve' }
    })
  }

  /**
   * Provides the result of a waiting tool call from outside: of a tool that runs at the client, a job that took days, or a question to
   * the user. The tool does not run.
   * @param result - a string, or data that is reported to the model as JSON. It is checked like a result of the tool.
   * @param options.isError - whether the result is the message of a failure. @defaultValue false
   * @throws {ApprovalError} if no call with this id waits.
   */
  provideResult(
    taskId: string,
    callId: string,
    result: Json,
    options: { isError?: boolean; by?: string } = {},
  ): Promise<void> {
    return this.decide('provideResult', taskId, callId, options, (call) => ({
      ...call,
      decision: 'result',
      result,
      isError: options.isError ?? false,
    }))
  }

  private async decide(
    kind: keyof typeof DECISIONS,
    taskId: string,
    callId: string,
    options: { by?: string | undefined },
    decide: Decide,
  ): Promise<void> {
    checkOptions(kind, options, DECISIONS[kind])
    const { by } = options
    const state = this.state.get(taskId)
    await decideCall(state, callId, decide, ({ decision }) =>
      this.tasks.table.append(state, (writer) => writer.decision(state, { callId, decision: decision ?? '', by })),
    )
  }

  /**
   * Returns a task as plain JSON, to continue it later or elsewhere.
   * @throws {SerializationError} naming the value that cannot be saved.
   * @throws {ConfigurationError} if the agent has no `taskStore`, not even `journal()`.
   */
  saveTask(taskId: string): SavedTask {
    const state = this.state.get(taskId)
    if (state.busy) throw new TaskBusyError(taskId)
    return this.tasks.table.write(state) ?? refuseSaving('saveTask')
  }

  /**
   * Loads a saved task: the result of `saveTask`, or the entries of a journal.
   *
   * The task continues in its own conversation. That is the memory of this runner if the task used the memory of its runner, and this
   * memory is empty or begins with the saved messages.
   * @throws {SavedTaskError} if the data has a different version, is incomplete, or belongs to a different kind of worker.
   * @throws {TaskAlreadyExistsError} if there is a task with its id.
   * @throws {TaskClaimedError} if the task store has the task already; resume it from there.
   */
  async loadTask(data: unknown, options?: LoadTaskOptions): Promise<Task<ExtraState>> {
    if (options !== undefined) checkOptions('loadTask', options, LOAD_TASK_OPTIONS)
    return this.tasks.load(data, options) as Promise<Task<ExtraState>>
  }

  /**
   * Returns a task as the task store has it now: loads it, unless this runner has it and no other runner has continued it. Returns null
   * if the store has no task with this id.
   * @throws {ConfigurationError} if there is no task store and this runner does not have the task.
   */
  async resumeTask(taskId: string, options?: LoadTaskOptions): Promise<Task<ExtraState> | null> {
    if (options !== undefined) checkOptions('resumeTask', options, LOAD_TASK_OPTIONS)
    return this.tasks.resume(taskId, options) as Promise<Task<ExtraState> | null>
  }
}
