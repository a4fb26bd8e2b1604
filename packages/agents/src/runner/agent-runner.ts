/**
 * @module
 * The runner of agents, and the base of all runners: conversations and their answers, beside the tasks of which they consist.
 */

import {
  checkNames,
  checkOptions,
  flag,
  having,
  list,
  type OptionCheck,
  type OptionTable,
  text,
  unchecked,
} from '@x/core/options'
import {
  type BaseMemory,
  type ChatMessage,
  type ChatMessageOptions,
  type ChatStore,
  ConfigurationError,
  DefinedComponent,
  type QueryBundle,
  type QueryComponent,
} from '@x/core-model'
import { inputTextOrStream } from '@x/core-model/components'
import { limitsOf, memoryOf, messagesNow, StoredChatMemory } from '@x/core-model/memory'
import type { PromptDict } from '@x/prompts'
import type { AgentChatResponse } from '../answer/agent-chat-response.ts'
import type { StreamingAgentChatResponse } from '../answer/chat-answer.ts'
import type { QueryResponse } from '../answer/query-response.ts'
import type { ToolChoice } from '../loop/agent-worker.ts'
import { refusePrompts } from '../no-prompts.ts'
import type { AgentEvent } from '../task/agent-event.ts'
import { AgentState, newTaskState, type TaskState } from '../task/agent-state.ts'
import type { AgentInput } from '../task/task.ts'
import type { TypedTool } from '../tool/base-tool.ts'
import type { CallEventOf } from '../tool/typed-tools.ts'
import { type ChatReplIo, runChatRepl } from './chat-repl.ts'
import { Conversation } from './conversation.ts'
import type { Answer } from './finalizing.ts'
import { RunnerChats } from './runner-chats.ts'
import {
  aMemory,
  BASE_RUNNER_OPTIONS,
  type BaseAgentRunnerOptions,
  type ChatOptions,
  type QueryOptions,
  type RunArguments,
  type RunEventsOptions,
} from './runner-options.ts'
import type { RunnerKind } from './runner-tasks.ts'
import { TaskOperations } from './task-operations.ts'

interface ConversationOptions {
  memory?: BaseMemory | null | undefined
  chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined
  /** Has the conversation with this `id`, which is written turn by turn while the agent works. */
  chatStore?: ChatStore | undefined
  id?: string | undefined
}

/** Accepts a string that is not empty: no id would be one conversation for all that have none. */
const anId: OptionCheck = (value) => (value === '' ? 'a string that is not empty' : text(value))

const conversationOptions: OptionTable<ConversationOptions> = {
  memory: aMemory,
  chatHistory: list,
  chatStore: having('a chat store', 'getMessages', 'setMessages'),
  id: anId,
}

/**
 * Base class of runners: conversations and their answers, tasks and their steps. `Context` is the run context that tools and hooks need,
 * `Output` the value of a structured answer, `ToolName` the names of the tools, `ExtraState` the extra state of tasks, and `Tools` the
 * tools, for the events of calls.
 */
export abstract class BaseAgentRunner<
  State extends TaskState = TaskState,
  Context = unknown,
  Output = unknown,
  ToolName extends string = string,
  ExtraState extends object = Record<string, unknown>,
  Tools extends readonly TypedTool[] = readonly TypedTool[],
> extends TaskOperations<State, Context, Output, ToolName, ExtraState> {
  private readonly chats: RunnerChats<State>
  private readonly llm: BaseAgentRunnerOptions<unknown>['llm']

  /** @internal */
  constructor(options: BaseAgentRunnerOptions<AgentState<State>>, kind: RunnerKind<State>) {
    super(options, kind)
    this.llm = options.llm
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
   * @throws {ModelValidationError} if an option is unknown or invalid.
   * @param options.chatHistory - the messages so far. Cannot be combined with `memory`.
   */
  conversation(options: ConversationOptions = {}): Conversation<Context, Output, ToolName, Tools> {
    checkOptions('conversation', options, conversationOptions)
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
    checkNames('asQueryComponent', options ?? {}, ['partial', 'context'])
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
    refusePrompts(prompts)
  }
}

/** Answers a question. */
type AnswerQuery = (
  query: string,
  options: { signal?: AbortSignal | undefined; parentId?: string | undefined },
) => Promise<QueryResponse>

/** Returns an agent as a query pipeline component with the input `input` and the output `output`. */
function agentComponent(answer: AnswerQuery, partial: Record<string, unknown> | undefined): QueryComponent {
  return new DefinedComponent({
    name: 'Agent component',
    inputKeys: () => ({ required: ['input'], optional: [] }),
    outputKeys: ['output'],
    partial,
    run: async ({ input }, { signal, parentId }) => {
      const question = await inputTextOrStream(input, 'input')
      return { output: await answer(question, { signal, parentId }) }
    },
  })
}

/** Options of `AgentRunner`. */
export interface AgentRunnerOptions<ToolName extends string = string> extends BaseAgentRunnerOptions<AgentState> {
  /** Whether all queued steps of a task run together, as in a {@link ParallelAgentRunner}. @defaultValue false */
  batches?: boolean | undefined
  /** The tool choice of the first step of messages without their own. @defaultValue 'auto' */
  defaultToolChoice?: ToolChoice<ToolName> | undefined
  /** Whether the worker reports its reasoning. @defaultValue false */
  verbose?: boolean | undefined
}

/** The options that agents pass to their runner unchanged. */
export type RunnerOptionsOfAgent<ToolName extends string = string> = Omit<
  AgentRunnerOptions<ToolName>,
  'agentWorker' | 'batches' | 'chatHistory' | 'state' | 'memory' | 'llm' | 'callbackManager' | 'newId' | 'verbose'
>

const RUNNER_OPTIONS: OptionTable<AgentRunnerOptions> = {
  ...BASE_RUNNER_OPTIONS,
  batches: flag,
  defaultToolChoice: unchecked,
  verbose: flag,
}

/** The checks of the options that agents pass to their runner; what their workers check too is checked by these. */
export const AGENT_RUNNER_OPTIONS = agentRunnerOptions()

function agentRunnerOptions() {
  const { agentWorker, batches, chatHistory, state, ...others } = RUNNER_OPTIONS
  return others
}

/**
 * Owns a conversation and its tasks: creates tasks, runs their steps one by one, and returns the answers.
 *
 * If a step fails, the task has the state that it had before the step, so the step can run again.
 * @throws {ConfigurationError} if a memory and a chat history are passed.
 * @example
 * const agentWorker = new ReActAgentWorker({ llm: new ScriptedLLM({ answers: ['Answer: four'] }) })
 * const runner = new AgentRunner({ agentWorker })
 * const { taskId } = await runner.createTask('How much is 2 + 2?')
 * const output = await runner.runStep(taskId)
 * output.isLast // => true
 * String(await runner.finalizeResponse(taskId)) // => 'four'
 */
export class AgentRunner<
  Context = unknown,
  Output = unknown,
  ToolName extends string = string,
  ExtraState extends object = Record<string, unknown>,
  Tools extends readonly TypedTool[] = readonly TypedTool[],
> extends BaseAgentRunner<TaskState, Context, Output, ToolName, ExtraState, Tools> {
  defaultToolChoice: ToolChoice
  readonly verbose: boolean

  constructor(options: AgentRunnerOptions) {
    checkOptions('AgentRunner', options, RUNNER_OPTIONS)
    super(options, { emptyState: () => new AgentState(), makeState: newTaskState, batches: options.batches ?? false })
    if (options.callbackManager) options.agentWorker.setCallbackManager(options.callbackManager)
    this.defaultToolChoice = options.defaultToolChoice ?? 'auto'
    this.verbose = options.verbose ?? false
  }
}
