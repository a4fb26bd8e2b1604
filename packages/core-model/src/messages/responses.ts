import {
  type ChatResponseFields,
  type ChatResponseOptions,
  type CompletionResponseFields,
  type CompletionResponseOptions,
  chatResponseSpec,
  completionResponseSpec,
  type LLMMetadataFields,
  type LLMMetadataOptions,
  llmMetadataSpec,
} from '../generated/models.ts'
import { Model } from '../model/model.ts'
import { ChatMessage, messageText } from './chat-message.ts'

export interface ChatResponse extends ChatResponseFields {}

/** The answer of a chat model. In a stream, `message` contains everything so far and `delta` the new piece. */
export class ChatResponse extends Model {
  constructor(options: ChatResponseOptions) {
    super(options)
  }

  static override spec() {
    return chatResponseSpec
  }

  static override nested() {
    return { message: [ChatMessage] }
  }

  /** Returns the text of the message. */
  override toString(): string {
    return messageText(this.message)
  }
}

export interface CompletionResponse extends CompletionResponseFields {}

/** The answer of a completion model. In a stream, `text` contains everything so far and `delta` the new piece. */
export class CompletionResponse extends Model {
  constructor(options: CompletionResponseOptions) {
    super(options)
  }

  static override spec() {
    return completionResponseSpec
  }

  /** Returns the text. */
  override toString(): string {
    return this.text
  }
}

export interface LLMMetadata extends LLMMetadataFields {}

/** The properties of a language model. Token counts are in the model's own tokens. */
export class LLMMetadata extends Model {
  constructor(options?: LLMMetadataOptions) {
    super(options)
  }

  static override spec() {
    return llmMetadataSpec
  }
}

/**
 * Converts a completion to the answer of a chat: an assistant message with the completion's extra data.
 * The delta is kept in streams only.
 */
export function completionToChatResponse(response: CompletionResponse, { stream = false } = {}): ChatResponse {
  const message = new ChatMessage({
    role: 'assistant',
    content: response.text,
    additionalKwargs: response.additionalKwargs,
  })
  return new ChatResponse({ message, raw: response.raw, delta: stream ? response.delta : null })
}

/** Converts a chat answer to a completion: the message's text and extra data. The delta is kept in streams only. */
export function chatToCompletionResponse(response: ChatResponse, { stream = false } = {}): CompletionResponse {
  const { message, raw, delta } = response
  return new CompletionResponse({
    text: messageText(message),
    additionalKwargs: message.additionalKwargs,
    raw,
    delta: stream ? delta : null,
  })
}
