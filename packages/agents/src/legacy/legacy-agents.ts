/**
 * @module
 * The deprecated agents: one call, without tasks and steps. They are thin adapters over the current agents.
 */

import {
  type ChatMessage,
  ConfigurationError,
  type NodeWithScore,
  type ObjectRetrieveOptions,
  type ObjectRetriever,
  type QueryBundle,
} from '@x/core-model'
import { toMessage } from '@x/core-model/memory'
import type { BasePromptTemplate } from '@x/prompts'
import { FunctionCallingAgent, type FunctionCallingAgentOptions } from '../agent/function-calling-agent.ts'
import { ReActAgent, type ReActAgentFromToolsOptions } from '../agent/react-agent.ts'
import type { AgentChatResponse } from '../answer/agent-chat-response.ts'
import type { StreamingAgentChatResponse } from '../answer/chat-answer.ts'
import type { QueryResponse } from '../answer/query-response.ts'
import type { AgentRunner } from '../runner/agent-runner.ts'
import type { ChatOptions } from '../runner/runner-options.ts'
import type { Tool } from '../tool/base-tool.ts'

/** Retrieves the tools once per chat. */
class CachingRetriever implements ObjectRetriever<Tool> {
  private readonly retriever: ObjectRetriever<Tool>
  private last: { query: string; tools: Tool[] } | undefined

  constructor(retriever: ObjectRetriever<Tool>) {
    this.retriever = retriever
  }

  async retrieve(query: string, options?: ObjectRetrieveOptions): Promise<Tool[]> {
    if (this.last?.query !== query) this.last = { query, tools: await this.retriever.retrieve(query, options) }
    return this.last.tools
  }

  clear(): void {
    this.last = undefined
  }
}

function cached(options: { toolRetriever?: ObjectRetriever<Tool> | null | undefined }) {
  const toolRetriever = options?.toolRetriever
  return toolRetriever ? new CachingRetriever(toolRetriever) : undefined
}

/** The public methods of a deprecated agent. */
abstract class LegacyAgent {
  protected readonly agent: AgentRunner
  private readonly tools: CachingRetriever | undefined

  /** @internal */
  constructor(agent: AgentRunner, tools: CachingRetriever | undefined) {
    this.agent = agent
    this.tools = tools
  }

  /** Answers a message. The message is added to the conversation immediately, even if the answer fails. */
  async chat(message: string, options: ChatOptions = {}): Promise<AgentChatResponse> {
    return this.keepMessage(message, options, (text) => this.agent.chat(text, options))
  }

  /** Like `chat`, with a streaming answer. */
  async streamChat(message: string, options: ChatOptions = {}): Promise<StreamingAgentChatResponse> {
    return this.keepMessage(message, options, async (text) => {
      const answer = await this.agent.streamChat(text, options)
      answer.done.catch(() => this.keep(text, options))
      return answer
    })
  }

  /** The whole conversation. */
  get chatHistory(): ChatMessage[] {
    return this.agent.chatHistory
  }

  /** Deletes the conversation. */
  reset(): Promise<void> {
    return this.agent.reset()
  }

  /** Answers a question outside the conversation. */
  async query(query: string | QueryBundle, options: { signal?: AbortSignal } = {}): Promise<QueryResponse> {
    this.tools?.clear()
    const text = typeof query === 'string' ? query : query.queryStr
    return this.agent.query(await this.prepare(text, options), options)
  }

  /** Returns the message that is sent to the agent. */
  protected prepare(message: string, _options: ChatOptions): string | Promise<string> {
    return message
  }

  private async keepMessage<T>(message: string, options: ChatOptions, run: (text: string) => Promise<T>): Promise<T> {
    this.tools?.clear()
    const text = await this.prepare(message, options)
    try {
      return await run(text)
    } catch (error) {
      await this.keep(text, options)
      throw error
    }
  }

  private async keep(content: string, { memory, conversation }: ChatOptions): Promise<void> {
    // The runner itself leaves the turn in a conversation that was passed.
    if (memory ?? conversation) return
    try {
      await this.agent.memory.put(toMessage({ role: 'user', content }))
    } catch {
      // The error of the run is the one to report.
    }
  }
}

/** @deprecated Use {@link ReActAgent}, which can also run single steps. */
export class LegacyReActAgent extends LegacyAgent {
  constructor(options: ReActAgentFromToolsOptions) {
    const tools = cached(options)
    super(ReActAgent.fromTools({ ...options, toolRetriever: tools, deleteTaskOnFinish: true }), tools)
  }

  /** Creates an instance, like the constructor. */
  static fromTools(options: ReActAgentFromToolsOptions): LegacyReActAgent {
    return new LegacyReActAgent(options)
  }
}

/** Options of {@link LegacyFunctionCallingAgent}. */
interface LegacyFunctionCallingAgentOptions extends FunctionCallingAgentOptions {
  /** Retrieves passages that are inserted before the user's message. Requires `qaPrompt`. */
  contextRetriever?: ObjectRetriever<Pick<NodeWithScore, 'getContent'>> | undefined
  /** Combines the passages and the message, with the variables `context_str` and `query_str`. */
  qaPrompt?: BasePromptTemplate | undefined
  /** Separator between the strings. @defaultValue a line feed */
  contextSeparator?: string | undefined
}

/** @deprecated Use {@link FunctionCallingAgent}, which can also run single steps. */
export class LegacyFunctionCallingAgent extends LegacyAgent {
  private readonly contextRetriever: ObjectRetriever<Pick<NodeWithScore, 'getContent'>> | undefined
  private readonly qaPrompt: BasePromptTemplate | undefined
  private readonly contextSeparator: string

  constructor(given: LegacyFunctionCallingAgentOptions) {
    const { contextRetriever, qaPrompt, contextSeparator = '\n', ...options } = given ?? {}
    if (contextRetriever && !qaPrompt)
      throw new ConfigurationError('LegacyFunctionCallingAgent: contextRetriever requires a qaPrompt.')
    const tools = cached(options)
    super(FunctionCallingAgent.fromTools({ ...options, toolRetriever: tools, deleteTaskOnFinish: true }), tools)
    this.contextRetriever = contextRetriever
    this.qaPrompt = qaPrompt
    this.contextSeparator = contextSeparator
  }

  /** Creates an instance, like the constructor. */
  static fromTools(options: LegacyFunctionCallingAgentOptions): LegacyFunctionCallingAgent {
    return new LegacyFunctionCallingAgent(options)
  }

  protected override async prepare(message: string, { signal }: ChatOptions): Promise<string> {
    if (!this.contextRetriever || !this.qaPrompt) return message
    const found = await this.contextRetriever.retrieve(message, { signal })
    const context = found.map((node) => node.getContent('llm')).join(this.contextSeparator)
    return this.qaPrompt.format({ context_str: context, query_str: message })
  }
}
