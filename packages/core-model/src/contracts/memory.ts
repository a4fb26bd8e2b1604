import type { ChatMessage } from '../messages/chat-message.ts'

/** The memory of a conversation. */
export interface BaseMemory {
  /** The messages that a model should see. */
  get(options?: { initialTokenCount?: number }): ChatMessage[]
  /** All messages. */
  getAll(): ChatMessage[]
  /** Adds a message at the end. */
  put(message: ChatMessage): void
  /** Replaces all messages. */
  set(messages: readonly ChatMessage[]): void
  /** Forgets all messages. */
  reset(): void
  /** An empty memory of the same kind, for something beside the conversation. */
  fresh?(): BaseMemory
  /** A memory with the same messages that goes its own way from here. */
  clone?(): BaseMemory
}
