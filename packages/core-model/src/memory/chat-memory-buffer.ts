/**
 * @module
 * A memory with a token limit. A model receives the newest messages within the limit.
 */

import { ConfigurationError, isInstance, writeJsonText } from '@x/core'
import {
  callback,
  checkGiven,
  checkOption,
  checkOptions,
  having,
  list,
  type OptionTable,
  required,
  text,
  wholeNumber,
} from '@x/core/options'
import { type LineOptions, modelReader, readRecord, wireLine } from '@x/core/reading'
import { isPlainObject, parseJson } from '@x/core/values'
import type { Tokenizer } from '../contracts/embedding.ts'
import type { BaseLLM } from '../contracts/llm.ts'
import type { BaseMemory } from '../contracts/memory.ts'
import { estimateTokens } from '../count-tokens.ts'
import type { ChatMessageOptions } from '../generated/chat-message.ts'
import { ChatMessage } from '../messages/chat-message.ts'
import type { SyncChatStore } from '../messages/chat-store.ts'
import { SimpleChatStore } from '../messages/simple-chat-store.ts'
import { newestWithin, TokenLimitError } from './newest-messages.ts'

const DEFAULT_LIMIT = 3000
const DEFAULT_KEY = 'chat_history'

/** Constructor options of `ChatMemoryBuffer`. */
interface ChatMemoryBufferOptions {
  /** Maximum number of tokens that `get` returns; at least 1. */
  tokenLimit: number
  /** Counts tokens. @defaultValue {@link estimateTokens} */
  tokenizerFn?: Tokenizer | undefined
  /** Stores the messages. @defaultValue an empty store in memory */
  chatStore?: SyncChatStore | undefined
  /** The key of the conversation in the store. @defaultValue 'chat_history' */
  chatStoreKey?: string | undefined
}

/** Options of `ChatMemoryBuffer.fromDefaults`. */
interface ChatMemoryBufferDefaults {
  chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | undefined
  /** The model that receives the messages. The limit is three quarters of its context window; no limit if the window is unknown. */
  llm?: Pick<BaseLLM, 'metadata'> | undefined
  tokenLimit?: number | undefined
  tokenizerFn?: Tokenizer | undefined
  chatStore?: SyncChatStore | undefined
  chatStoreKey?: string | undefined
}

const limit = wholeNumber(1)
const bufferOptions: OptionTable<ChatMemoryBufferOptions> = {
  tokenLimit: required(limit),
  tokenizerFn: callback,
  chatStore: having('a chat store', 'getMessages'),
  chatStoreKey: text,
}
const defaultsOptions: OptionTable<ChatMemoryBufferDefaults> = {
  ...bufferOptions,
  tokenLimit: limit,
  chatHistory: list,
  llm: having('a model', 'metadata'),
}

/** A memory in JSON. */
export interface ChatMemoryBufferDict {
  token_limit: number
  chat_store: { store: Record<string, unknown[]>; class_name: string }
  chat_store_key: string
  class_name: string
}

/** Marks options that are those of a memory, which has checked them: each step of an agent copies one. */
const OF_MEMORY = Symbol('of a memory')

/**
 * Stores a whole conversation and returns its newest part within a token limit. A subclass stays that class in `fromDefaults`,
 * `fresh`, `clone` and `fromDict`; to be saved with a task, it overrides `className` and is passed in `registry`.
 * @throws {ModelValidationError} if the limit is not an integer above 0.
 * @example
 * const memory = ChatMemoryBuffer.fromDefaults({ tokenLimit: 3, tokenizerFn: (text) => text.split(' ') })
 * memory.put({ role: 'user', content: 'a long question' })
 * memory.put({ role: 'user', content: 'short' })
 * memory.get().map(({ content }) => content) // => ['short']
 */
export class ChatMemoryBuffer implements BaseMemory {
  readonly tokenLimit: number
  readonly tokenizerFn: Tokenizer
  readonly chatStore: SyncChatStore
  readonly chatStoreKey: string

  constructor(options: ChatMemoryBufferOptions) {
    if (!(OF_MEMORY in Object(options))) checkOptions('ChatMemoryBuffer', options, bufferOptions)
    this.tokenLimit = options.tokenLimit
    this.tokenizerFn = options.tokenizerFn ?? estimateTokens
    this.chatStore = options.chatStore ?? new SimpleChatStore()
    this.chatStoreKey = options.chatStoreKey ?? DEFAULT_KEY
  }

  static className(): string {
    return 'ChatMemoryBuffer'
  }

  /** Creates a memory with a history, and with a limit that is suitable for a model. */
  static fromDefaults(options: ChatMemoryBufferDefaults = {}): ChatMemoryBuffer {
    checkOptions('ChatMemoryBuffer.fromDefaults', options, defaultsOptions)
    const memory = new this({
      tokenLimit: options.tokenLimit ?? limitFor(options.llm),
      tokenizerFn: options.tokenizerFn,
      chatStore: options.chatStore,
      chatStoreKey: options.chatStoreKey,
    })
    if (options.chatHistory) memory.set(options.chatHistory)
    return memory
  }

  /**
   * Returns the newest messages within the limit: all messages, or the longest suffix that does not start with an answer or the output
   * of a tool. Text, reasoning, images, files and the arguments of tool calls count, as in `chatTokens`. The memory is not changed.
   * @param options.initialTokenCount - tokens that are already used for something else.
   * @throws {TokenLimitError} if `initialTokenCount` exceeds the limit.
   */
  get(options: { initialTokenCount?: number } = {}): ChatMessage[] {
    const initial = options.initialTokenCount ?? 0
    if (initial > this.tokenLimit) throw new TokenLimitError(initial, this.tokenLimit)
    return newestWithin(this.getAll(), this.tokenLimit - initial, this.tokenizerFn)
  }

  /** Returns all messages, regardless of the limit. */
  getAll(): ChatMessage[] {
    return this.chatStore.getMessages(this.chatStoreKey)
  }

  /** Adds a message at the end. */
  put(message: ChatMessage | ChatMessageOptions): void {
    this.chatStore.addMessage(this.chatStoreKey, toMessage(message))
  }

  /** Replaces the conversation. */
  set(messages: readonly (ChatMessage | ChatMessageOptions)[]): void {
    if (!Array.isArray(messages)) checkGiven('set', { messages }, list)
    this.chatStore.setMessages(this.chatStoreKey, messages.map(toMessage))
  }

  /** Deletes the conversation. */
  reset(): void {
    this.chatStore.deleteMessages(this.chatStoreKey)
  }

  /**
   * Returns an empty memory of the same class with the same limit and tokenizer, and its own store. A subclass whose constructor has
   * further options overrides this method.
   */
  fresh(): ChatMemoryBuffer {
    const memoryClass = this.constructor as typeof ChatMemoryBuffer
    const { tokenLimit, tokenizerFn, chatStoreKey } = this
    const options = { tokenLimit, tokenizerFn, chatStoreKey, [OF_MEMORY]: true }
    return new memoryClass(options)
  }

  /** Returns an independent memory with the same messages. */
  clone(): ChatMemoryBuffer {
    const copy = this.fresh()
    const messages = this.getAll()
    if (messages.length > 0) copy.chatStore.setMessages(copy.chatStoreKey, messages)
    return copy
  }

  /** Returns the memory as data. */
  toDict(options?: LineOptions): ChatMemoryBufferDict {
    const limit = { token_limit: this.tokenLimit }
    const stored = { chat_store: this.chatStore.toDict(options), chat_store_key: this.chatStoreKey }
    const isFirst = (wireLine(options?.line, 'ChatMemoryBuffer')?.name ?? '0.10') === '0.10'
    const class_name = (this.constructor as typeof ChatMemoryBuffer).className()
    return isFirst ? { ...limit, ...stored, class_name } : { ...stored, ...limit, class_name }
  }

  /** Returns the parts of the memory for a saved task: the messages are an array that steps share. */
  toParts(): Record<string, unknown> {
    return { ...this.fresh().toDict(), messages: this.getAll() }
  }

  /** Returns the memory as a JSON string. */
  toString(): string {
    return writeJsonText(this.toDict())
  }

  /**
   * Reads the result of {@link toDict} or {@link toParts}, and the older form with `chat_history` instead of a store.
   * @throws {ChatStoreError} if the class of the store is unknown.
   * @throws {ModelValidationError} if the limit is missing or out of range, or other data is invalid.
   */
  static fromDict(data: unknown, options: { tokenizerFn?: Tokenizer } = {}): ChatMemoryBuffer {
    const { chatStoreKey, history, store, tokenLimit } = readRecord('ChatMemoryBuffer', data, (fields) => ({
      chatStoreKey: fields.string('chat_store_key', DEFAULT_KEY),
      history: fields.list(fields.has('messages') ? 'messages' : 'chat_history', modelReader(ChatMessage)),
      store: fields.data['chat_store'],
      tokenLimit: fields.data['token_limit'] as number,
    }))
    const memory = new this({
      tokenLimit,
      tokenizerFn: options.tokenizerFn,
      // A memory names the class of its store, as in Python; a file of a store may omit it.
      chatStore:
        store === undefined
          ? undefined
          : SimpleChatStore.fromDict(isPlainObject(store) ? { class_name: null, ...store } : store),
      chatStoreKey,
    })
    if (history.length > 0) memory.set(history)
    return memory
  }

  /** Reads the result of `toString`, like {@link fromDict}. @throws {ModelValidationError} also if the string is not JSON. */
  static fromString(text: string, options: { tokenizerFn?: Tokenizer } = {}): ChatMemoryBuffer {
    return this.fromDict(parseJson('ChatMemoryBuffer', text), options)
  }
}

/** Returns a limit. @throws {ModelValidationError} if it is not an integer above 0. */
export function checkTokenLimit(className: string, tokenLimit: number): number {
  checkOption(className, 'tokenLimit', tokenLimit, limit)
  return tokenLimit
}

/** Returns the limit that is suitable for a model. */
export function limitFor(llm: Pick<BaseLLM, 'metadata'> | undefined): number {
  if (!llm) return DEFAULT_LIMIT
  const { contextWindow } = llm.metadata
  return contextWindow === null ? Number.MAX_SAFE_INTEGER : Math.floor(contextWindow * 0.75)
}

/** Creates a memory. */
export interface MemoryClass {
  fromDefaults(options: ChatMemoryBufferDefaults): BaseMemory
}

/**
 * Returns the memory in the options, or creates one with the history in the options.
 * @throws {ConfigurationError} if both are passed.
 */
export function memoryOf(
  className: string,
  options: {
    memory?: BaseMemory | null | undefined
    chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined
    memoryCls?: MemoryClass | undefined
    llm?: Pick<BaseLLM, 'metadata'> | null | undefined
  },
): BaseMemory {
  const { memory, chatHistory, memoryCls = ChatMemoryBuffer, llm } = options
  if (memory && chatHistory) {
    throw new ConfigurationError(
      `${className}: memory and chatHistory cannot be combined; put the history into the memory.`,
    )
  }
  return memory ?? memoryCls.fromDefaults({ chatHistory: chatHistory ?? undefined, llm: llm ?? undefined })
}

/** Moves all messages to the end of another memory. Messages that cannot be moved stay. */
export async function moveMessages(from: BaseMemory, to: BaseMemory): Promise<void> {
  const messages = await from.getAll()
  let taken = 0
  try {
    for (; taken < messages.length; taken++) {
      const added = to.put(messages[taken]!)
      if (added) await added
    }
  } finally {
    await from.set(messages.slice(taken))
  }
}

/**
 * Returns all messages of a memory in this process.
 * @throws {ConfigurationError} if the memory is asynchronous.
 */
export function messagesNow(memory: BaseMemory): ChatMessage[] {
  const messages = memory.getAll()
  if (Array.isArray(messages)) return messages
  // The result is not used; a rejection must not be unhandled.
  messages.catch(() => {})
  throw new ConfigurationError('chatHistory: the memory is asynchronous; use `await memory.getAll()`.')
}

/** Converts a message or its options to a message. */
export function toMessage(message: ChatMessage | ChatMessageOptions): ChatMessage {
  if (message instanceof ChatMessage || isInstance(message, ChatMessage)) return message
  checkGiven('ChatMessage', { message }, 'a message or its fields')
  return new ChatMessage(message)
}
