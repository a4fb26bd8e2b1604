/**
 * @module
 * What all runners share: the conversation, the tasks, their answers, and moving tasks through time and space.
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
} from '../agent-chat-response.ts'
import { agentComponent } from '../agent-component.ts'
import type { AgentEvent, PendingToolCall, StepEvent } from '../agent-event.ts'
import type { AgentState, TaskState } from '../agent-state.ts'
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
import { ChatMemoryBuffer, memoryOf, toMessage } from '../memory/chat-memory-buffer.ts'
import { QueryResponse } from '../query-response.ts'
import { snapshotState } from '../snapshot.ts'
import { Task } from '../task.ts'
import { type TaskStep, TaskStepOutput } from '../task-step.ts'
import type { AgentWorker, StepOptions, ToolChoice } from '../worker/agent-worker.ts'
import type { LoopState } from '../worker/tool-loop-worker.ts'
import { type ChatReplIo, runChatRepl } from './chat-repl.ts'
import { EventChannel } from './event-channel.ts'
import type { Move } from './move.ts'
import { readSavedTask, type SavedTask, type TaskStore, writeSavedTask } from './saved-task.ts'

/** Whether an answer comes whole or as a stream. */
export type ChatResponseMode = 'wait' | 'stream'

/** How long things may take, in milliseconds. */
export interface RunTimeouts {
  /** A whole `chat`, with its stream. @defaultValue no limit */
  totalMs?: number | null | undefined
  /** One step, with the stream of its answer. @defaultValue no limit */
  stepMs?: number | null | undefined
}

/** The options that all runners share. */
export interface BaseAgentRunnerOptions<State> {
  agentWorker: AgentWorker
  /** The conversation so far; not together with `memory`. */
  chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined
  /** Tasks to start with. @defaultValue none */
  state?: State | null | undefined
  /** Keeps the conversation. @defaultValue a {@link ChatMemoryBuffer} for `llm` */
  memory?: BaseMemory | null | undefined
  /** The model that will read the conversation; sets the size of the default memory. */
  llm?: Pick<BaseLLM, 'metadata'> | null | undefined
  /** Hears the events; also set on the worker. @defaultValue the worker's */
  callbackManager?: CallbackManager | null | undefined
  /** What the extra state of every task starts with. */
  initTaskStateKwargs?: Readonly<Record<string, unknown>> | null | undefined
  /** Forget a task as soon as it is finalized. @defaultValue false */
  deleteTaskOnFinish?: boolean | undefined
  /** How many finalized tasks are kept; the oldest are forgotten first; null keeps all. @defaultValue 1000 */
  maxFinishedTasks?: number | null | undefined
  timeouts?: RunTimeouts | undefined
  /** Where every task is saved after each step. */
  taskStore?: TaskStore | undefined
  /** Classes of models that saved tasks may hold besides those of this family. */
  registry?: ClassRegistry | undefined
  /** Makes the ids of tasks. @defaultValue random UUIDs */
  newId?: (() => string) | undefined
}

/** What goes along with a message. */
export interface ChatOptions {
  /** Replaces the conversation, also when it is empty. */
  chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined
  /** For the first step; later steps are free. */
  toolChoice?: ToolChoice | null | undefined
  signal?: AbortSignal | undefined
}

/** What goes along with the rest of a task. */
export interface RunTaskOptions {
  toolChoice?: ToolChoice | null | undefined
  signal?: AbortSignal | undefined
}

/** What goes along with a single step. */
export interface RunStepOptions {
  /** Replaces the input of the step; not together with `step`. */
  input?: string | null | undefined
  /** The step to run. @defaultValue the first upcoming one */
  step?: TaskStep | null | undefined
  toolChoice?: ToolChoice | null | undefined
  signal?: AbortSignal | undefined
}

/** Hears the events of a run. */
export type OnAgentEvent = (event: AgentEvent) => void

type Answer = AgentChatResponse | StreamingAgentChatResponse

/** How a runner goes on with a task. */
export interface Advance {
  toolChoice: ToolChoice
  mode: ChatResponseMode
  signal: AbortSignal | undefined
  onEvent: OnAgentEvent | undefined
}

/** See the module. */
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
  private readonly registry: ClassRegistry | undefined
  private readonly newId: () => string
  /** Finalized tasks, the oldest first. */
  private readonly finished = new Set<string>()
  /** Goes along with the forgetting: a new look for the first one would pass all that are forgotten already. */
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
    this.registry = options.registry
    this.newId = options.newId ?? newId
  }

  protected abstract makeState(task: Task, firstStep: TaskStep): State
  /** Runs what comes next; its output, or that of the last step among several. */
  protected abstract advance(state: State, options: Advance): Promise<TaskStepOutput | undefined>
  protected abstract firstToolChoice(given: ToolChoice | null | undefined): ToolChoice

  /** The whole conversation. */
  get chatHistory(): ChatMessage[] {
    return this.memory.getAll()
  }

  /**
   * Makes a task for an input and its first step. The conversation is not touched before the task is finalized.
   * @throws {TaskAlreadyExistsError} when the id is taken.
   * @throws {ConfigurationError} when there are `initTaskStateKwargs` and an extra state.
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
      // The worker has taken its time.
      if (this.state.taskDict.has(taskId)) throw new TaskAlreadyExistsError(taskId)
      return begin(step)
    })
  }

  /** Takes a new task up; it is none when it cannot be saved. */
  private add(state: State): Promise<void> | undefined {
    const { taskId } = state.task
    this.state.taskDict.set(taskId, state)
    return this.taskStore && this.saveOr(state, () => this.state.taskDict.delete(taskId))
  }

  private knows(state: State): boolean {
    return this.state.taskDict.get(state.task.taskId) === state
  }

  /** All tasks, in the order of their creation. */
  listTasks(): Task[] {
    return this.state.taskDict.values().map(({ task }) => task)
  }

  /** @throws {TaskNotFoundError} */
  getTask(taskId: string): Task {
    return this.state.get(taskId).task
  }

  /** The steps that are still to run. @throws {TaskNotFoundError} */
  getUpcomingSteps(taskId: string): TaskStep[] {
    return [...this.state.get(taskId).stepQueue]
  }

  /** What came out of the steps so far. @throws {TaskNotFoundError} */
  getCompletedSteps(taskId: string): TaskStepOutput[] {
    return [...this.state.get(taskId).completedSteps]
  }

  /** @throws {StepNotFoundError} when no completed step has the id. */
  getCompletedStep(taskId: string, stepId: string): TaskStepOutput {
    const found = this.state.get(taskId).completedSteps.find(({ taskStep }) => taskStep.stepId === stepId)
    if (!found) throw new StepNotFoundError(taskId, stepId)
    return found
  }

  /**
   * Forgets a task. What it has put into the conversation stays; what still runs or streams of it puts nothing there any
   * more.
   */
  async deleteTask(taskId: string): Promise<void> {
    this.state.get(taskId)
    this.state.taskDict.delete(taskId)
    this.finished.delete(taskId)
    await this.taskStore?.delete(taskId)
  }

  /** Forgets the conversation and all tasks. */
  async reset(): Promise<void> {
    const ids = [...this.state.taskDict.keys()]
    this.memory.reset()
    this.state.reset()
    this.finished.clear()
    for (const taskId of ids) await this.taskStore?.delete(taskId)
  }

  /** Answers a message: a task, its steps, and the answer in the conversation. */
  chat(message: string, options: ChatOptions = {}): Promise<AgentChatResponse> {
    return this.converse(message, options, 'wait', this.memory) as Promise<AgentChatResponse>
  }

  /** As `chat`, but the answer streams as soon as its first word is known. */
  streamChat(message: string, options: ChatOptions = {}): Promise<StreamingAgentChatResponse> {
    return this.converse(message, options, 'stream', this.memory) as Promise<StreamingAgentChatResponse>
  }

  /** Runs the rest of a task, such as one that failed, was loaded or has got its approvals, and finalizes it. */
  async runTask(taskId: string, options: RunTaskOptions = {}): Promise<AgentChatResponse> {
    const response = await this.runToEnd(taskId, options, 'wait')
    // The last step may have been run as a stream.
    await streamOf(response)
    return response
  }

  /** As `runTask`, but the answer streams. */
  async streamTask(taskId: string, options: RunTaskOptions = {}): Promise<StreamingAgentChatResponse> {
    return (await this.runToEnd(taskId, options, 'stream')) as StreamingAgentChatResponse
  }

  /**
   * Answers a message and tells what happens meanwhile. Nothing starts before the events are read; who stops reading
   * cancels the run. Ends after `task_end`, after `approval_required`, or with the error after `error`.
   * @param options.stream - whether the answer comes in pieces. @defaultValue true
   * @param options.taskId - goes on with that task instead of starting one; the message is not used then.
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
    // By its id: the task may be forgotten before the run starts.
    return this.withRunDeadline(task.input, options.signal, (signal, event) =>
      this.finish(this.state.get(taskId), { ...options, signal }, mode, onEvent, event),
    )
  }

  /** Runs `work` within the time limit of runs. Steps stop as soon as the signal aborts, and are taken back before the run ends. */
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

  /** Runs the rest of a task and finalizes it. */
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
      output = await this.advance(state, { toolChoice, mode, signal: options.signal, onEvent })
      // The caller has cancelled while the step was being saved.
      options.signal?.throwIfAborted()
      // Also ends the run of a task that was forgotten meanwhile.
      const waiting = output?.isLast ? [] : this.getPendingApprovals(taskId)
      if (waiting.length > 0) throw new ApprovalRequiredError(taskId, waiting)
      // A forced call is forced once: else the task would never end.
      toolChoice = 'auto'
    }
    const finalizing = this.finalize(taskId, output)
    const answer = finalizing instanceof Promise ? await finalizing : finalizing
    const response = mode === 'stream' ? asStream(answer) : answer
    event.end({ response })
    return response
  }

  /**
   * Puts the messages of a finished task into the conversation and gives its answer. For a streaming answer that
   * happens when the stream is complete. A second call gives the same answer and writes nothing.
   * @throws {StepNotLastError} when the step is not the last one.
   * @throws {InvalidAgentOutputError} when the worker gave something that is no answer.
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
        `Task "${taskId}": expected an AgentChatResponse as the last output, got ${typeof response}.`,
      )
    }
    state.response = response
    const write = (): void | Promise<void> => {
      // Forgotten while its answer streamed.
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

  /** Keeps or forgets a task whose messages are in the conversation, which had `before` messages without them. */
  private retire(state: State, before: number): void | Promise<void> {
    // A second try, after the task could not be saved, writes nothing any more.
    state.memoryLength ??= before
    if (!this.knows(state)) return
    const { taskId } = state.task
    const { taskStore } = this
    if (!taskStore) return void this.forgetFinished(taskId)
    const saveAndForget = async () => {
      if (!this.deleteTaskOnFinish) await this.save(state)
      // Forgotten while it was saved.
      if (!this.knows(state)) return
      for (const id of this.forgetFinished(taskId)) await taskStore.delete(id)
    }
    return saveAndForget()
  }

  /** Forgets this task if none is to stay, and the oldest ones that are too many; gives their ids. */
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
   * Takes the last step (of a parallel runner: the last batch) back: the task is as it was before it. What tools have
   * done to the world is not undone.
   * @throws {TaskFinalizedError} when the task is finalized.
   * @throws {NothingToUndoError} when no step has run.
   */
  async undoStep(taskId: string): Promise<void> {
    const state = this.state.get(taskId)
    if (state.response)
      throw new TaskFinalizedError(taskId, 'its messages are in the conversation and cannot be taken back')
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
    // No step may start from a state that may be taken back.
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
   * A new task that goes its own way from a point of this one, in a copy of the conversation; this task is not
   * touched. Approvals given since then do not count for the new task.
   * @param options.atStep - how many steps are kept. @defaultValue all of them
   * @throws {InvalidStepError} when the task was never at that point, or not between two batches.
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
        `Task "${taskId}": it cannot be forked at step ${atStep} of ${origin.completedSteps.length}.`,
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

  /** The tool calls of a task that wait for a decision. */
  getPendingApprovals(taskId: string): PendingToolCall[] {
    return pendingCalls(this.state.get(taskId)).filter(({ decision }) => decision === null)
  }

  /** Lets a waiting tool call run. @throws {ApprovalError} when no call with that id waits. */
  approve(taskId: string, callId: string): Promise<void> {
    return this.decide(taskId, callId, { decision: 'approve' })
  }

  /** Refuses a waiting tool call; the model is told, with the reason. */
  reject(taskId: string, callId: string, reason?: string): Promise<void> {
    return this.decide(taskId, callId, { decision: 'reject', ...(reason !== undefined && { reason }) })
  }

  /** Lets a waiting tool call run with other arguments. */
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
    // Other decisions may have come meanwhile.
    await this.saveOr(state, () => put(call))
  }

  /** A task as plain JSON, to go on with it later or elsewhere. @throws {SerializationError} naming what has no JSON form. */
  saveTask(taskId: string): SavedTask {
    const state = this.state.get(taskId)
    if (state.busy) throw new TaskBusyError(taskId)
    return writeSavedTask(state)
  }

  /**
   * Takes a saved task up. When the conversation is empty, the saved one is taken over too.
   * @throws {SavedTaskError} when the data is of another version, not complete, or of another kind of worker.
   * @throws {TaskAlreadyExistsError} when there is a task with its id.
   */
  async loadTask(data: unknown): Promise<Task> {
    const { agentWorker } = this
    const saved = readSavedTask(data, this.registry, (state) => agentWorker.readsState?.(state) ?? true)
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

  /** Takes a task up from the task store. Null when the store has none with that id. */
  async resumeTask(taskId: string): Promise<Task | null> {
    if (!this.taskStore) throw new ConfigurationError('AgentRunner: give a taskStore to resume tasks from.')
    const data = await this.taskStore.load(taskId)
    return data === null ? null : this.loadTask(data)
  }

  /** A task that was forgotten meanwhile does not come back. */
  private async save(state: State): Promise<void> {
    if (this.taskStore && this.knows(state)) await this.taskStore.save(state.task.taskId, writeSavedTask(state))
  }

  private async saveOr(state: State, takeBack: () => void): Promise<void> {
    try {
      await this.save(state)
    } catch (error) {
      takeBack()
      throw error
    }
  }

  /** What came out of steps counts now, or as soon as their answer has streamed and the task is saved. */
  protected record(
    move: Move<State>,
    outputs: readonly TaskStepOutput[],
    queued: readonly TaskStep[],
    failed: readonly TaskStep[] = [],
  ): Promise<void> | undefined {
    const { state } = move
    move.record(outputs, queued, failed)
    for (const { output } of outputs) {
      if (!isStreamingResponse(output)) continue
      const takeBack = () => {
        move.takeBack()
        state.response = null
      }
      return output.whenDone(() => this.settle(move), takeBack)
    }
    return this.settle(move)
  }

  private settle(move: Move<State>): Promise<void> | undefined {
    if (this.taskStore) return this.save(move.state).then(() => move.end())
    move.end()
    return undefined
  }

  /** Runs one step of a working copy. */
  protected runOne(step: TaskStep, task: Task, advance: Advance): Promise<TaskStepOutput> {
    const { stepMs } = this.timeouts
    if (stepMs === undefined && !advance.signal) return this.runWorker(step, task, advance, undefined)
    const deadline = {
      milliseconds: stepMs,
      signal: advance.signal,
      error: () => new DeadlineExceededError(`Step "${step.stepId}"`, stepMs ?? 0),
      untilSettled: ({ output }: TaskStepOutput) => streamOf(output),
    }
    return withDeadline<TaskStepOutput>(deadline, (signal) =>
      raceAbort(this.runWorker(step, task, advance, signal), signal),
    ) as Promise<TaskStepOutput>
  }

  private runWorker(
    step: TaskStep,
    task: Task,
    { toolChoice, mode, onEvent }: Advance,
    signal: AbortSignal | undefined,
  ): Promise<TaskStepOutput> {
    const { taskId, stepId } = step
    const { agentWorker } = this
    const run = (options: StepOptions) =>
      mode === 'stream' ? agentWorker.streamStep(step, task, options) : agentWorker.runStep(step, task, options)
    if (!onEvent) return run({ toolChoice, signal })
    const announced = async () => {
      onEvent({ type: 'step_start', taskId, stepId, input: step.input })
      const onStepEvent = (event: StepEvent) => onEvent({ ...event, taskId, stepId })
      const output = await run({ toolChoice, signal, onEvent: onStepEvent })
      onEvent({ type: 'step_end', taskId, stepId, output })
      return output
    }
    return announced()
  }

  /** Whether a step may be left before its worker is done with it. */
  protected isAbandonable({ signal }: Advance): boolean {
    return signal !== undefined || this.timeouts.stepMs !== undefined
  }

  /**
   * Answers a question besides the conversation, which neither counts for the answer nor changes. The task of the question
   * stays only when tool calls wait for approval: `runTask` goes on with it.
   * @returns the text and the nodes behind it.
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

  /** This agent as a part of a query pipeline: takes `input`, gives `output`. */
  asQueryComponent(options: { partial?: Record<string, unknown> } = {}): QueryComponent {
    return agentComponent(this, options.partial)
  }

  /** A conversation line by line, until the line `exit` or the end of the input. The conversation starts anew. */
  chatRepl(io: ChatReplIo): Promise<void> {
    return runChatRepl(this, io, false)
  }

  /** As `chatRepl`, with answers that stream. */
  streamingChatRepl(io: ChatReplIo): Promise<void> {
    return runChatRepl(this, io, true)
  }

  /** The prompts of the runner: none. Those of its worker: `agentWorker.getPrompts()`. */
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
