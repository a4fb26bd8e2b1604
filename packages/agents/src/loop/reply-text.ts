/**
 * @module
 * The text of a model's reply.
 */
import { type ChatMessage, isTextPart, messageText } from '@x/core-model'

/** Returns the text of a model's reply; empty if its message consists of other parts, such as reasoning. */
export function replyText(message: ChatMessage): string {
  const { content } = message
  return Array.isArray(content) && !content.some(isTextPart) ? '' : messageText(message)
}
