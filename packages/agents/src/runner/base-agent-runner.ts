/**
 * @module
 * The base of all runners: their operations, each a call of the part that does it.
 */
import { checkOptions } from '@x/core/options'
import {
  type BaseMemory,
  CallbackManager,
  type ChatMessage,
  type ChatMessageOptions,
  type ChatStore,
  ConfigurationError,
  type QueryBundle,
  type QueryComponent,
} from '@x/core-model'
import { type PromptDict, updatePrompts } from '@x/prompts'
import type { AgentChatResponse } from '../answer/agent-chat-response.ts'
import { streamEnd } from '../answer/chat-answer.ts'
import type { QueryResponse } from '../answer/query-response.ts'
import type { StreamingAgentChatResponse } from '../answer/streaming-chat-response.ts'
import type { AgentWorker } from '../loop/agent-worker.ts'
import { memoryOf, messagesNow } from '../memory/chat-memory-buffer.ts'
import { limitsOf, StoredChatMemory } from '../memory/stored-chat-memory.ts'
import type { AgentEvent, PendingToolCall } from '../task/agent-event.ts'
import { type AgentInput, taskInput } from '../task/agent-input.ts'
import type { AgentState, TaskState } from '../task/agent-state.ts'
import type { Approval } from '../task/approval-record.ts'
import { undecidedCalls } from '../task/approvals.ts'
import type { Json } from '../task/durable.ts'
import type { LoadTaskOptions } from '../task/journal.ts'
import type { SavedTask } from '../task/saved-task.ts'
import type { Task } from '../task/task.ts'
import { StepNotFoundError } from '../task/task-errors.ts'
import type { TaskStep } from '../task/task-step.ts'
import type { TaskStepOutput } from '../task/task-step-output.ts'
import type { TypedTool } from '../tool/base-tool.ts'
import type { CallEventOf } from '../tool/typed-tools.ts'
import { agentComponent } from './agent-component.ts'
import { type ChatReplIo, runChatRepl } from './chat-repl.ts'
import { Conversation } from './conversation.ts'
import type { Answer } from './finalizing.ts'
import { RunnerChats } from './runner-chats.ts'
import type {
  BaseAgentRunnerOptions,
  ChatOptions,
  QueryOptions,
  RunArguments,
  RunEventsOptions,
  RunStepOptions,
  RunTaskOptions,
} from './runner-options.ts'
import { RunnerRuns } from './runner-runs.ts'
import { CREATE_TASK_OPTIONS, type CreateTaskOptions, type RunnerKind, RunnerTasks } from './runner-tasks.ts'

/**
 * Base class of runners: conversations and their answers, tasks and their steps. `Context` is the run context that tools and hooks need,
 * `Output` the value of a structured answer, `ToolName` the names of the tools, `ExtraState` the extra state of tasks, and `Tools` the tools, for the
 * events of calls.
 */
export abstract class BaseAgentRunner<
  State extends TaskState = TaskState,
  Context = unknown,
  Output = unknown,
  ToolName extends string = string,
  ExtraState extends object = Record<string, unknown>,
  Tools extends readonly TypedTool[] = readonly TypedTool[],
> {
  readonly agentWorker: AgentWorker
  readonly memory: BaseMemory
  readonly callbackManager: CallbackManager
  readonly initTaskStateKwargs: Readonly<Record<string, unknown>>
  deleteTaskOnFinish: boolean
  maxFinishedTasks: number | null
  readonly state: AgentState<State>
  private readonly tasks: RunnerTasks<State>
  /** @internal */
  protected readonly runs: RunnerRuns<State>
  private readonly chats: RunnerChats<State>
  private readonly llm: BaseAgentRunnerOptions<unknown>['llm']

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
    this.llm = options.llm
    this.tasks = new RunnerTasks(this, options, kind.makeState)
    this.runs = new RunnerRuns(this, this.tasks, options, kind.batches)
    this.chats = new RunnerChats(this.memory, this.tasks, this.runs)
  }

  /**
   * The whole conversation of runs without their own.
   * @throws {ConfigurationError} if the memory is asynchronous; use `await agent.memory.getAll()`.
   */
  get chatHistory(): ChatMessage[] {
    return messagesNow(this.memory)
  }

  /**
   * Creates a conversation with its own messages.
   * @param options.chatHistory - the messages so far. Cannot be combined with `memory`.
   */
  conversation(
    options: {
      memory?: BaseMemory | null | undefined
      chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined
      /** Has the conversation with this `id`, which is written turn by turn while the agent works. */
      chatStore?: ChatStore | undefined
      id?: string | undefined
    } = {},
  ): Conversation<Context, Output, ToolName, Tools> {
    const { memory, chatHistory, chatStore, id } = options
    if (chatStore !== undefined || id !== undefined) {
      if (memory || chatHistory)
        throw new ConfigurationError('conversation: chatStore and id cannot be combined with memory or chatHistory.')
      const stored = { chatStore, conversationId: id, ...limitsOf(this.memory) }
      return new Conversation<Context, Output, ToolName, Tools>(this.chats, new StoredChatMemory(stored as never))
    }
    const fresh = memory || chatHistory ? undefined : this.memory.fresh?.()
    const own = fresh ?? memoryOf('conversation', { memory, chatHistory, llm: this.llm })
    return new Conversation<Context, Output, ToolName, Tools>(this.chats, own)
  }

  /** Deletes the conversation of runs without their own, and all tasks. */
  async reset(): Promise<void> {
    const deleting = this.tasks.table.reset()
    await this.memory.reset()
    await deleting
  }

  /**
   * Answers a message: creates a task, runs its steps, and adds the answer to the conversation.
   * @param input - a string, content parts (text, images and files), or a message of the user.
   * @throws {ConversationBusyError} if another run uses the conversation.
   * @throws {ModelValidationError} if a part of the input is invalid.
   */
  chat(
    input: AgentInput,
    ...[options]: RunArguments<ChatOptions<Context, ToolName>, Context>
  ): Promise<AgentChatResponse<Output>> {
    return this.chats.answer(input, options) as Promise<AgentChatResponse<Output>>
  }

  /**
   * Answers a message without the memory of the agent: it sees no earlier message but those in `chatHistory`, and leaves none behind. For
   * functions that serve several users. With events, the same is `runEvents(input, { conversation: agent.conversation() })`.
   */
  once(
    input: AgentInput,
    ...[options]: RunArguments<Omit<ChatOptions<Context, ToolName>, 'memory' | 'conversation'>, Context>
  ): Promise<AgentChatResponse<Output>> {
    const { chatHistory, ...others } = (options ?? {}) as ChatOptions
    const { memory } = this.conversation({ chatHistory })
    return this.chats.once(input, { ...others, memory }) as Promise<AgentChatResponse<Output>>
  }

  /** Like `chat`, but returns a streaming answer as soon as its first piece arrives, or immediately with the text of all turns. */
  streamChat(
    input: AgentInput,
    ...[options]: RunArguments<ChatOptions<Context, ToolName>, Context>
  ): Promise<StreamingAgentChatResponse<Output>> {
    return this.chats.stream(input, options) as Promise<StreamingAgentChatResponse<Output>>
  }

  /**
   * Answers a message and yields the events of the run. Nothing starts before the events are read. Abandoning the iterator cancels the
   * run. Ends after `task_end` or `approval_required`, or throws after `error`.
   * @param options.stream - whether the answer streams. @defaultValue true
   */
  runEvents(
    input: AgentInput,
    ...[options]: RunArguments<RunEventsOptions<Context, ToolName>, Context>
  ): AsyncGenerator<AgentEvent<CallEventOf<Tools>>> {
    return this.chats.events(input, options) as AsyncGenerator<AgentEvent<CallEventOf<Tools>>>
  }

  /**
   * Answers a question outside the conversation: the history is neither read nor changed. The task of the question is kept only if tool
   * calls wait for approval; `runTask` continues it.
   * @returns the text and the nodes that it is based on.
   */
  query(
    query: string | QueryBundle,
    ...[options]: RunArguments<QueryOptions<Context>, Context>
  ): Promise<QueryResponse> {
    return this.chats.query(query, options)
  }

  /** Returns this agent as a query pipeline component with the input `input` and the output `output`. */
  asQueryComponent(
    ...[options]: RunArguments<{ partial?: Record<string, unknown>; context?: Context | undefined }, Context>
  ): QueryComponent {
    const { partial, context } = options ?? {}
    return agentComponent((query, run) => this.chats.query(query, { ...run, context }), partial)
  }

  /** Runs a conversation line by line, until the line `exit` or the end of the input. Resets the conversation first. */
  chatRepl(io: ChatReplIo, ...[options]: RunArguments<ChatOptions<Context, ToolName>, Context>): Promise<void> {
    return this.repl(io, (line) => this.chats.answer(line, options))
  }

  /** Like `chatRepl`, with streaming answers. */
  streamingChatRepl(
    io: ChatReplIo,
    ...[options]: RunArguments<ChatOptions<Context, ToolName>, Context>
  ): Promise<void> {
    return this.repl(io, (line) => this.chats.stream(line, options))
  }

  private repl(io: ChatReplIo, answer: (line: string) => Promise<Answer>): Promise<void> {
    return runChatRepl(io, () => this.reset(), answer)
  }

  /** Returns an empty object: a runner has no prompts. Use `agentWorker.getPrompts()`. */
  getPrompts(): PromptDict {
    return {}
  }

  /** @throws {PromptKeyError} for every name: a runner has no prompts. */
  updatePrompts(prompts: Readonly<PromptDict>): void {
    updatePrompts({}, prompts)
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
  undoStep(taskId: string): Promise<void> {
    return this.tasks.undo(taskId)
  }

  /**
   * Creates a task that continues independently from a step of this task, with a copy of the conversation. This task does not change.
   * Approvals after that step are not copied.
   * @param options.atStep - the number of steps that are kept. @defaultValue all
   * @throws {InvalidStepError} if the task was never at that step, or the step is inside a batch.
   */
  forkTask(taskId: string, options: { atStep?: number; taskId?: string } = {}): Promise<Task<ExtraState>> {
    return this.tasks.fork(taskId, options) as Promise<Task<ExtraState>>
  }

  /** Whether a task has a journal in a task store. @throws {TaskNotFoundError} */
  isSaved(taskId: string): boolean {
    return this.tasks.table.saved?.get(this.state.get(taskId))?.journal !== undefined
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
  approve(taskId: string, callId: string, options: Omit<Approval, 'arguments'> = {}): Promise<void> {
    return this.decideCall(taskId, callId, options)
  }

  /** Rejects a waiting tool call. The model receives the reason. @throws {ApprovalError} if no call with this id waits. */
  reject(taskId: string, callId: string, reason?: string, options: { by?: string } = {}): Promise<void> {
    const given = reason === undefined ? {} : { reason }
    return this.tasks.decide(taskId, callId, options.by, (call) => ({ ...call, decision: 'reject', ...given }))
  }

  /**
   * Approves a waiting tool call with other arguments. The conversation shows them, because the tool runs with them.
   * @throws {ApprovalError} if no call with this id waits.
   * @throws {ToolInputError} if the arguments do not match the schema of the tool. Then the call still waits.
   */
  edit(
    taskId: string,
    callId: string,
    args: Record<string, unknown>,
    options: Pick<Approval, 'by' | 'approvalId'> = {},
  ): Promise<void> {
    return this.decideCall(taskId, callId, { ...options, arguments: args })
  }

  private decideCall(taskId: string, callId: string, approval: Approval): Promise<void> {
    return this.tasks.decide(taskId, callId, approval.by, async (call, task) => {
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
    { isError = false, by }: { isError?: boolean; by?: string } = {},
  ): Promise<void> {
    return this.tasks.decide(taskId, callId, by, (call) => ({ ...call, decision: 'result', result, isError }))
  }

  /**
   * Returns a task as plain JSON, to continue it later or elsewhere.
   * @throws {SerializationError} naming the value that cannot be saved.
   * @throws {ConfigurationError} if the agent has no `taskStore`, not even `journal()`.
   */
  saveTask(taskId: string): SavedTask {
    return this.tasks.save(taskId)
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
  loadTask(data: unknown, options: LoadTaskOptions = {}): Promise<Task<ExtraState>> {
    return this.tasks.load(data, options) as Promise<Task<ExtraState>>
  }

  /**
   * Returns a task as the task store has it now: loads it, unless this runner has it and no other runner has continued it. Returns null
   * if the store has no task with this id.
   * @throws {ConfigurationError} if there is no task store and this runner does not have the task.
   */
  resumeTask(taskId: string, options: LoadTaskOptions = {}): Promise<Task<ExtraState> | null> {
    return this.tasks.resume(taskId, options) as Promise<Task<ExtraState> | null>
  }
}
