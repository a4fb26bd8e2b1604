import type { ChatMessage } from '../messages/chat-message.ts'

/** The memory of a conversation. */
export interface BaseMemory {
  /** Returns the messages that a model should see. */
  get(options?: { initialTokenCount?: number }): ChatMessage[]
  /** Returns all messages. */
  getAll(): ChatMessage[]
  /** Adds a message at the end. */
  put(message: ChatMessage): void
  /** Replaces all messages. */
  set(messages: readonly ChatMessage[]): void
  /** Removes all messages. */
  reset(): void
  /** Returns an empty memory of the same kind, for messages outside the conversation. */
  fresh?(): BaseMemory
  /** Returns an independent memory with the same messages. */
  clone?(): BaseMemory
}
