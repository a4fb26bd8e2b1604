/**
 * @module
 * The base of all runners: conversations and their answers.
 */
import {
  type BaseMemory,
  type ChatMessage,
  type ChatMessageOptions,
  ConfigurationError,
  isToolkitError,
  type QueryBundle,
  type QueryComponent,
} from '@x/core-model'
import { type PromptDict, updatePrompts } from '@x/prompts'
import type { AgentChatResponse } from '../answer/agent-chat-response.ts'
import { streamOf } from '../answer/is-chat-response.ts'
import { QueryAnswer } from '../answer/query-answer.ts'
import type { QueryResponse } from '../answer/query-response.ts'
import { asStream, type StreamingAgentChatResponse } from '../answer/streaming-chat-response.ts'
import { ChatMemoryBuffer, memoryOf, messagesNow, toMessage } from '../memory/chat-memory-buffer.ts'
import type { AgentEvent } from '../task/agent-event.ts'
import { type AgentInput, taskInput } from '../task/agent-input.ts'
import type { TaskState } from '../task/agent-state.ts'
import { TaskNotFoundError } from '../task/task-errors.ts'
import { agentComponent } from './agent-component.ts'
import { streamAllTurns } from './all-turns.ts'
import { type ChatReplIo, runChatRepl } from './chat-repl.ts'
import { Conversation } from './conversation.ts'
import type { Answer } from './finalizing.ts'
import { runEvents } from './run-events.ts'
import {
  type ChatOptions,
  type ChatResponseMode,
  type QueryOptions,
  type RunArguments,
  type RunEventsOptions,
  runOptions,
} from './runner-options.ts'
import { RunnerRuns } from './runner-runs.ts'

/**
 * Base class of runners: conversations and their answers. `Context` is the run context that tools and hooks need, `Output` the value of a structured
 * answer, `ToolName` the names of the tools, and `ExtraState` the extra state of tasks.
 */
export abstract class BaseAgentRunner<
  State extends TaskState = TaskState,
  Context = unknown,
  Output = unknown,
  ToolName extends string = string,
  ExtraState extends object = Record<string, unknown>,
> extends RunnerRuns<State, Context, Output, ToolName, ExtraState> {
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
    } = {},
  ): Conversation<Context, Output, ToolName> {
    const { memory, chatHistory } = options
    const fresh = memory || chatHistory ? undefined : this.memory.fresh?.()
    const own = fresh ?? memoryOf('conversation', { memory, chatHistory, llm: this.options.llm })
    return new Conversation(
      {
        chat: (input, run) => this.answer(input, run),
        streamChat: (input, run) => this.streamAnswer(input, run),
        runEvents: (input, run) => this.events(input, run),
      },
      own,
    )
  }

  /** Deletes the conversation of runs without their own, and all tasks. */
  async reset(): Promise<void> {
    const deleting = this.taskTable.reset()
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
    return this.answer(input, options ?? {})
  }

  /** Like `chat`, but returns a streaming answer as soon as its first piece arrives, or immediately with the text of all turns. */
  streamChat(
    input: AgentInput,
    ...[options]: RunArguments<ChatOptions<Context, ToolName>, Context>
  ): Promise<StreamingAgentChatResponse<Output>> {
    return this.streamAnswer(input, options ?? {})
  }

  /**
   * Answers a message and yields the events of the run. Nothing starts before the events are read. Abandoning the iterator cancels the
   * run. Ends after `task_end` or `approval_required`, or throws after `error`.
   * @param options.stream - whether the answer streams. @defaultValue true
   */
  runEvents(
    input: AgentInput,
    ...[options]: RunArguments<RunEventsOptions<Context, ToolName>, Context>
  ): AsyncGenerator<AgentEvent> {
    return this.events(input, options ?? {})
  }

  private async answer(input: AgentInput, options: ChatOptions): Promise<AgentChatResponse<Output>> {
    const answer = await this.converse(input, runOptions('chat', options), 'wait')
    // The run of another caller may stream.
    await streamOf(answer)
    return answer as AgentChatResponse<Output>
  }

  private async streamAnswer(input: AgentInput, options: ChatOptions): Promise<StreamingAgentChatResponse<Output>> {
    runOptions('chat', options)
    const answer =
      options.text === 'all'
        ? streamAllTurns(options.signal, (signal, onEvent) =>
            this.converse(input, { ...options, signal, onEvent }, 'stream'),
          )
        : asStream(await this.converse(input, options, 'stream'))
    answer.keepsReading = options.keepsReading ?? false
    return answer as StreamingAgentChatResponse<Output>
  }

  private events(input: AgentInput, options: RunEventsOptions): AsyncGenerator<AgentEvent> {
    runOptions('chat', options)
    const mode: ChatResponseMode = options.stream === false ? 'wait' : 'stream'
    return runEvents(options, (signal, onEvent) => this.converse(input, { ...options, signal, onEvent }, mode))
  }

  private async converse(input: AgentInput, options: ChatOptions, mode: ChatResponseMode): Promise<Answer> {
    const { taskId, signal, onEvent } = options
    if (taskId === undefined) return this.begin(input, options, mode, this.newId())
    return this.shared.join(taskId, { signal, onEvent }, (report) =>
      this.attach(input, { ...options, onEvent: report }, mode, taskId),
    )
  }

  /** Continues the task with this id, or creates it. */
  private async attach(
    input: AgentInput,
    options: ChatOptions,
    mode: ChatResponseMode,
    taskId: string,
  ): Promise<Answer> {
    const state = await this.known(taskId, options)
    if (state?.response) return state.response
    if (!state && input === '') throw new TaskNotFoundError(taskId)
    try {
      return await (state ? this.runToEnd(taskId, options, mode) : this.begin(input, options, mode, taskId))
    } catch (error) {
      // Another runner has taken over the task, and may have finished it.
      const response = isToolkitError(error, 'task_claimed') && (await this.known(taskId, options))?.response
      if (response) return response
      throw error
    }
  }

  /** Returns the task with this id, in memory or from the store. */
  private async known(taskId: string, { memory, conversation }: ChatOptions): Promise<State | undefined> {
    const { taskDict } = this.state
    this.taskTable.removeClaimed(taskId)
    if (!taskDict.has(taskId) && this.options.taskStore?.store)
      await this.resumeTask(taskId, { memory: conversation?.memory ?? memory })
    return taskDict.get(taskId)
  }

  private async begin(
    input: AgentInput,
    options: ChatOptions,
    mode: ChatResponseMode,
    taskId: string,
  ): Promise<Answer> {
    const { chatHistory } = options
    const memory = this.memoryOfRun(options)
    const given = taskInput(input)
    return this.conversations.use(memory, () =>
      this.withRunDeadline(
        { message: given.inputMessage ?? given.input, taskId, memory },
        options,
        async (signal, parentId) => {
          if (chatHistory) await memory.set(chatHistory.map(toMessage))
          const state = await this.makeTask(given, { taskId, memory }, signal)
          return this.finish(state, { ...options, signal, parentId }, mode)
        },
      ),
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

  /**
   * Answers a question outside the conversation: the history is neither read nor changed. The task of the question is kept only if tool
   * calls wait for approval; `runTask` continues it.
   * @returns the text and the nodes that it is based on.
   */
  query(
    query: string | QueryBundle,
    ...[options]: RunArguments<QueryOptions<Context>, Context>
  ): Promise<QueryResponse> {
    return this.answerQuery(query, options ?? {})
  }

  private async answerQuery(query: string | QueryBundle, options: QueryOptions): Promise<QueryResponse> {
    const text = typeof query === 'string' ? query : query.queryStr
    const taskId = this.newId()
    let isWaiting = false
    try {
      const answer = await this.begin(text, { ...options, memory: this.scratch() }, 'wait', taskId)
      return new QueryAnswer({ response: answer.response, sourceNodes: answer.sourceNodes })
    } catch (error) {
      isWaiting = isToolkitError(error, 'approval_required')
      throw error
    } finally {
      if (!isWaiting && this.state.taskDict.has(taskId)) await this.deleteTask(taskId)
    }
  }

  /** Returns this agent as a query pipeline component with the input `input` and the output `output`. */
  asQueryComponent(
    ...[options]: RunArguments<{ partial?: Record<string, unknown>; context?: Context | undefined }, Context>
  ): QueryComponent {
    const { partial, context } = options ?? {}
    return agentComponent((query, run) => this.answerQuery(query, { ...run, context }), partial)
  }

  /** Runs a conversation line by line, until the line `exit` or the end of the input. Resets the conversation first. */
  chatRepl(io: ChatReplIo, ...[options]: RunArguments<ChatOptions<Context, ToolName>, Context>): Promise<void> {
    return runChatRepl(this.replAgent(options ?? {}), io, false)
  }

  /** Like `chatRepl`, with streaming answers. */
  streamingChatRepl(
    io: ChatReplIo,
    ...[options]: RunArguments<ChatOptions<Context, ToolName>, Context>
  ): Promise<void> {
    return runChatRepl(this.replAgent(options ?? {}), io, true)
  }

  private replAgent(options: ChatOptions) {
    return {
      reset: () => this.reset(),
      chat: (line: string) => this.answer(line, options),
      streamChat: (line: string) => this.streamAnswer(line, options),
    }
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
