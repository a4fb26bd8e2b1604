import type { ChatMessage } from '../messages/chat-message.ts'

/** The first messages of a conversation in a chat store, instead of a copy of them. The conversation may grow, also in its turns. */
export interface ConversationRef {
  /** The key of the conversation in the store. */
  id: string
  /** The number of messages, from the first one. */
  length: number
  /** The task whose turn of a chat this is: the messages before it are the conversation, and its own are written while it runs. */
  turn?: string | undefined
}

/**
 * The memory of a conversation. It may be asynchronous, for example because its messages are in a database: await the results of its
 * methods.
 */
export interface BaseMemory {
  /** The id of the conversation if its messages are stored elsewhere. Saved tasks then contain the id instead of the messages. */
  readonly conversationId?: string | undefined
  /** Returns the messages for the model. */
  get(options?: { initialTokenCount?: number }): ChatMessage[] | Promise<ChatMessage[]>
  /** Returns all messages. */
  getAll(): ChatMessage[] | Promise<ChatMessage[]>
  /** Returns the number of all messages without reading them. */
  countMessages?(): number | Promise<number>
  /** Adds a message at the end. */
  put(message: ChatMessage): void | Promise<void>
  /** Replaces all messages. */
  set(messages: readonly ChatMessage[]): void | Promise<void>
  /** Removes all messages. */
  reset(): void | Promise<void>
  /** Returns an empty memory for messages outside the conversation. */
  fresh?(): BaseMemory
  /**
   * Returns a memory of the same conversation whose `get` returns only messages among the first `length` ones, and the results of their
   * calls.
   */
  upTo?(length: number): BaseMemory
  /** Returns an independent memory with the same messages. */
  clone?(): BaseMemory
}
