/**
 * @module
 * A memory with a token limit. A model receives the newest messages within the limit.
 */
import {
  type BaseLLM,
  type BaseMemory,
  ChatMessage,
  type ChatMessageOptions,
  type ChatStore,
  ConfigurationError,
  estimateTokens,
  isInstance,
  ModelValidationError,
  messageText,
  readJsonText,
  SimpleChatStore,
  type Tokenizer,
  writeJsonText,
} from '@x/core-model'
import { countTokens } from '@x/core-model/internal'
import { TokenLimitError } from '../errors.ts'
import { modelReader, readRecord } from '../record-reader.ts'

const DEFAULT_LIMIT = 3000
const DEFAULT_KEY = 'chat_history'

/** Constructor options of `ChatMemoryBuffer`. */
export interface ChatMemoryBufferOptions {
  /** Maximum number of tokens that `get` returns; at least 1. */
  tokenLimit: number
  /** Counts tokens. @defaultValue {@link estimateTokens} */
  tokenizerFn?: Tokenizer | undefined
  /** Stores the messages. @defaultValue an empty store in memory */
  chatStore?: ChatStore | undefined
  /** The key of the conversation in the store. @defaultValue 'chat_history' */
  chatStoreKey?: string | undefined
}

/** Options of `ChatMemoryBuffer.fromDefaults`. */
export interface ChatMemoryBufferDefaults {
  chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | undefined
  /** The model that receives the messages. The limit is three quarters of its context window; no limit if the window is unknown. */
  llm?: Pick<BaseLLM, 'metadata'> | undefined
  tokenLimit?: number | undefined
  tokenizerFn?: Tokenizer | undefined
  chatStore?: ChatStore | undefined
  chatStoreKey?: string | undefined
}

/** A memory in JSON. */
export interface ChatMemoryBufferDict {
  token_limit: number
  chat_store: { store: Record<string, unknown[]>; class_name: string }
  chat_store_key: string
  class_name: 'ChatMemoryBuffer'
}

/**
 * Stores a whole conversation and returns its newest part within a token limit.
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
  readonly chatStore: ChatStore
  readonly chatStoreKey: string

  constructor(options: ChatMemoryBufferOptions) {
    if (!Number.isInteger(options.tokenLimit) || options.tokenLimit < 1) {
      const message = `expected an integer of at least 1, received ${String(options.tokenLimit)}`
      throw new ModelValidationError('ChatMemoryBuffer', [{ path: 'tokenLimit', message, code: 'bound' }])
    }
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
    const memory = new ChatMemoryBuffer({
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
   * of a tool. The memory is not changed.
   * @param options.initialTokenCount - tokens that are already used for something else.
   * @throws {TokenLimitError} if `initialTokenCount` exceeds the limit.
   */
  get(options: { initialTokenCount?: number } = {}): ChatMessage[] {
    const initial = options.initialTokenCount ?? 0
    if (initial > this.tokenLimit) throw new TokenLimitError(initial, this.tokenLimit)
    const messages = this.getAll()
    const room = this.tokenLimit - initial
    const fits = (start: number) => this.countTokens(messages, start) <= room
    if (this.surelyFits(messages, room) || fits(0)) return messages
    // A shorter suffix has fewer tokens, so a binary search finds the first start within the limit.
    let low = 1
    let high = messages.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (fits(middle)) high = middle
      else low = middle + 1
    }
    while (low < messages.length && (cannotOpen(messages[low]!) || !fits(low))) low++
    return messages.slice(low)
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
    this.chatStore.setMessages(this.chatStoreKey, messages.map(toMessage))
  }

  /** Deletes the conversation. */
  reset(): void {
    this.chatStore.deleteMessages(this.chatStoreKey)
  }

  /** Returns an empty memory with the same limit and tokenizer, and its own store. */
  fresh(): ChatMemoryBuffer {
    return new ChatMemoryBuffer({
      tokenLimit: this.tokenLimit,
      tokenizerFn: this.tokenizerFn,
      chatStoreKey: this.chatStoreKey,
    })
  }

  /** Returns an independent memory with the same messages. */
  clone(): ChatMemoryBuffer {
    const copy = this.fresh()
    const messages = this.getAll()
    if (messages.length > 0) copy.chatStore.setMessages(copy.chatStoreKey, messages)
    return copy
  }

  /** Returns the memory as data. */
  toDict(): ChatMemoryBufferDict {
    return {
      token_limit: this.tokenLimit,
      chat_store: this.chatStore.toDict(),
      chat_store_key: this.chatStoreKey,
      class_name: 'ChatMemoryBuffer',
    }
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
    const memory = new ChatMemoryBuffer({
      tokenLimit,
      tokenizerFn: options.tokenizerFn,
      chatStore: store === undefined ? undefined : SimpleChatStore.fromDict(store),
      chatStoreKey,
    })
    if (history.length > 0) memory.set(history)
    return memory
  }

  /** Reads the result of `toString`. */
  static fromString(text: string, options: { tokenizerFn?: Tokenizer } = {}): ChatMemoryBuffer {
    return ChatMemoryBuffer.fromDict(readJsonText(text), options)
  }

  /** The estimate is never higher than the number of characters, so most conversations do not need to be counted. */
  private surelyFits(messages: readonly ChatMessage[], room: number): boolean {
    if (this.tokenizerFn !== estimateTokens) return false
    let characters = 0
    for (const message of messages) characters += messageText(message).length
    return characters <= room
  }

  private countTokens(messages: readonly ChatMessage[], start: number): number {
    if (start >= messages.length) return 0
    return countTokens(messages.slice(start).map(messageText).join(' '), this.tokenizerFn)
  }
}

function limitFor(llm: Pick<BaseLLM, 'metadata'> | undefined): number {
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
export function moveMessages(from: BaseMemory, to: BaseMemory): void {
  const messages = from.getAll()
  let taken = 0
  try {
    for (; taken < messages.length; taken++) to.put(messages[taken]!)
  } finally {
    from.set(messages.slice(taken))
  }
}

/**
 * Whether a conversation must not start with this message. A start in the middle of a turn confuses models, and some providers
 * reject it.
 */
function cannotOpen({ role }: ChatMessage): boolean {
  return role === 'assistant' || role === 'tool'
}

/** Converts a message or its options to a message. */
export function toMessage(message: ChatMessage | ChatMessageOptions): ChatMessage {
  return isInstance(message, ChatMessage) ? message : new ChatMessage(message)
}
