import { ToolkitError, type WireLine } from '@x/core'
import { checkOption, listOf, type OptionTable, required, text, wholeNumber } from '@x/core/options'
import type { ChatMessage } from './chat-message.ts'
import type { TurnStore } from './turn-store.ts'

/** Stores arrays of messages by key, for memories. A store in a database is usually asynchronous: await the results of its methods. */
export interface ChatStore {
  /** Replaces the messages of a key, at once: who reads meanwhile sees those before or after. */
  setMessages(key: string, messages: readonly ChatMessage[]): void | Promise<void>
  /** Returns the messages of a key as a new array; empty when the key is unknown. */
  getMessages(key: string): ChatMessage[] | Promise<ChatMessage[]>
  /**
   * Returns the last `count` messages of a key, or all if there are fewer, in their order. With it a memory reads no more of a long
   * conversation than a model receives.
   */
  getLast?(key: string, count: number): ChatMessage[] | Promise<ChatMessage[]>
  /** Adds a message at the end, or before the message at `index`. */
  addMessage(key: string, message: ChatMessage, index?: number): void | Promise<void>
  /** Removes a key. Returns its messages, or null when the key is unknown. */
  deleteMessages(key: string): ChatMessage[] | null | Promise<ChatMessage[] | null>
  /** The turns of the conversations. Without them, the marks of turns are messages under another key, which two processes may overwrite. */
  readonly turns?: TurnStore | undefined
  /** The lists of the chats of users. Without them, a list is messages under a separate key, which two processes may overwrite. */
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

/**
 * @module
 * The chats of users: what a page lists.
 */

/** A chat of a list. */
export interface ListedChat {
  /** The id of the chat among those of its owner. */
  readonly id: string
  readonly title: string
  /** When its last message was accepted, in milliseconds since 1970-01-01 UTC. No two chats of an owner have the same time. */
  readonly at: number
}

/** Which chats of an owner are returned. */
export interface ChatListOptions {
  /** The maximum number of chats, at least 0. @defaultValue 100 */
  limit?: number | undefined
  /** Only chats with an earlier time, such as that of the last chat of a page. @defaultValue none: the first page */
  before?: number | undefined
}

/** The lists of chats of a chat store. Each chat is a conversation of one owner; owners are compared whole. */
export interface ChatList {
  /**
   * Adds a conversation to the list of an owner. One that is in the list keeps its title, and gets the time. The time is at least one
   * millisecond after those of the other chats. Returns whether the chat is new.
   * @param key - the key of the conversation in the chat store
   */
  put(key: string, owner: string, chat: ListedChat): boolean | Promise<boolean>
  /** Returns the chats of an owner, the latest one first. */
  list(owner: string, options?: ChatListOptions): ListedChat[] | Promise<ListedChat[]>
  /** Replaces the title of a chat. Does nothing if the owner has no such chat. */
  setTitle(key: string, owner: string, title: string): void | Promise<void>
  /** Deletes a chat with its messages, also one that is in no list. */
  delete(key: string, owner: string): void | Promise<void>
}

/**
 * Thrown when data is not a chat store, or names a different class of chat stores. Pass the JSON that a chat store of this class wrote,
 * or read it with the class that the data names.
 */
export class ChatStoreError extends ToolkitError {
  constructor(message: string) {
    super('ChatStoreError', 'chat_store', message)
  }
}

/** Accepts an array of messages. */
const messageList = /* @__PURE__ */ listOf('a ChatMessage', 'role', 'toJson')

/** Arguments of chat stores, of any type. */
interface ChatArguments {
  readonly key: unknown
  readonly message?: unknown
  readonly messages?: unknown
  readonly count?: unknown
}

const checks: OptionTable<ChatArguments> = {
  key: /* @__PURE__ */ required(text),
  message: /* @__PURE__ */ required('a ChatMessage', 'role', 'toJson'),
  messages: messageList,
  count: /* @__PURE__ */ wholeNumber(0),
}

/**
 * Checks arguments of a method of a chat store by their names, for your own stores.
 * @throws {ModelValidationError} with the name of the first argument that is invalid.
 * @example
 * checkChatArguments('addMessage', { key: 'ann', message: new ChatMessage({ content: 'Hello' }) })
 * checkChatArguments('addMessage', { key: 'ann', message: 'Hello' }) // => throws model_validation
 */
export function checkChatArguments(where: string, given: ChatArguments): void {
  for (const name of Object.keys(given) as (keyof ChatArguments)[]) checkOption(where, name, given[name], checks[name])
}

declare module '@x/core' {
  interface ToolkitErrors {
    chat_store: ChatStoreError
  }
}
