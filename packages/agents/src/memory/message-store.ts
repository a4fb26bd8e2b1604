/**
 * @module
 * Where a memory keeps its messages.
 */
import { ChatMessage, type ChatMessageOptions } from '@x/core-model'

/** Keeps message lists by key; `SimpleChatStore` of `@x/storage` is such a store. */
export interface ChatStore {
  setMessages(key: string, messages: readonly ChatMessage[]): void
  getMessages(key: string): ChatMessage[]
  addMessage(key: string, message: ChatMessage, index?: number): void
  deleteMessages(key: string): ChatMessage[] | null
  toDict(): { store: Record<string, unknown[]>; class_name: string }
}

/** The store of memories that are given none: lists in memory, in the form of `SimpleChatStore`. */
export class MessageStore implements ChatStore {
  private readonly lists = new Map<string, ChatMessage[]>()

  setMessages(key: string, messages: readonly (ChatMessage | ChatMessageOptions)[]): void {
    this.lists.set(key, messages.map(toMessage))
  }

  getMessages(key: string): ChatMessage[] {
    return this.lists.get(key)?.slice() ?? []
  }

  addMessage(key: string, message: ChatMessage): void {
    const list = this.lists.get(key)
    if (list) list.push(message)
    else this.lists.set(key, [message])
  }

  deleteMessages(key: string): ChatMessage[] | null {
    const list = this.lists.get(key) ?? null
    this.lists.delete(key)
    return list
  }

  toDict(): { store: Record<string, unknown[]>; class_name: string } {
    const lists = Array.from(this.lists, ([key, list]) => [key, list.map((message) => message.toDict())] as const)
    return { store: Object.fromEntries(lists), class_name: 'SimpleChatStore' }
  }

  static fromDict(data: { store?: unknown }): MessageStore {
    const store = new MessageStore()
    for (const [key, messages] of Object.entries((data.store ?? {}) as Record<string, unknown[]>)) {
      store.setMessages(
        key,
        messages.map((message) => ChatMessage.fromDict(message)),
      )
    }
    return store
  }
}

/** A message from a message or its options. */
export function toMessage(message: ChatMessage | ChatMessageOptions): ChatMessage {
  return message instanceof ChatMessage ? message : new ChatMessage(message)
}
