/**
 * @module
 * The base of all runners: conversations, tasks and their answers, and undoing, forking, saving and loading tasks.
 */
import {
  type BaseMemory,
  type CallbackEvent,
  CallbackManager,
  type ChatMessage,
  type ChatMessageOptions,
  ConfigurationError,
  isToolkitError,
  type QueryBundle,
  type QueryComponent,
} from '@x/core-model'
import { newId, raceAbort, withDeadline } from '@x/core-model/internal'
import { type PromptDict, updatePrompts } from '@x/prompts'
import { withAbortError } from '../abort.ts'
import {
  type AgentChatResponse,
  asStream,
  type StreamingAgentChatResponse,
  streamOf,
} from '../answer/agent-chat-response.ts'
import { QueryResponse } from '../answer/query-response.ts'
import {
  ApprovalRequiredError,
  DeadlineExceededError,
  MultipleFinalStepsError,
  NoUpcomingStepError,
  StepNotFoundError,
  TaskBusyError,
} from '../errors.ts'
import type { AgentWorker, ToolChoice } from '../loop/agent-worker.ts'
import { ChatMemoryBuffer, memoryOf, messagesNow, toMessage } from '../memory/chat-memory-buffer.ts'
import type { AgentEvent, PendingToolCall } from '../task/agent-event.ts'
import type { AgentState, TaskState } from '../task/agent-state.ts'
import { allowTool, type Decide, decideCall, undecidedCalls, waitingCalls } from '../task/approvals.ts'
import type { Json } from '../task/durable.ts'
import { readJournal } from '../task/read-journal.ts'
import { readSavedTask, type SavedTask } from '../task/saved-task.ts'
import { SavedClasses } from '../task/state-codec.ts'
import { Task } from '../task/task.ts'
import { forkAt, undoLast } from '../task/task-history.ts'
import type { TaskStep, TaskStepOutput } from '../task/task-step.ts'
import { agentComponent } from './agent-component.ts'
import { streamAllTurns } from './all-turns.ts'
import { type ChatReplIo, runChatRepl } from './chat-repl.ts'
import { chosenStep } from './chosen-step.ts'
import { Conversation, OpenConversations } from './conversation.ts'
import { type Answer, finalizeTask } from './finalizing.ts'
import { type LoadTaskOptions, loadedState } from './load-task.ts'
import { runEvents } from './run-events.ts'
import type {
  BaseAgentRunnerOptions,
  ChatOptions,
  ChatResponseMode,
  OnAgentEvent,
  RunStepOptions,
  RunTaskOptions,
  RunTimeouts,
  StepRunOptions,
} from './runner-options.ts'
import { StepRunner } from './step-runner.ts'
import { TaskShelf } from './task-shelf.ts'

/** Options of a new task. */
export interface CreateTaskOptions {
  /** @defaultValue a new id */
  taskId?: string | undefined
  /** The initial extra state. Cannot be combined with `initTaskStateKwargs`. */
  extraState?: Readonly<Record<string, unknown>> | undefined
  /** @defaultValue the callback manager of the runner */
  callbackManager?: CallbackManager | undefined
  /** The conversation of the task. @defaultValue the memory of the runner */
  memory?: BaseMemory | null | undefined
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
  /** Whether all queued steps run together. */
  protected readonly batches: boolean
  private readonly options: BaseAgentRunnerOptions<AgentState<State>>
  private readonly savedClasses: SavedClasses
  private readonly newId: () => string
  private readonly shelf: TaskShelf<State>
  private readonly steps: StepRunner
  private readonly conversations = new OpenConversations()

  constructor(
    options: BaseAgentRunnerOptions<AgentState<State>>,
    { emptyState, batches }: { emptyState: () => AgentState<State>; batches: boolean },
  ) {
    const { agentWorker } = options
    this.options = options
    this.agentWorker = agentWorker
    this.batches = batches
    this.memory = memoryOf('AgentRunner', options)
    this.callbackManager = options.callbackManager ?? agentWorker.callbackManager ?? new CallbackManager()
    this.initTaskStateKwargs = options.initTaskStateKwargs ?? {}
    this.deleteTaskOnFinish = options.deleteTaskOnFinish ?? false
    this.maxFinishedTasks = options.maxFinishedTasks === undefined ? 1000 : options.maxFinishedTasks
    this.state = options.state ?? emptyState()
    this.timeouts = options.timeouts ?? {}
    this.savedClasses = new SavedClasses(options.registry)
    this.newId = options.newId ?? newId
    this.shelf = new TaskShelf(this.state, {
      store: options.taskStore,
      classes: this.savedClasses,
      deleteOnFinish: () => this.deleteTaskOnFinish,
      maxFinished: () => this.maxFinishedTasks,
    })
    this.steps = new StepRunner({
      agentWorker,
      batches,
      timeouts: this.timeouts,
      newId: this.newId,
      now: options.now ?? Date.now,
      durable: options.durable,
      append: (state, make) => this.shelf.append(state, make),
    })
  }

  protected abstract makeState(task: Task, firstStep: TaskStep): State
  protected abstract firstToolChoice(given: ToolChoice | null | undefined): ToolChoice

  /**
   * The whole conversation of runs without their own.
   * @throws {ConfigurationError} if the memory is asynchronous; use `await agent.memory.getAll()`.
   */
  get chatHistory(): ChatMessage[] {
    return messagesNow(this.memory)
  }

  /**
   * Starts a conversation with messages of its own.
   * @param options.chatHistory - the messages so far. Cannot be combined with `memory`.
   */
  conversation(
    options: {
      memory?: BaseMemory | null | undefined
      chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined
    } = {},
  ): Conversation {
    const { memory, chatHistory } = options
    const fresh = memory || chatHistory ? undefined : this.memory.fresh?.()
    return new Conversation(this, fresh ?? memoryOf('conversation', { memory, chatHistory, llm: this.options.llm }))
  }

  /**
   * Creates a task for an input, and its first step. The conversation does not change before the task is finalized.
   * @throws {TaskAlreadyExistsError} if the id is already used.
   * @throws {ConfigurationError} if there are `initTaskStateKwargs` and an extra state.
   */
  async createTask(input: string, options: CreateTaskOptions = {}): Promise<Task> {
    return (await this.makeTask(input, options)).task
  }

  private async makeTask(input: string, options: CreateTaskOptions, signal?: AbortSignal): Promise<State> {
    const standing = Object.keys(this.initTaskStateKwargs).length > 0
    if (standing && options.extraState) {
      throw new ConfigurationError(
        'AgentRunner: initTaskStateKwargs are the extra state of every task; do not pass extra state to createTask.',
      )
    }
    const taskId = options.taskId ?? this.newId()
    this.shelf.refuseKnown(taskId)
    const task = new Task({
      taskId,
      input,
      memory: options.memory ?? this.memory,
      callbackManager: options.callbackManager ?? this.callbackManager,
      extraState: { ...(standing ? this.initTaskStateKwargs : options.extraState) },
    })
    const step = await raceAbort(this.agentWorker.initializeStep(task), signal)
    const state = this.makeState(task, step)
    state.ownsConversation = task.memory !== this.memory
    // Another task may have used the id while the worker was initializing this one.
    await this.shelf.add(state)
    return state
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
    await this.shelf.delete(taskId)
  }

  /** Deletes the conversation of runs without their own, and all tasks. */
  async reset(): Promise<void> {
    const deleting = this.shelf.reset()
    await this.memory.reset()
    await deleting
  }

  /**
   * Answers a message: creates a task, runs its steps, and adds the answer to the conversation.
   * @throws {ConversationBusyError} if another run uses the conversation.
   */
  chat(message: string, options: ChatOptions = {}): Promise<AgentChatResponse> {
    return this.converse(message, options, 'wait') as Promise<AgentChatResponse>
  }

  /** Like `chat`, but returns a streaming answer as soon as its first piece arrives, or immediately with the text of all turns. */
  async streamChat(message: string, options: ChatOptions = {}): Promise<StreamingAgentChatResponse> {
    const answer =
      options.text === 'all'
        ? streamAllTurns(options.signal, (signal, onEvent) =>
            this.converse(message, { ...options, signal }, 'stream', { onEvent }),
          )
        : ((await this.converse(message, options, 'stream')) as StreamingAgentChatResponse)
    answer.keepsReading = options.keepsReading ?? false
    return answer
  }

  /** Runs the remaining steps of a task and finalizes it, for example after a failure, a load or an approval. */
  async runTask(taskId: string, options: RunTaskOptions = {}): Promise<AgentChatResponse> {
    const response = await this.runToEnd(taskId, options, 'wait', options.onEvent)
    // The last step may have returned a stream.
    await streamOf(response)
    return response
  }

  /** Like `runTask`, but returns a streaming answer. */
  async streamTask(taskId: string, options: RunTaskOptions = {}): Promise<StreamingAgentChatResponse> {
    return (await this.runToEnd(taskId, options, 'stream', options.onEvent)) as StreamingAgentChatResponse
  }

  /**
   * Answers a message and yields the events of the run. Nothing starts before the events are read. Abandoning the iterator cancels the
   * run. Ends after `task_end` or `approval_required`, or throws after `error`.
   * @param options.stream - whether the answer streams. @defaultValue true
   * @param options.taskId - continues this task instead of creating one; the message is not used then.
   */
  runEvents(
    message: string,
    options: ChatOptions & { stream?: boolean; taskId?: string } = {},
  ): AsyncGenerator<AgentEvent> {
    const { taskId, stream } = options
    const mode: ChatResponseMode = stream === false ? 'wait' : 'stream'
    return runEvents(options.signal, (signal, onEvent) =>
      taskId
        ? this.runToEnd(taskId, { ...options, signal }, mode, onEvent)
        : this.converse(message, { ...options, signal }, mode, { onEvent }),
    )
  }

  private async converse(
    message: string,
    options: ChatOptions,
    mode: ChatResponseMode,
    { onEvent, taskId }: { onEvent?: OnAgentEvent; taskId?: string } = {},
  ): Promise<Answer> {
    const { chatHistory } = options
    const memory = this.memoryOfRun(options)
    return this.conversations.use(memory, () =>
      this.withRunDeadline(message, options.signal, async (signal, event) => {
        if (chatHistory) await memory.set(chatHistory.map(toMessage))
        const state = await this.makeTask(message, { taskId, memory }, signal)
        return this.finish(state, { ...options, signal }, mode, onEvent, event)
      }),
    )
  }

  /** @throws {ConfigurationError} if there is more than one conversation. */
  private memoryOfRun({ memory, conversation, chatHistory }: ChatOptions): BaseMemory {
    const given = Object.entries({ memory, conversation, chatHistory }).filter(([, value]) => value)
    if (given.length > 1) {
      const names = given.map(([name]) => name).join(' and ')
      throw new ConfigurationError(`chat: ${names} cannot be combined; a run has one conversation.`)
    }
    if (conversation) return conversation.memory
    if (chatHistory && this.conversations.isOpen(this.memory)) return this.scratch()
    return memory ?? this.memory
  }

  private scratch(): BaseMemory {
    return this.memory.fresh?.() ?? ChatMemoryBuffer.fromDefaults()
  }

  private async runToEnd(
    taskId: string,
    options: RunTaskOptions,
    mode: ChatResponseMode,
    onEvent?: OnAgentEvent,
  ): Promise<Answer> {
    const { task, busy } = this.state.get(taskId)
    const run = () =>
      // Looked up by id, because the task may be deleted before the run starts.
      this.withRunDeadline(task.input, options.signal, (signal, event) =>
        this.finish(this.state.get(taskId), { ...options, signal }, mode, onEvent, event),
      )
    // A second run of the same task is refused for the task's sake, or receives the answer of the first.
    return busy ? run() : this.conversations.use(task.memory, run)
  }

  /** Runs `work` within the time limit of runs. Steps stop when the signal aborts, and are rolled back before the run ends. */
  private withRunDeadline(
    message: string,
    outer: AbortSignal | undefined,
    work: (signal: AbortSignal | undefined, event: CallbackEvent) => Promise<Answer>,
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
    { toolChoice, signal, context }: RunTaskOptions,
    mode: ChatResponseMode,
    onEvent: OnAgentEvent | undefined,
    event: CallbackEvent,
  ): Promise<Answer> {
    const { taskId } = state.task
    const run = { mode, signal, onEvent, context, parentId: event.id }
    // A tool choice is forced only once; otherwise the task would never end.
    let choice = this.firstToolChoice(toolChoice)
    let output = state.completedSteps.at(-1)
    while (!output?.isLast) {
      const outputs = await this.advance(state, { ...run, toolChoice: choice })
      // The caller has cancelled while the step was being saved.
      signal?.throwIfAborted()
      output = outputs.find(({ isLast }) => isLast)
      // Also ends the run of a task that was deleted in the meantime.
      const waiting = waitingCalls(this.state.get(taskId), outputs)
      if (waiting.length > 0) throw new ApprovalRequiredError(taskId, waiting)
      choice = 'auto'
    }
    const answer = await this.finalizeResponse(taskId, output)
    const response = mode === 'stream' ? asStream(answer) : answer
    event.end({ response })
    return response
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
  runStep(taskId: string, options: RunStepOptions = {}): Promise<TaskStepOutput> {
    return this.runOnly(taskId, options, 'wait')
  }

  /** Like `runStep`, but an answer of the model is a streaming response. */
  streamStep(taskId: string, options: RunStepOptions = {}): Promise<TaskStepOutput> {
    return this.runOnly(taskId, options, 'stream')
  }

  private async runOnly(taskId: string, options: RunStepOptions, mode: ChatResponseMode): Promise<TaskStepOutput> {
    const { signal, context, input, onEvent } = options
    const given = chosenStep(taskId, options.step, input)
    const state = this.state.get(taskId)
    if (state.busy) throw new TaskBusyError(taskId)
    const step = given ?? state.stepQueue[0]
    if (!step) throw new NoUpcomingStepError(taskId)
    const run = { toolChoice: options.toolChoice ?? 'auto', mode, signal, context, onEvent }
    const outputs = await withAbortError(
      signal,
      () => this.runBatch(state, [step], run, input),
      (all) => all.map(({ output }) => output),
    )
    return outputs[0]!
  }

  /**
   * Adds the messages of a finished task to the conversation and returns its answer. For a streaming answer, the messages are added when
   * the stream is complete. A second call returns the same answer and adds nothing.
   * @throws {StepNotLastError} if the step is not the last one.
   * @throws {InvalidAgentOutputError} if the output of the worker is not an answer.
   * @throws {TaskBusyError} if the last step is still being saved.
   */
  async finalizeResponse(taskId: string, stepOutput?: TaskStepOutput | null): Promise<Answer> {
    return finalizeTask(this.state.get(taskId), stepOutput, this.shelf, this.agentWorker)
  }

  /**
   * Undoes the last step (in a parallel runner: the last batch). The task has its previous state then. External effects of tools are not
   * undone.
   * @throws {TaskFinalizedError} if the messages of the task are in the conversation.
   * @throws {NothingToUndoError} if no step has run.
   */
  async undoStep(taskId: string): Promise<void> {
    const state = this.state.get(taskId)
    await undoLast(state, () => this.shelf.append(state, (writer) => writer.undo()))
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
    this.shelf.refuseKnown(forkId)
    const state = await forkAt(origin, { atStep, taskId: forkId }, (task, first) => this.makeState(task, first))
    await this.shelf.add(state, { task_id: taskId, at_step: atStep })
    return state.task
  }

  /** Returns the tool calls of a task that wait for a decision. */
  getPendingApprovals(taskId: string): PendingToolCall[] {
    return undecidedCalls(this.state.get(taskId))
  }

  /**
   * Approves a waiting tool call, as soon as it was reported as waiting.
   * @param options.always - whether later calls of the same tool need no approval in this task. @defaultValue false
   * @param options.by - who approved, for the journal.
   * @throws {ApprovalError} if no call with this id waits.
   */
  approve(taskId: string, callId: string, options: { always?: boolean; by?: string } = {}): Promise<void> {
    return this.decide(taskId, callId, options.by, (call, task) => {
      if (options.always) allowTool(task, call.name)
      return { ...call, decision: 'approve' }
    })
  }

  /** Rejects a waiting tool call. The model receives the reason. @throws {ApprovalError} if no call with this id waits. */
  reject(taskId: string, callId: string, reason?: string, options: { by?: string } = {}): Promise<void> {
    const given = reason === undefined ? {} : { reason }
    return this.decide(taskId, callId, options.by, (call) => ({ ...call, decision: 'reject', ...given }))
  }

  /**
   * Approves a waiting tool call with other arguments. The conversation shows them, because the tool runs with them.
   * @throws {ApprovalError} if no call with this id waits.
   * @throws {ToolInputError} if the arguments do not fit the tool. The call still waits then.
   */
  edit(taskId: string, callId: string, args: Record<string, unknown>, options: { by?: string } = {}): Promise<void> {
    return this.decide(taskId, callId, options.by, async (call, task) => {
      const edited = (await this.agentWorker.editCall?.(call, args, task)) ?? { ...call, arguments: args }
      return { ...edited, decision: 'approve' }
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
    { isError = false, by }: { isError?: boolean; by?: string } = {},
  ): Promise<void> {
    return this.decide(taskId, callId, by, (call) => ({ ...call, decision: 'result', result, isError }))
  }

  private async decide(taskId: string, callId: string, by: string | undefined, decide: Decide): Promise<void> {
    const state = this.state.get(taskId)
    await decideCall(state, callId, decide, ({ decision }) =>
      this.shelf.append(state, (writer) => writer.decision(state, { callId, decision: decision ?? '', by })),
    )
  }

  /** A task as plain JSON, to go on with it later or elsewhere. @throws {SerializationError} naming the value that cannot be saved. */
  saveTask(taskId: string): SavedTask {
    const state = this.state.get(taskId)
    if (state.busy) throw new TaskBusyError(taskId)
    return this.shelf.write(state)
  }

  /**
   * Loads a saved task: the result of `saveTask`, or the entries of a journal.
   *
   * The task goes on in its own conversation. That is the memory of this runner, if the task was created there, and the memory is empty
   * or begins with the saved messages.
   * @throws {SavedTaskError} if the data has another version, is incomplete, or is for another kind of worker.
   * @throws {TaskAlreadyExistsError} if there is a task with its id.
   * @throws {TaskClaimedError} if the task store has the task already; resume it from there.
   */
  async loadTask(data: unknown, options: LoadTaskOptions = {}): Promise<Task> {
    const { agentWorker } = this
    const saved = Array.isArray(data) ? readJournal(data) : data
    const read = readSavedTask(saved, this.savedClasses, (state) => agentWorker.readsState?.(state) ?? true)
    this.shelf.forgetClaimed(read.taskId)
    this.shelf.refuseKnown(read.taskId)
    const state = await loadedState(read, options, {
      agentWorker,
      memory: this.memory,
      callbackManager: this.callbackManager,
      openConversation: this.options.openConversation,
      makeState: (task, first) => this.makeState(task, first),
    })
    if (Array.isArray(data))
      this.shelf.addLoaded(state, { saved: saved as SavedTask, lists: read.lists, revision: data.length })
    else await this.shelf.add(state)
    this.shelf.noteFinished(state)
    return state.task
  }

  /** Loads a task from the task store. Returns null if the store has no task with this id. */
  async resumeTask(taskId: string, options: LoadTaskOptions = {}): Promise<Task | null> {
    const { taskStore } = this.options
    if (!taskStore) throw new ConfigurationError('AgentRunner.resumeTask: a taskStore is required.')
    const entries = await taskStore.load(taskId)
    return entries === null ? null : this.loadTask(entries, options)
  }

  /**
   * Answers a question outside the conversation: the history is neither read nor changed. The task of the question is kept only if tool
   * calls wait for approval; `runTask` continues it.
   * @returns the text and the nodes that it is based on.
   */
  async query(query: string | QueryBundle, options: { signal?: AbortSignal } = {}): Promise<QueryResponse> {
    const text = typeof query === 'string' ? query : query.queryStr
    const taskId = this.newId()
    let isWaiting = false
    try {
      const answer = await this.converse(text, { ...options, memory: this.scratch() }, 'wait', { taskId })
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
