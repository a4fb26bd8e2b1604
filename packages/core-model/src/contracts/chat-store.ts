import type { ChatMessage } from '../messages/chat-message.ts'

/** Keeps lists of messages by key; what a memory writes to. */
export interface ChatStore {
  /** Replaces the messages of a key. */
  setMessages(key: string, messages: readonly ChatMessage[]): void
  /** The messages of a key, as a list of its own; empty when the key is unknown. */
  getMessages(key: string): ChatMessage[]
  /** Adds a message at the end, or before the message at `index`. */
  addMessage(key: string, message: ChatMessage, index?: number): void
  /** Removes a key; gives its messages, or null when it is unknown. */
  deleteMessages(key: string): ChatMessage[] | null
  /** All messages by key, with the name of the class that reads them. */
  toDict(): { store: Record<string, unknown[]>; class_name: string }
}
