/**
 * @module
 * Conversations of an agent, and which of them are in use by a run.
 */
import type { BaseMemory, ChatMessage } from '@x/core-model'
import { messagesNow } from '@x/core-model/memory'
import { ConversationBusyError } from '../agent-error.ts'
import type { AgentChatResponse } from '../answer/agent-chat-response.ts'
import { isStreamingResponse, type StreamingAgentChatResponse } from '../answer/chat-answer.ts'
import type { AgentEvent } from '../task/agent-event.ts'
import type { AgentInput } from '../task/task.ts'
import type { TypedTool } from '../tool/base-tool.ts'
import type { CallEventOf } from '../tool/typed-tools.ts'
import type { Answer } from './finalizing.ts'
import type { ChatOptions, RunArguments, RunEventsOptions } from './runner-options.ts'

/** Options of a message in a conversation. */
type ConversationOptions<Context = unknown, ToolName extends string = string> = Omit<
  ChatOptions<Context, ToolName>,
  'memory' | 'conversation' | 'chatHistory'
>

/** Options of the events of a message in a conversation. */
type ConversationEventsOptions<Context = unknown, ToolName extends string = string> = Omit<
  RunEventsOptions<Context, ToolName>,
  'memory' | 'conversation' | 'chatHistory'
>

/** The agent of a conversation. */
interface ConversationAgent {
  answer(input: AgentInput, options: ChatOptions): Promise<Answer>
  stream(input: AgentInput, options: ChatOptions): Promise<StreamingAgentChatResponse>
  events(input: AgentInput, options: RunEventsOptions): AsyncGenerator<AgentEvent>
}

/**
 * A conversation with an agent, with its own messages. Created by `agent.conversation()`.
 * @example
 * const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: Hello Ann', 'Answer: Hello Bob'] }) })
 * const ann = agent.conversation()
 * const bob = agent.conversation()
 * await Promise.all([ann.chat('I am Ann.'), bob.chat('I am Bob.')])
 * ann.chatHistory.map(String) // => ['user: I am Ann.', 'assistant: Hello Ann']
 */
export class Conversation<
  Context = unknown,
  Output = unknown,
  ToolName extends string = string,
  Tools extends readonly TypedTool[] = readonly TypedTool[],
> {
  /** The messages. */
  readonly memory: BaseMemory
  private readonly agent: ConversationAgent

  /** @internal */
  constructor(agent: ConversationAgent, memory: BaseMemory) {
    this.agent = agent
    this.memory = memory
  }

  /**
   * All messages.
   * @throws {ConfigurationError} if the memory is asynchronous; use `await conversation.memory.getAll()`.
   */
  get chatHistory(): ChatMessage[] {
    return messagesNow(this.memory)
  }

  /** Answers a message. @throws {ConversationBusyError} if an answer is still in progress. */
  chat(
    input: AgentInput,
    ...[options]: RunArguments<ConversationOptions<Context, ToolName>, Context>
  ): Promise<AgentChatResponse<Output>> {
    return this.agent.answer(input, { ...options, conversation: this }) as Promise<AgentChatResponse<Output>>
  }

  /** Like `chat`, but returns a streaming answer. */
  streamChat(
    input: AgentInput,
    ...[options]: RunArguments<ConversationOptions<Context, ToolName>, Context>
  ): Promise<StreamingAgentChatResponse<Output>> {
    return this.agent.stream(input, { ...options, conversation: this }) as Promise<StreamingAgentChatResponse<Output>>
  }

  /** Like `chat`, but yields the events of the run. */
  runEvents(
    input: AgentInput,
    ...[options]: RunArguments<ConversationEventsOptions<Context, ToolName>, Context>
  ): AsyncGenerator<AgentEvent<CallEventOf<Tools>>> {
    return this.agent.events(input, { ...options, conversation: this }) as AsyncGenerator<
      AgentEvent<CallEventOf<Tools>>
    >
  }
}

/** The conversations in use. A conversation belongs to one run at a time. */
export class OpenConversations {
  private readonly open = new Set<unknown>()

  isOpen(memory: BaseMemory): boolean {
    return this.open.has(keyOf(memory))
  }

  /**
   * Runs `work` with a conversation, which is in use until the answer, including its stream, is complete.
   * @throws {ConversationBusyError} if another run uses the conversation; `work` is not called then.
   */
  async use<T>(memory: BaseMemory, work: () => Promise<T>): Promise<T> {
    const key = keyOf(memory)
    if (this.open.has(key)) throw new ConversationBusyError()
    this.open.add(key)
    const close = () => void this.open.delete(key)
    try {
      const answer = await work()
      if (isStreamingResponse(answer)) answer.whenOver(close)
      else close()
      return answer
    } catch (error) {
      close()
      throw error
    }
  }
}

/** A memory, or the id of the conversation if its messages are elsewhere. */
function keyOf(memory: BaseMemory): unknown {
  return memory.conversationId ?? memory
}
