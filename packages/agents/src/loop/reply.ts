/**
 * @module
 * A reply of the model, and its text.
 */
import {
  type ChatMessage,
  type ChatResponse,
  type FinishReason,
  isTextPart,
  messageText,
  type TokenUsage,
} from '@x/core-model'

/** A complete reply of the model. */
export interface SavedReply {
  message: ChatMessage
  /** Null if the model reports none. */
  usage: TokenUsage | null
  /** Null if the model does not report it. */
  finishReason: FinishReason | null
}

/** A reply of the model: its response, or what is saved of it. */
export interface ModelReply extends Partial<SavedReply> {
  message: ChatMessage
  response?: ChatResponse
}

/** Returns the text of a model's reply; empty if its message consists of other parts, such as reasoning. */
export function replyText(message: ChatMessage): string {
  const { content } = message
  if (typeof content === 'string') return content
  return Array.isArray(content) && !content.some(isTextPart) ? '' : messageText(message)
}
