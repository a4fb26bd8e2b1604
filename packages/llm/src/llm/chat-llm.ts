import type { CallOptions, CompleteOptions } from '@x/core-model'
import { ChatMessage, type CompletionResponse, chatToCompletionResponse } from '@x/core-model'
import { LLM } from './llm.ts'

/**
 * The base of chat models: a subclass makes chat requests, and a prompt is completed by a chat with one user message.
 * @example
 * class Echo extends ChatLLM {
 *   readonly metadata = new LLMMetadata({ modelName: 'echo', isChatModel: true })
 *   async chatRequest(messages: readonly ChatMessage[]) {
 *     return new ChatResponse({ message: new ChatMessage({ role: 'assistant', content: messages.at(-1)!.content }) })
 *   }
 *   async *streamChatRequest(messages: readonly ChatMessage[]) {
 *     yield await this.chatRequest(messages)
 *   }
 * }
 * const { text } = await new Echo().complete('Hello')
 * text // => 'Hello'
 */
export abstract class ChatLLM extends LLM {
  protected override async completeRequest(prompt: string, options: CompleteOptions): Promise<CompletionResponse> {
    return chatToCompletionResponse(await this.chatRequest(asChat(prompt), asCall(options)))
  }

  protected override async *streamCompleteRequest(
    prompt: string,
    options: CompleteOptions,
  ): AsyncGenerator<CompletionResponse, void, undefined> {
    for await (const piece of this.streamChatRequest(asChat(prompt), asCall(options)))
      yield chatToCompletionResponse(piece, { stream: true })
  }
}

function asChat(prompt: string): ChatMessage[] {
  return [new ChatMessage({ content: prompt })]
}

/** Returns the options of a chat. */
function asCall({ formatted: _, ...options }: CompleteOptions): CallOptions {
  return options
}
