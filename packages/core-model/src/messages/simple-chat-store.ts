/**
 * @module
 * Chat messages by key, in memory, with their JSON form.
 */

import type { WireLine } from '@x/core'
import { isToolkitError, ModelValidationError, SerializationError } from '@x/core'
import { InvalidNested, tryRead } from '@x/core/reading'
import { isPlainObject } from '@x/core/values'
import { ChatMessage } from './chat-message.ts'
import type { SyncChatStore } from './chat-store.ts'
import { ChatStoreError, checkChatArguments } from './chat-store.ts'

/**
 * Stores arrays of messages by key in memory. Arrays are copied when they are written and read; messages are shared.
 * @example
 * const store = new SimpleChatStore()
 * store.addMessage('ann', new ChatMessage({ content: 'Hello' }))
 * store.getMessages('ann').map(String) // => ['user: Hello']
 */
export class SimpleChatStore implements SyncChatStore {
  readonly #store = new Map<string, ChatMessage[]>()

  /** Returns the identifier on the wire. */
  static className(): string {
    return 'SimpleChatStore'
  }

  /**
   * Reads a store from the result of `toDict`.
   * @throws {ChatStoreError} if the data is not a chat store, or names another class.
   * @throws {ModelValidationError} naming the key and the index of a message that is not valid.
   */
  static fromDict<T extends SimpleChatStore>(this: new () => T, data: unknown): T {
    const { class_name: className, store } = isPlainObject(data) ? data : {}
    // Files of LlamaIndex for Python may omit the class name.
    if (className !== SimpleChatStore.className() && !(className === undefined && store !== undefined))
      throw new ChatStoreError(
        `Chat store: expected class_name "SimpleChatStore", received ${JSON.stringify(className) ?? 'none'}.`,
      )
    if (!isPlainObject(store)) throw new ChatStoreError('SimpleChatStore.store: expected an object of message lists.')
    const made = new this()
    for (const [key, messages] of Object.entries(store)) {
      if (!Array.isArray(messages))
        throw new ChatStoreError(`SimpleChatStore.store.${key}: expected a list of messages.`)
      made.#store.set(
        key,
        messages.map((message, index) => {
          const read = tryRead(['store', key, index], () => ChatMessage.fromDict(message))
          if (read instanceof InvalidNested) throw new ModelValidationError(SimpleChatStore.className(), read.issues)
          return read
        }),
      )
    }
    return made
  }

  /**
   * Returns all messages by key, in the form of `line` if it is given. @throws {SerializationError} naming the message and the key of `NaN`
   * or an infinity.
   */
  toDict({ line }: { line?: WireLine | string | undefined } = {}): {
    store: Record<string, unknown[]>
    class_name: string
  } {
    const lists = [...this.#store].map(([key, messages]) => {
      const dicts = messages.map((message, index) => named(`${key}[${index}]`, () => message.toDict({ line })))
      return [key, dicts] as const
    })
    return { store: Object.fromEntries(lists), class_name: SimpleChatStore.className() }
  }

  /** Replaces the messages of a key. */
  setMessages(key: string, messages: readonly ChatMessage[]): void {
    let isRight = typeof key === 'string' && Array.isArray(messages)
    if (isRight) for (const message of messages) isRight &&= message instanceof ChatMessage
    if (!isRight) checkChatArguments('setMessages', { key, messages })
    this.#store.set(key, messages.slice())
  }

  /** Returns the messages of a key; an empty array when the key is unknown. */
  getMessages(key: string): ChatMessage[] {
    if (typeof key !== 'string') checkChatArguments('getMessages', { key })
    return this.#store.get(key)?.slice() ?? []
  }

  /** Returns the last `count` messages of a key. */
  getLast(key: string, count: number): ChatMessage[] {
    if (typeof key !== 'string' || !(count >= 0)) checkChatArguments('getLast', { key, count })
    const messages = this.#store.get(key) ?? []
    return messages.slice(Math.max(0, messages.length - count))
  }

  /** Adds a message at the end, or before the message at `index`. */
  addMessage(key: string, message: ChatMessage, index?: number): void {
    // The step of an agent adds several.
    if (typeof key !== 'string' || !(message instanceof ChatMessage)) checkChatArguments('addMessage', { key, message })
    const messages = this.#store.get(key)
    if (!messages) this.#store.set(key, [message])
    else if (index === undefined) messages.push(message)
    else messages.splice(index, 0, message)
  }

  /** Removes a key. Returns its messages, or null when the key is unknown. */
  deleteMessages(key: string): ChatMessage[] | null {
    if (typeof key !== 'string') checkChatArguments('deleteMessages', { key })
    const messages = this.#store.get(key) ?? null
    this.#store.delete(key)
    return messages
  }

  /** Removes the message at `index` and returns it; null if it does not exist. */
  deleteMessage(key: string, index: number): ChatMessage | null {
    if (typeof key !== 'string') checkChatArguments('deleteMessage', { key })
    const messages = this.#store.get(key) ?? []
    if (!Number.isInteger(index) || index < 0) return null
    return messages.splice(index, 1)[0] ?? null
  }

  /** Removes the last message and returns it; null if the list is empty. */
  deleteLastMessage(key: string): ChatMessage | null {
    if (typeof key !== 'string') checkChatArguments('deleteLastMessage', { key })
    return this.#store.get(key)?.pop() ?? null
  }

  /** Returns the keys in the order of their first message. */
  getKeys(): string[] {
    return [...this.#store.keys()]
  }
}

/** Calls `write` and adds the place of the message to its error. */
function named<T>(place: string, write: () => T): T {
  try {
    return write()
  } catch (error) {
    if (!isToolkitError(error, 'serialization')) throw error
    throw new SerializationError(`SimpleChatStore.store.${place}`, error.message.replace(/\.$/, ''), { cause: error })
  }
}
