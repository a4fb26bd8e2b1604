/**
 * @module
 * The base of all runners: the conversation, the tasks and their answers, and undoing, forking, saving and loading tasks.
 */
import {
  type BaseLLM,
  type BaseMemory,
  type CallbackEvent,
  CallbackManager,
  type ChatMessage,
  type ChatMessageOptions,
  type ClassRegistry,
  ConfigurationError,
  isToolkitError,
  type QueryBundle,
  type QueryComponent,
} from '@x/core-model'
import { newId, raceAbort, withDeadline } from '@x/core-model/internal'
import { type PromptDict, updatePrompts } from '@x/prompts'
import { withAbortError } from '../abort.ts'
import { after, isPromise } from '../after.ts'
import {
  type AgentChatResponse,
  asStream,
  isChatResponse,
  isStreamingResponse,
  type StreamingAgentChatResponse,
  streamOf,
} from '../answer/agent-chat-response.ts'
import { QueryResponse } from '../answer/query-response.ts'
import {
  ApprovalError,
  ApprovalRequiredError,
  DeadlineExceededError,
  InvalidAgentOutputError,
  InvalidStepError,
  NoCompletedStepError,
  NothingToUndoError,
  StepNotFoundError,
  StepNotLastError,
  TaskAlreadyExistsError,
  TaskBusyError,
  TaskFinalizedError,
} from '../errors.ts'
import type { AgentWorker, StepOptions, ToolChoice } from '../loop/agent-worker.ts'
import type { LoopState } from '../loop/tool-loop-worker.ts'
import { ChatMemoryBuffer, memoryOf, toMessage } from '../memory/chat-memory-buffer.ts'
import type { AgentEvent, PendingToolCall, StepEvent } from '../task/agent-event.ts'
import type { AgentState, TaskState } from '../task/agent-state.ts'
import type { Durable } from '../task/durable.ts'
import type { SavableClass } from '../task/savable-class.ts'
import { readSavedTask, type SavedTask, type TaskStore, writeSavedTask } from '../task/saved-task.ts'
import { snapshotState } from '../task/snapshot.ts'
import { SavedClasses } from '../task/state-codec.ts'
import type { StepTransaction } from '../task/step-transaction.ts'
import { Task } from '../task/task.ts'
import { type TaskStep, TaskStepOutput } from '../task/task-step.ts'
import { agentComponent } from './agent-component.ts'
import { type ChatReplIo, runChatRepl } from './chat-repl.ts'
import { EventChannel } from './event-channel.ts'

/** Whether an answer is complete or streams. */
export type ChatResponseMode = 'wait' | 'stream'

/** Time limits, in milliseconds. */
export interface RunTimeouts {
  /** Limit of a `chat`, including its stream. @defaultValue no limit */
  totalMs?: number | null | undefined
  /** Limit of one step, including the stream of its answer. @defaultValue no limit */
  stepMs?: number | null | undefined
}

/** Options of all runners. */
export interface BaseAgentRunnerOptions<State> {
  agentWorker: AgentWorker
  /** The conversation so far. Cannot be combined with `memory`. */
  chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined
  /** Initial tasks. @defaultValue empty */
  state?: State | null | undefined
  /** Stores the conversation. @defaultValue a {@link ChatMemoryBuffer} for `llm` */
  memory?: BaseMemory | null | undefined
  /** The model that receives the conversation. It determines the size of the default memory. */
  llm?: Pick<BaseLLM, 'metadata'> | null | undefined
  /** Receives the events. Also set on the worker. @defaultValue the callback manager of the worker */
  callbackManager?: CallbackManager | null | undefined
  /** The initial extra state of every task. */
  initTaskStateKwargs?: Readonly<Record<string, unknown>> | null | undefined
  /** Whether a task is deleted when it is finalized. @defaultValue false */
  deleteTaskOnFinish?: boolean | undefined
  /** Maximum number of finalized tasks; the oldest are deleted first. Null keeps all. @defaultValue 1000 */
  maxFinishedTasks?: number | null | undefined
  timeouts?: RunTimeouts | undefined
  /** Where every task is saved after each step. */
  taskStore?: TaskStore | undefined
  /**
   * Your own classes whose instances saved tasks may contain: models, and classes with `className`, `toDict` and `fromDict`.
   * @defaultValue only the classes of this package, messages and nodes
   */
  registry?: ClassRegistry | readonly SavableClass[] | undefined
  /** Makes the ids of tasks. Steps receive it too. @defaultValue random UUIDs */
  newId?: (() => string) | undefined
  /** Returns the time for steps, in milliseconds since 1970. @defaultValue `Date.now` */
  now?: (() => number) | undefined
  /** Every call of a model, a tool or a retriever goes through it: for engines that repeat and save calls themselves. */
  durable?: Durable | undefined
}

/** What tools and hooks need to know of a run. */
export interface RunContextOptions {
  /** Whatever tools and hooks need in this run: the user, a connection. They receive it as `context`; it is not saved. */
  context?: unknown
}

/** Options of a message. */
export interface ChatOptions extends RunContextOptions {
  /** Replaces the conversation, even with an empty array. */
  chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined
  /** The tool choice of the first step; later steps use `auto`. */
  toolChoice?: ToolChoice | null | undefined
  signal?: AbortSignal | undefined
}

/** Options for continuing a task. */
export interface RunTaskOptions extends RunContextOptions {
  toolChoice?: ToolChoice | null | undefined
  signal?: AbortSignal | undefined
}

/** Options of a single step. */
export interface RunStepOptions extends RunContextOptions {
  /** Replaces the input of the step. Cannot be combined with `step`. */
  input?: string | null | undefined
  /** The step to run. @defaultValue the first upcoming one */
  step?: TaskStep | null | undefined
  toolChoice?: ToolChoice | null | undefined
  signal?: AbortSignal | undefined
}

/** Receives the events of a run. */
export type OnAgentEvent = (event: AgentEvent) => void

type Answer = AgentChatResponse | StreamingAgentChatResponse

/** Internal options for running a task. */
export interface Advance {
  toolChoice: ToolChoice
  mode: ChatResponseMode
  signal: AbortSignal | undefined
  onEvent?: OnAgentEvent | undefined
  context?: unknown
  /** The id of the callback event of the run. */
  parentId?: string | undefined
}

/** The base class of runners; see the module. */
export abstract class BaseAgentRunner<State extends TaskState = TaskState> {
  readonly agentWorker: AgentWorker
  readonly memory: BaseMemory
  readonly callbackManager: CallbackManager
  readonly initTaskStateKwargs: Readonly<Record<string, unknown>>
  deleteTaskOnFinish: boolean
  maxFinishedTasks: number | null
  readonly state: AgentState<State>
  protected readonly timeouts: RunTimeouts
  private readonly taskStore: TaskStore | undefined
  private readonly savedClasses: SavedClasses
  private readonly newId: () => string
  private readonly now: () => number
  private readonly durable: Durable | undefined
  /** Finalized tasks, the oldest first. */
  private readonly finished = new Set<string>()
  /** Kept between deletions: a new iterator would visit all deleted entries again. */
  private readonly oldestFinished = this.finished.values()

  constructor(options: BaseAgentRunnerOptions<AgentState<State>>, emptyState: () => AgentState<State>) {
    this.agentWorker = options.agentWorker
    this.memory = memoryOf('AgentRunner', options)
    this.callbackManager = options.callbackManager ?? options.agentWorker.callbackManager ?? new CallbackManager()
    this.initTaskStateKwargs = options.initTaskStateKwargs ?? {}
    this.deleteTaskOnFinish = options.deleteTaskOnFinish ?? false
    this.maxFinishedTasks = options.maxFinishedTasks === undefined ? 1000 : options.maxFinishedTasks
    this.state = options.state ?? emptyState()
    this.timeouts = options.timeouts ?? {}
    this.taskStore = options.taskStore
    this.savedClasses = new SavedClasses(options.registry)
    this.newId = options.newId ?? newId
    this.now = options.now ?? Date.now
    this.durable = options.durable
  }

  protected abstract makeState(task: Task, firstStep: TaskStep): State
  /** Runs the next step or batch. Returns its output, or that of the last step. */
  protected abstract advance(state: State, options: Advance): Promise<TaskStepOutput | undefined>
  protected abstract firstToolChoice(given: ToolChoice | null | undefined): ToolChoice

  /** The whole conversation. */
  get chatHistory(): ChatMessage[] {
    return this.memory.getAll()
  }

  /**
   * Creates a task for an input, and its first step. The conversation does not change before the task is finalized.
   * @throws {TaskAlreadyExistsError} if the id is already used.
   * @throws {ConfigurationError} if there are `initTaskStateKwargs` and an extra state.
   */
  async createTask(
    input: string,
    options: {
      taskId?: string
      extraState?: Readonly<Record<string, unknown>>
      callbackManager?: CallbackManager
    } = {},
  ): Promise<Task> {
    return (await this.makeTask(input, this.memory, options)).task
  }

  private makeTask(
    input: string,
    memory: BaseMemory,
    options: {
      taskId?: string | undefined
      extraState?: Readonly<Record<string, unknown>>
      callbackManager?: CallbackManager
    },
    signal?: AbortSignal,
  ): State | Promise<State> {
    const standing = Object.keys(this.initTaskStateKwargs).length > 0
    if (standing && options.extraState) {
      throw new ConfigurationError(
        'AgentRunner: initTaskStateKwargs are the extra state of every task; give none to createTask.',
      )
    }
    const taskId = options.taskId ?? this.newId()
    if (this.state.taskDict.has(taskId)) throw new TaskAlreadyExistsError(taskId)
    const task = new Task({
      taskId,
      input,
      memory,
      callbackManager: options.callbackManager ?? this.callbackManager,
      extraState: { ...(standing ? this.initTaskStateKwargs : options.extraState) },
    })
    const begin = (step: TaskStep): State | Promise<State> => {
      const state = this.makeState(task, step)
      return this.add(state)?.then(() => state) ?? state
    }
    const step = this.agentWorker.initializeStep(task)
    if (!isPromise(step)) return begin(step)
    return Promise.resolve(raceAbort(step, signal)).then((step) => {
      // Another task may have used the id while the worker was initializing this one.
      if (this.state.taskDict.has(taskId)) throw new TaskAlreadyExistsError(taskId)
      return begin(step)
    })
  }

  /** Registers a task, and removes it again if it cannot be saved. */
  private add(state: State): Promise<void> | undefined {
    const { taskId } = state.task
    this.state.taskDict.set(taskId, state)
    return this.taskStore && this.saveOr(state, () => this.state.taskDict.delete(taskId))
  }

  private knows(state: State): boolean {
    return this.state.taskDict.get(state.task.taskId) === state
  }

  /** Returns all tasks, in order of creation. */
  listTasks(): Task[] {
    return this.state.taskDict.values().map(({ task }) => task)
  }

  /** @throws {TaskNotFoundError} */
  getTask(taskId: string): Task {
    return this.state.get(taskId).task
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
  async deleteTask(taskId: string): Promise<void> {
    this.state.get(taskId)
    this.state.taskDict.delete(taskId)
    this.finished.delete(taskId)
    await this.taskStore?.delete(taskId)
  }

  /** Deletes the conversation and all tasks. */
  async reset(): Promise<void> {
    const ids = [...this.state.taskDict.keys()]
    this.memory.reset()
    this.state.reset()
    this.finished.clear()
    for (const taskId of ids) await this.taskStore?.delete(taskId)
  }

  /** Answers a message: creates a task, runs its steps, and adds the answer to the conversation. */
  chat(message: string, options: ChatOptions = {}): Promise<AgentChatResponse> {
    return this.converse(message, options, 'wait', this.memory) as Promise<AgentChatResponse>
  }

  /** Like `chat`, but returns a streaming answer as soon as its first piece arrives. */
  streamChat(message: string, options: ChatOptions = {}): Promise<StreamingAgentChatResponse> {
    return this.converse(message, options, 'stream', this.memory) as Promise<StreamingAgentChatResponse>
  }

  /** Runs the remaining steps of a task and finalizes it, for example after a failure, a load or an approval. */
  async runTask(taskId: string, options: RunTaskOptions = {}): Promise<AgentChatResponse> {
    const response = await this.runToEnd(taskId, options, 'wait')
    // The last step may have returned a stream.
    await streamOf(response)
    return response
  }

  /** Like `runTask`, but returns a streaming answer. */
  async streamTask(taskId: string, options: RunTaskOptions = {}): Promise<StreamingAgentChatResponse> {
    return (await this.runToEnd(taskId, options, 'stream')) as StreamingAgentChatResponse
  }

  /**
   * Answers a message and yields the events of the run. Nothing starts before the events are read. Abandoning the iterator cancels the
   * run. Ends after `task_end` or `approval_required`, or throws after `error`.
   * @param options.stream - whether the answer streams. @defaultValue true
   * @param options.taskId - continues this task instead of creating one; the message is not used then.
   */
  async *runEvents(
    message: string,
    options: ChatOptions & { stream?: boolean; taskId?: string } = {},
  ): AsyncGenerator<AgentEvent> {
    const channel = new EventChannel<AgentEvent>()
    const controller = new AbortController()
    const signal = options.signal ? AbortSignal.any([options.signal, controller.signal]) : controller.signal
    const mode: ChatResponseMode = options.stream === false ? 'wait' : 'stream'
    const onEvent = (event: AgentEvent) => channel.push(event)
    let taskId: string | null = options.taskId ?? null
    let stepId = ''
    const work = async () => {
      try {
        const onRunEvent: OnAgentEvent = (event) => {
          taskId = event.taskId
          if (event.type === 'step_start') stepId = event.stepId
          onEvent(event)
        }
        const response = options.taskId
          ? await this.runToEnd(options.taskId, { ...options, signal }, mode, onRunEvent)
          : await this.converse(message, { ...options, signal }, mode, this.memory, onRunEvent)
        if (isStreamingResponse(response)) {
          for await (const delta of response) onEvent({ type: 'answer_delta', delta, taskId: taskId!, stepId })
          await response.done
        }
        onEvent({ type: 'task_end', taskId: taskId!, response })
        channel.close()
      } catch (error) {
        if (isToolkitError(error, 'approval_required')) return channel.close()
        onEvent({ type: 'error', taskId, error })
        channel.fail(error)
      }
    }
    const working = work()
    try {
      yield* channel
    } finally {
      controller.abort()
      await working
    }
  }

  private converse(
    message: string,
    options: ChatOptions,
    mode: ChatResponseMode,
    memory: BaseMemory,
    onEvent?: OnAgentEvent,
    taskId?: string,
  ): Promise<Answer> {
    return this.withRunDeadline(message, options.signal, (signal, event) => {
      if (options.chatHistory) memory.set(options.chatHistory.map(toMessage))
      const finish = (state: State) => this.finish(state, { ...options, signal }, mode, onEvent, event)
      return after(this.makeTask(message, memory, { taskId }, signal), finish)
    })
  }

  private runToEnd(
    taskId: string,
    options: RunTaskOptions,
    mode: ChatResponseMode,
    onEvent?: OnAgentEvent,
  ): Promise<Answer> {
    const { task } = this.state.get(taskId)
    // Looked up by id, because the task may be deleted before the run starts.
    return this.withRunDeadline(task.input, options.signal, (signal, event) =>
      this.finish(this.state.get(taskId), { ...options, signal }, mode, onEvent, event),
    )
  }

  /** Runs `work` within the time limit of runs. Steps stop when the signal aborts, and are rolled back before the run ends. */
  private withRunDeadline(
    message: string,
    outer: AbortSignal | undefined,
    work: (signal: AbortSignal | undefined, event: CallbackEvent) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    const run = (signal: AbortSignal | undefined) =>
      this.callbackManager.event('agent_step', { messages: [message] }, (event) => work(signal, event), {
        trace: 'chat',
      })
    const { totalMs } = this.timeouts
    const error = () => new DeadlineExceededError('The run', totalMs ?? 0)
    const deadline = { milliseconds: totalMs, signal: outer, error, untilSettled: streamOf }
    return withAbortError(
      outer,
      async () => withDeadline<Answer>(deadline, run),
      (answer) => [answer],
    )
  }

  /** Runs the remaining steps of a task and finalizes it. */
  private async finish(
    state: State,
    options: RunTaskOptions,
    mode: ChatResponseMode,
    onEvent: OnAgentEvent | undefined,
    event: CallbackEvent,
  ): Promise<Answer> {
    const { taskId } = state.task
    let toolChoice = this.firstToolChoice(options.toolChoice)
    let output = state.completedSteps.at(-1)
    while (!output?.isLast) {
      const { signal, context } = options
      output = await this.advance(state, { toolChoice, mode, signal, onEvent, context, parentId: event.id })
      // The caller has cancelled while the step was being saved.
      options.signal?.throwIfAborted()
      // Also ends the run of a task that was deleted in the meantime.
      const waiting = output?.isLast ? [] : this.getPendingApprovals(taskId)
      if (waiting.length > 0) throw new ApprovalRequiredError(taskId, waiting)
      // A tool choice is forced only once; otherwise the task would never end.
      toolChoice = 'auto'
    }
    const finalizing = this.finalize(taskId, output)
    const answer = finalizing instanceof Promise ? await finalizing : finalizing
    const response = mode === 'stream' ? asStream(answer) : answer
    event.end({ response })
    return response
  }

  /**
   * Adds the messages of a finished task to the conversation and returns its answer. For a streaming answer, the messages are added when
   * the stream is complete. A second call returns the same answer and adds nothing.
   * @throws {StepNotLastError} if the step is not the last one.
   * @throws {InvalidAgentOutputError} if the output of the worker is not an answer.
   */
  async finalizeResponse(taskId: string, stepOutput?: TaskStepOutput | null): Promise<Answer> {
    return this.finalize(taskId, stepOutput)
  }

  private finalize(taskId: string, stepOutput: TaskStepOutput | null | undefined): Answer | Promise<Answer> {
    const state = this.state.get(taskId)
    if (state.response) return state.response
    const output = stepOutput ?? state.completedSteps.at(-1)
    if (!output) throw new NoCompletedStepError(taskId)
    if (!output.isLast) throw new StepNotLastError(taskId)
    const response = output.output
    if (!isChatResponse(response)) {
      throw new InvalidAgentOutputError(
        `Task "${taskId}": expected an AgentChatResponse as the last output, received ${typeof response}.`,
      )
    }
    state.response = response
    const write = (): void | Promise<void> => {
      // The task was deleted while its answer streamed.
      if (!this.knows(state)) return
      const before = state.task.memory.getAll().length
      if (!this.deleteTaskOnFinish) state.finalState ??= snapshotState(state.task.extraState)
      return after(this.agentWorker.finalizeTask(state.task), () => this.retire(state, before))
    }
    const fail = (error: unknown): never => {
      state.response = null
      throw error
    }
    try {
      const writing = isStreamingResponse(response)
        ? response.whenDone(write, () => {
            state.response = null
          })
        : write()
      return writing ? writing.then(() => response, fail) : response
    } catch (error) {
      return fail(error)
    }
  }

  /** Keeps or deletes a finalized task. The conversation had `before` messages before those of the task. */
  private retire(state: State, before: number): void | Promise<void> {
    // Another attempt, after the task could not be saved, adds no messages again.
    state.memoryLength ??= before
    if (!this.knows(state)) return
    const { taskId } = state.task
    const { taskStore } = this
    if (!taskStore) return void this.forgetFinished(taskId)
    const saveAndForget = async () => {
      if (!this.deleteTaskOnFinish) await this.save(state)
      // The task was deleted while it was saved.
      if (!this.knows(state)) return
      for (const id of this.forgetFinished(taskId)) await taskStore.delete(id)
    }
    return saveAndForget()
  }

  /** Deletes this task if finished tasks are not kept, and the oldest tasks above the maximum. Returns their ids. */
  private forgetFinished(taskId: string): string[] {
    const { finished, maxFinishedTasks: most } = this
    const forgotten: string[] = []
    const forget = (id: string) => {
      finished.delete(id)
      if (this.state.taskDict.delete(id)) forgotten.push(id)
    }
    if (this.deleteTaskOnFinish) forget(taskId)
    else finished.add(taskId)
    while (most !== null && finished.size > 0 && !(finished.size <= most)) forget(this.oldestFinished.next().value!)
    return forgotten
  }

  /**
   * Undoes the last step (in a parallel runner: the last batch). The task has its previous state then. External effects of tools are not
   * undone.
   * @throws {TaskFinalizedError} if the task is finalized.
   * @throws {NothingToUndoError} if no step has run.
   */
  async undoStep(taskId: string): Promise<void> {
    const state = this.state.get(taskId)
    if (state.response)
      throw new TaskFinalizedError(taskId, 'its messages are in the conversation and cannot be removed')
    if (state.busy) throw new TaskBusyError(taskId)
    const { completedSteps, snapshots, stepQueue, task } = state
    const { extraState } = task
    const snapshot = snapshots.at(-1)
    if (!snapshot) throw new NothingToUndoError(taskId)
    state.finalState = null
    state.snapshots = snapshots.slice(0, -1)
    state.completedSteps = completedSteps.slice(0, -snapshot.outputs)
    state.stepQueue = [...snapshot.queue]
    task.extraState = snapshot.extraState
    // No step may start from a state that may still be restored.
    state.busy = true
    try {
      await this.saveOr(state, () => {
        Object.assign(state, { completedSteps, snapshots, stepQueue })
        task.extraState = extraState
      })
    } finally {
      state.busy = false
    }
  }

  /**
   * Creates a task that continues independently from a step of this task, with a copy of the conversation. This task does not change.
   * Approvals after that step are not copied.
   * @param options.atStep - the number of steps that are kept. @defaultValue all
   * @throws {InvalidStepError} if the task was never at that step, or the step is inside a batch.
   */
  async forkTask(taskId: string, options: { atStep?: number; taskId?: string } = {}): Promise<Task> {
    const origin = this.state.get(taskId)
    const atStep = options.atStep ?? origin.completedSteps.length
    const forkId = options.taskId ?? this.newId()
    if (this.state.taskDict.has(forkId)) throw new TaskAlreadyExistsError(forkId)
    let before = 0
    let moves = 0
    while (moves < origin.snapshots.length && before < atStep) before += origin.snapshots[moves++]!.outputs
    const undone = origin.snapshots[moves]
    if (before !== atStep || (!undone && atStep !== origin.completedSteps.length)) {
      throw new InvalidStepError(
        `Task "${taskId}": cannot be forked at step ${atStep} of ${origin.completedSteps.length}.`,
      )
    }
    if (!undone && origin.busy) throw new TaskBusyError(taskId)

    const own = (step: TaskStep) => step.copy({ taskId: forkId })
    const at = undone ?? { queue: origin.stepQueue, extraState: origin.finalState ?? origin.task.extraState }
    const { memory } = origin.task
    const branch = memory.clone?.() ?? memory.fresh?.() ?? ChatMemoryBuffer.fromDefaults()
    branch.set(memory.getAll().slice(0, origin.memoryLength ?? undefined))
    const task = new Task({
      taskId: forkId,
      input: origin.task.input,
      memory: branch,
      callbackManager: origin.task.callbackManager,
      extraState: withoutDecisions(snapshotState(at.extraState)),
    })
    const queue = at.queue.map(own)
    const state = this.makeState(task, queue[0] ?? origin.completedSteps[0]!.taskStep)
    state.stepQueue = queue
    state.completedSteps = origin.completedSteps
      .slice(0, atStep)
      .map(
        (output) =>
          new TaskStepOutput({ ...output, taskStep: own(output.taskStep), nextSteps: output.nextSteps.map(own) }),
      )
    state.snapshots = origin.snapshots.slice(0, moves).map((snapshot) => ({
      ...snapshot,
      queue: snapshot.queue.map(own),
      extraState: withoutDecisions(snapshotState(snapshot.extraState)),
    }))
    await this.add(state)
    return task
  }

  /** Returns the tool calls of a task that wait for a decision. */
  getPendingApprovals(taskId: string): PendingToolCall[] {
    return pendingCalls(this.state.get(taskId)).filter(({ decision }) => decision === null)
  }

  /** Approves a waiting tool call. @throws {ApprovalError} if no call with this id waits. */
  approve(taskId: string, callId: string): Promise<void> {
    return this.decide(taskId, callId, { decision: 'approve' })
  }

  /** Rejects a waiting tool call. The model receives the reason. */
  reject(taskId: string, callId: string, reason?: string): Promise<void> {
    return this.decide(taskId, callId, { decision: 'reject', ...(reason !== undefined && { reason }) })
  }

  /** Approves a waiting tool call with other arguments. */
  edit(taskId: string, callId: string, args: Record<string, unknown>): Promise<void> {
    return this.decide(taskId, callId, { decision: 'approve', arguments: args })
  }

  private async decide(taskId: string, callId: string, decision: Partial<PendingToolCall>): Promise<void> {
    const state = this.state.get(taskId)
    if (state.busy) throw new TaskBusyError(taskId)
    const calls = pendingCalls(state)
    const index = calls.findIndex(({ id, decision }) => id === callId && decision === null)
    if (index < 0) throw new ApprovalError(`Task "${taskId}": no tool call "${callId}" waits for a decision.`)
    const call = calls[index]!
    const put = (decided: PendingToolCall) => {
      const { task } = state
      task.extraState = { ...task.extraState, pending_calls: pendingCalls(state).with(index, decided) }
    }
    put({ ...call, ...decision })
    // There may have been other decisions in the meantime.
    await this.saveOr(state, () => put(call))
  }

  /** A task as plain JSON, to go on with it later or elsewhere. @throws {SerializationError} naming the value that cannot be saved. */
  saveTask(taskId: string): SavedTask {
    const state = this.state.get(taskId)
    if (state.busy) throw new TaskBusyError(taskId)
    return writeSavedTask(state, this.savedClasses)
  }

  /**
   * Loads a saved task. If the conversation is empty, the saved conversation is loaded too.
   * @throws {SavedTaskError} if the data has another version, is incomplete, or is for another kind of worker.
   * @throws {TaskAlreadyExistsError} if there is a task with its id.
   */
  async loadTask(data: unknown): Promise<Task> {
    const { agentWorker } = this
    const saved = readSavedTask(data, this.savedClasses, (state) => agentWorker.readsState?.(state) ?? true)
    const { taskId, input, extraState } = saved
    if (this.state.taskDict.has(taskId)) throw new TaskAlreadyExistsError(taskId)
    const task = new Task({ taskId, input, extraState, memory: this.memory, callbackManager: this.callbackManager })
    const first = saved.stepQueue[0] ?? saved.completedSteps[0]!.taskStep
    const state = this.makeState(task, first)
    state.stepQueue = saved.stepQueue
    state.completedSteps = saved.completedSteps
    state.snapshots = saved.snapshots
    state.memoryLength = saved.memoryLength
    if (saved.finalized) {
      state.response = saved.completedSteps.at(-1)!.output as AgentChatResponse
      this.finished.add(taskId)
    }
    if (saved.conversation.length > 0 && this.memory.getAll().length === 0) this.memory.set(saved.conversation)
    this.state.taskDict.set(taskId, state)
    return task
  }

  /** Loads a task from the task store. Returns null if the store has no task with this id. */
  async resumeTask(taskId: string): Promise<Task | null> {
    if (!this.taskStore) throw new ConfigurationError('AgentRunner.resumeTask: a taskStore is required.')
    const data = await this.taskStore.load(taskId)
    return data === null ? null : this.loadTask(data)
  }

  /** A task that was forgotten meanwhile does not come back. */
  private async save(state: State): Promise<void> {
    if (this.taskStore && this.knows(state))
      await this.taskStore.save(state.task.taskId, writeSavedTask(state, this.savedClasses))
  }

  private async saveOr(state: State, takeBack: () => void): Promise<void> {
    try {
      await this.save(state)
    } catch (error) {
      takeBack()
      throw error
    }
  }

  /** Commits the outputs of steps: immediately, or when their answer has streamed and the task is saved. */
  protected record(
    transaction: StepTransaction<State>,
    outputs: readonly TaskStepOutput[],
    queued: readonly TaskStep[],
    failed: readonly TaskStep[] = [],
  ): Promise<void> | undefined {
    const { state } = transaction
    transaction.record(outputs, queued, failed)
    for (const { output } of outputs) {
      if (!isStreamingResponse(output)) continue
      const takeBack = () => {
        transaction.rollBack()
        state.response = null
      }
      return output.whenDone(() => this.settle(transaction), takeBack)
    }
    return this.settle(transaction)
  }

  private settle(transaction: StepTransaction<State>): Promise<void> | undefined {
    if (this.taskStore) return this.save(transaction.state).then(() => transaction.end())
    transaction.end()
    return undefined
  }

  /** Runs one step on a copy of the task. */
  protected runOne(state: State, step: TaskStep, task: Task, advance: Advance): Promise<TaskStepOutput> {
    const { stepMs } = this.timeouts
    if (stepMs === undefined && !advance.signal) return this.runWorker(state, step, task, advance, undefined)
    const deadline = {
      milliseconds: stepMs,
      signal: advance.signal,
      error: () => new DeadlineExceededError(`Step "${step.stepId}"`, stepMs ?? 0),
      untilSettled: ({ output }: TaskStepOutput) => streamOf(output),
    }
    return withDeadline<TaskStepOutput>(deadline, (signal) =>
      raceAbort(this.runWorker(state, step, task, advance, signal), signal),
    ) as Promise<TaskStepOutput>
  }

  private runWorker(
    state: State,
    step: TaskStep,
    task: Task,
    { toolChoice, mode, onEvent, context, parentId }: Advance,
    signal: AbortSignal | undefined,
  ): Promise<TaskStepOutput> {
    const { taskId, stepId } = step
    const { agentWorker } = this
    const surroundings: StepOptions = {
      toolChoice,
      signal,
      durable: this.durable,
      context,
      parentId,
      memory: task.memory,
      stepNumber: state.numberOf(stepId),
      completedSteps: state.completedSteps.length,
      newId: this.newId,
      now: this.now,
    }
    const run = (options: StepOptions) =>
      mode === 'stream' ? agentWorker.streamStep(step, task, options) : agentWorker.runStep(step, task, options)
    if (!onEvent) return run(surroundings)
    const announced = async () => {
      onEvent({ type: 'step_start', taskId, stepId, input: step.input })
      const onStepEvent = (event: StepEvent) => onEvent({ ...event, taskId, stepId })
      const output = await run({ ...surroundings, onEvent: onStepEvent })
      onEvent({ type: 'step_end', taskId, stepId, output })
      return output
    }
    return announced()
  }

  /** Whether a step may be abandoned before its worker is done. */
  protected isAbandonable({ signal }: Advance): boolean {
    return signal !== undefined || this.timeouts.stepMs !== undefined
  }

  /**
   * Answers a question outside the conversation: the history is neither read nor changed. The task of the question is kept only if tool
   * calls wait for approval; `runTask` continues it.
   * @returns the text and the nodes that it is based on.
   */
  async query(query: string | QueryBundle, options: { signal?: AbortSignal } = {}): Promise<QueryResponse> {
    const scratch = this.memory.fresh?.() ?? ChatMemoryBuffer.fromDefaults()
    const text = typeof query === 'string' ? query : query.queryStr
    const taskId = this.newId()
    let isWaiting = false
    try {
      const answer = await this.converse(text, options, 'wait', scratch, undefined, taskId)
      return new QueryResponse({ response: answer.response, sourceNodes: answer.sourceNodes })
    } catch (error) {
      isWaiting = isToolkitError(error, 'approval_required')
      throw error
    } finally {
      if (!isWaiting && this.state.taskDict.has(taskId)) await this.deleteTask(taskId)
    }
  }

  /** Returns this agent as a query pipeline component with the input `input` and the output `output`. */
  asQueryComponent(options: { partial?: Record<string, unknown> } = {}): QueryComponent {
    return agentComponent(this, options.partial)
  }

  /** Runs a conversation line by line, until the line `exit` or the end of the input. Resets the conversation first. */
  chatRepl(io: ChatReplIo): Promise<void> {
    return runChatRepl(this, io, false)
  }

  /** Like `chatRepl`, with streaming answers. */
  streamingChatRepl(io: ChatReplIo): Promise<void> {
    return runChatRepl(this, io, true)
  }

  /** Returns an empty object: a runner has no prompts. Use `agentWorker.getPrompts()`. */
  getPrompts(): PromptDict {
    return {}
  }

  /** @throws {PromptKeyError} for every name: a runner has no prompts. */
  updatePrompts(prompts: Readonly<PromptDict>): void {
    updatePrompts({}, prompts)
  }
}

function pendingCalls(state: TaskState): PendingToolCall[] {
  return (state.task.extraState as Partial<LoopState>).pending_calls ?? []
}

function withoutDecisions(extraState: Record<string, unknown>): Record<string, unknown> {
  const calls = extraState['pending_calls'] as PendingToolCall[] | undefined
  if (calls)
    extraState['pending_calls'] = calls.map(({ reason: _, ...call }) =>
      call.needsApproval ? { ...call, decision: null } : call,
    )
  return extraState
}
