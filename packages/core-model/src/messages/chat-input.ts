import { isInstance } from '@x/core'
import { ChatMessage } from './chat-message.ts'
import type { ContentPart, MessageContent } from './content-part.ts'

/** The input of a chat: a string or content parts of the user, one message, or an array of messages. */
export type ChatInput = MessageContent | ChatMessage | readonly ChatMessage[]

/**
 * Returns the messages of a chat input: a string and content parts become one user message. An array of messages, even an empty one, is
 * returned unchanged.
 */
export function chatMessages(input: ChatInput): readonly ChatMessage[] {
  if (typeof input === 'string') return [new ChatMessage({ content: input })]
  if (!Array.isArray(input)) return [input as ChatMessage]
  return input.length > 0 && input.every(isPart) ? [new ChatMessage({ content: input })] : input
}

/** A part has a type; messages have a role. */
function isPart(item: unknown): item is ContentPart {
  return typeof Object(item).type === 'string' && !isInstance(item, ChatMessage)
}
