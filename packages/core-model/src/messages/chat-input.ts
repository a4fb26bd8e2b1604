import { isInstance } from '@x/core'
import { invalidOption } from '@x/core/options'
import { ChatMessage } from './chat-message.ts'
import type { ContentPart, MessageContent } from './content-part.ts'

/** The input of a chat: a string or content parts of the user, one message, or an array of messages. */
export type ChatInput = MessageContent | ChatMessage | readonly ChatMessage[]

/**
 * Returns the messages of a chat input: a string and content parts become one user message. An array of messages, even an empty one, is
 * returned unchanged.
 * @param where - the method that received it, for errors.
 * @throws {ModelValidationError} if it is something else.
 */
export function chatMessages(input: ChatInput, where = 'chat'): readonly ChatMessage[] {
  if (typeof input === 'string') return [new ChatMessage({ content: input })]
  const messages: readonly unknown[] = Array.isArray(input) ? input : [input]
  if (messages === input && messages.length > 0 && messages.every(isPart))
    return [new ChatMessage({ content: messages })]
  // Each request has all messages of its conversation.
  for (const message of messages)
    if (typeof (message as Partial<ChatMessage> | null | undefined)?.toJson !== 'function')
      throw invalidOption(where, 'messages', 'a string, content parts, a ChatMessage or an array of them', input)
  return messages as readonly ChatMessage[]
}

/** A part has a type; messages have a role. */
function isPart(item: unknown): item is ContentPart {
  return typeof Object(item).type === 'string' && !isInstance(item, ChatMessage)
}
