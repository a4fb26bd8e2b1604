/**
 * @module
 * The base of all runners: conversations, runs and their answers.
 */
import {
  type BaseMemory,
  type CallbackEvent,
  type ChatMessage,
  type ChatMessageOptions,
  ConfigurationError,
  isToolkitError,
  type QueryBundle,
  type QueryComponent,
} from '@x/core-model'
import { withDeadline } from '@x/core-model/internal'
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
  TaskBusyError,
} from '../errors.ts'
import type { ToolChoice } from '../loop/agent-worker.ts'
import { ChatMemoryBuffer, memoryOf, messagesNow, toMessage } from '../memory/chat-memory-buffer.ts'
import type { AgentEvent } from '../task/agent-event.ts'
import type { AgentState, TaskState } from '../task/agent-state.ts'
import { waitingCalls } from '../task/approvals.ts'
import type { Durable } from '../task/durable.ts'
import type { TaskStep, TaskStepOutput } from '../task/task-step.ts'
import { agentComponent } from './agent-component.ts'
import { streamAllTurns } from './all-turns.ts'
import { inAgentEvent } from './callback-events.ts'
import { type ChatReplIo, runChatRepl } from './chat-repl.ts'
import { chosenStep } from './chosen-step.ts'
import { Conversation, OpenConversations } from './conversation.ts'
import { type Answer, finalizeTask } from './finalizing.ts'
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
import { RunnerTasks, twoJournals } from './runner-tasks.ts'
import { StepRunner } from './step-runner.ts'

/** The base class of runners; see the module. */
export abstract class BaseAgentRunner<State extends TaskState = TaskState> extends RunnerTasks<State> {
  protected readonly timeouts: RunTimeouts
  /** Whether all queued steps run together. */
  protected readonly batches: boolean
  private readonly steps: StepRunner
  private readonly conversations = new OpenConversations()

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
      newId: this.newId,
      now: options.now ?? Date.now,
      durable: options.durable,
      classes: this.savedClasses,
      isStored: options.taskStore !== undefined,
      append: (state, make) => this.shelf.append(state, make),
    })
  }

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
    { onEvent, taskId = this.newId() }: { onEvent?: OnAgentEvent; taskId?: string } = {},
  ): Promise<Answer> {
    const { chatHistory } = options
    const memory = this.memoryOfRun(options)
    return this.conversations.use(memory, () =>
      this.withRunDeadline({ message, taskId }, options, async (signal, event) => {
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
      this.withRunDeadline({ message: task.input, taskId }, options, (signal, event) =>
        this.finish(this.state.get(taskId), { ...options, signal }, mode, onEvent, event),
      )
    // A second run of the same task is refused for the task's sake, or receives the answer of the first.
    return busy ? run() : this.conversations.use(task.memory, run)
  }

  /** Runs `work` within the time limit of runs. Steps stop when the signal aborts, and are rolled back before the run ends. */
  private withRunDeadline(
    { message, taskId }: { message: string; taskId: string },
    outer: Pick<RunTaskOptions, 'signal' | 'parentId'>,
    work: (signal: AbortSignal | undefined, event: CallbackEvent) => Promise<Answer>,
  ): Promise<Answer> {
    const run = (signal: AbortSignal | undefined) =>
      inAgentEvent(this.callbackManager, { messages: [message], task_id: taskId, parentId: outer.parentId }, (event) =>
        work(signal, event),
      )
    const { totalMs } = this.timeouts
    const error = () => new DeadlineExceededError('The run', totalMs ?? 0)
    const deadline = { milliseconds: totalMs, signal: outer.signal, error, untilSettled: streamOf }
    return withAbortError(
      outer.signal,
      async () => withDeadline<Answer>(deadline, run),
      (answer) => [answer],
    )
  }

  /** Runs the remaining steps of a task and finalizes it. */
  private async finish(
    state: State,
    { toolChoice, signal, context, durable }: RunTaskOptions,
    mode: ChatResponseMode,
    onEvent: OnAgentEvent | undefined,
    event: CallbackEvent,
  ): Promise<Answer> {
    const { taskId } = state.task
    const port = this.portOf(durable)
    const run = { mode, signal, onEvent, context, parentId: event.id, durable: port }
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
    const answer = await finalizeTask(this.state.get(taskId), output, this.shelf, this.agentWorker, port)
    return mode === 'stream' ? asStream(answer) : answer
  }

  /** The port of a run. @throws {ConfigurationError} if its tasks are in a store too. */
  protected portOf(durable: Durable | undefined): Durable | undefined {
    if (durable && this.options.taskStore) throw twoJournals('runTask')
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
    const durable = this.portOf(options.durable)
    const run = { toolChoice: options.toolChoice ?? 'auto', mode, signal, context, onEvent, durable }
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
    return finalizeTask(this.state.get(taskId), stepOutput, this.shelf, this.agentWorker, this.options.durable)
  }

  /**
   * Answers a question outside the conversation: the history is neither read nor changed. The task of the question is kept only if tool
   * calls wait for approval; `runTask` continues it.
   * @returns the text and the nodes that it is based on.
   */
  async query(
    query: string | QueryBundle,
    options: { signal?: AbortSignal | undefined; parentId?: string | undefined } = {},
  ): Promise<QueryResponse> {
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
