import type { WireLine } from '@x/core'
import type { ChatList } from './chat-list.ts'
import type { ChatMessage } from './chat-message.ts'
import type { TurnStore } from './turn-store.ts'

/** Stores arrays of messages by key, for memories. A store in a database is usually asynchronous: await the results of its methods. */
export interface ChatStore {
  /** Replaces the messages of a key. */
  setMessages(key: string, messages: readonly ChatMessage[]): void | Promise<void>
  /** Returns the messages of a key as a new array; empty when the key is unknown. */
  getMessages(key: string): ChatMessage[] | Promise<ChatMessage[]>
  /**
   * Returns the last `count` messages of a key, or all if there are fewer, in their order. With it a memory reads no more of a long conversation
   * than a model receives.
   */
  getLast?(key: string, count: number): ChatMessage[] | Promise<ChatMessage[]>
  /** Adds a message at the end, or before the message at `index`. */
  addMessage(key: string, message: ChatMessage, index?: number): void | Promise<void>
  /** Removes a key. Returns its messages, or null when the key is unknown. */
  deleteMessages(key: string): ChatMessage[] | null | Promise<ChatMessage[] | null>
  /** The turns of the conversations. Without them, the marks of turns are messages under another key, which two processes may overwrite. */
  readonly turns?: TurnStore | undefined
  /** The lists of the chats of users. Without them, a list is messages under a key of its own, which two processes may overwrite. */
  readonly chats?: ChatList | undefined
}

/** A synchronous chat store, in this process. */
export interface SyncChatStore extends ChatStore {
  setMessages(key: string, messages: readonly ChatMessage[]): void
  getMessages(key: string): ChatMessage[]
  addMessage(key: string, message: ChatMessage, index?: number): void
  deleteMessages(key: string): ChatMessage[] | null
  /** Returns all messages by key, and the name of the class that reads them. The line is that of LlamaIndex for Python. */
  toDict(options?: { line?: WireLine | string | undefined }): { store: Record<string, unknown[]>; class_name: string }
}
