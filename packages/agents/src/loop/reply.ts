/**
 * @module
 * What a reply of the model says: its text, its tokens, and why it ended.
 */
import {
  addUsage,
  type ChatMessage,
  type ChatResponse,
  type FinishReason,
  finishReasonOf,
  isTextPart,
  messageText,
  type TokenUsage,
  usageOf,
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

/** Returns the tokens of a reply; null if the model reports none. */
export function replyUsage({ usage, response }: ModelReply): TokenUsage | null {
  return usage !== undefined || !response ? (usage ?? null) : usageOf(response)
}

/** Returns the tokens of two calls together; null if neither reports any. */
export function usageTogether(one: TokenUsage | null, other: TokenUsage | null): TokenUsage | null {
  return one && other ? addUsage(one, other) : (one ?? other)
}

/** Returns why a reply ended; null if the model does not report it. */
export function replyEnd({ finishReason, response }: ModelReply): FinishReason | null {
  return finishReason !== undefined || !response ? (finishReason ?? null) : finishReasonOf(response)
}

/** Returns a reply in the form in which it is saved. */
export function savedReply(reply: ModelReply): SavedReply {
  return { message: reply.message, usage: replyUsage(reply), finishReason: replyEnd(reply) }
}
