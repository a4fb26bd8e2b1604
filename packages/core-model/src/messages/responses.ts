import { checkGiven } from '@x/core/options'
import { ChatResponseModel } from '../generated/chat-response.ts'
import { CompletionResponseModel } from '../generated/completion-response.ts'
import { LLMMetadataModel } from '../generated/llm-metadata.ts'
import { ChatMessage } from './chat-message.ts'
import { messageText } from './message-content.ts'

/** The answer of a chat model. In a stream, `message` contains everything so far and `delta` the new piece. */
export class ChatResponse extends ChatResponseModel {
  static override nested() {
    return { message: [ChatMessage] }
  }

  /** Returns the text of the message. */
  override toString(): string {
    return messageText(this.message)
  }
}

/** The answer of a completion model. In a stream, `text` contains everything so far and `delta` the new piece. */
export class CompletionResponse extends CompletionResponseModel {
  /** Returns the text. */
  override toString(): string {
    return this.text
  }
}

/** The properties of a language model. Token counts are in the model's own tokens. */
export class LLMMetadata extends LLMMetadataModel {}

/**
 * Converts a completion to the answer of a chat: an assistant message with the completion's extra data.
 * The delta is kept only for streams.
 */
export function completionToChatResponse(response: CompletionResponse, { stream = false } = {}): ChatResponse {
  checkGiven('completionToChatResponse', { response }, 'a CompletionResponse')
  const message = new ChatMessage({
    role: 'assistant',
    content: response.text,
    additionalKwargs: response.additionalKwargs,
  })
  return new ChatResponse({ message, raw: response.raw, delta: stream ? response.delta : null })
}

/** Converts a chat answer to a completion: the message's text and extra data. The delta is kept only for streams. */
export function chatToCompletionResponse(response: ChatResponse, { stream = false } = {}): CompletionResponse {
  checkGiven('chatToCompletionResponse', { response }, 'a ChatResponse', 'message')
  const { message, raw, delta } = response
  return new CompletionResponse({
    text: messageText(message),
    additionalKwargs: message.additionalKwargs,
    raw,
    delta: stream ? delta : null,
  })
}
