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
