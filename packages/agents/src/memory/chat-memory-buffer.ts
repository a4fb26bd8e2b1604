/**
 * @module
 * A conversation of which a model sees as much as fits: the newest messages within a token limit.
 */
import {
  type BaseLLM,
  type BaseMemory,
  ChatMessage,
  type ChatMessageOptions,
  type ChatStore,
  ConfigurationError,
  estimateTokens,
  ModelValidationError,
  messageText,
  readJsonText,
  SimpleChatStore,
  type Tokenizer,
  writeJsonText,
} from '@x/core-model'
import { countTokens } from '@x/core-model/internal'
import { TokenLimitError } from '../errors.ts'
import { RecordReader } from '../record-reader.ts'

const DEFAULT_LIMIT = 3000
const DEFAULT_KEY = 'chat_history'

/** How a memory is made. */
export interface ChatMemoryBufferOptions {
  /** The most tokens to show; at least 1. */
  tokenLimit: number
  /** Counts tokens. @defaultValue {@link estimateTokens} */
  tokenizerFn?: Tokenizer | undefined
  /** Where the messages are. @defaultValue an empty one in memory */
  chatStore?: ChatStore | undefined
  /** The key of the conversation in the store. @defaultValue 'chat_history' */
  chatStoreKey?: string | undefined
}

/** How a memory is made from parts. */
export interface ChatMemoryBufferDefaults {
  chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | undefined
  /** The model that will read the messages: three quarters of its context window are the limit; no limit when it is unknown. */
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
 * The whole conversation, and the newest part of it that fits a token limit.
 * @throws {ModelValidationError} when the limit is no whole number above 0.
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
      const message = `expected a whole number of at least 1, got ${String(options.tokenLimit)}`
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

  /** A memory with a history, and with a limit that suits a model. */
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
   * The newest messages that fit: all of them, or the longest tail that starts with neither an answer nor the output of
   * a tool. The memory is not changed.
   * @param options.initialTokenCount - tokens that are in use for something else.
   * @throws {TokenLimitError} when those alone are more than the limit.
   */
  get(options: { initialTokenCount?: number } = {}): ChatMessage[] {
    const initial = options.initialTokenCount ?? 0
    if (initial > this.tokenLimit) throw new TokenLimitError(initial, this.tokenLimit)
    const messages = this.getAll()
    const room = this.tokenLimit - initial
    const fits = (start: number) => this.countTokens(messages, start) <= room
    if (this.surelyFits(messages, room) || fits(0)) return messages
    // The shorter the tail, the fewer tokens: halve the range where the first fitting start is.
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

  /** Every message, whatever fits. */
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

  /** Forgets the conversation. */
  reset(): void {
    this.chatStore.deleteMessages(this.chatStoreKey)
  }

  /** An empty memory with the same limit and tokenizer, and a store of its own. */
  fresh(): ChatMemoryBuffer {
    return new ChatMemoryBuffer({
      tokenLimit: this.tokenLimit,
      tokenizerFn: this.tokenizerFn,
      chatStoreKey: this.chatStoreKey,
    })
  }

  /** A memory with the same messages that goes its own way from here. */
  clone(): ChatMemoryBuffer {
    const copy = this.fresh()
    const messages = this.getAll()
    if (messages.length > 0) copy.chatStore.setMessages(copy.chatStoreKey, messages)
    return copy
  }

  /** The memory as data. */
  toDict(): ChatMemoryBufferDict {
    return {
      token_limit: this.tokenLimit,
      chat_store: this.chatStore.toDict(),
      chat_store_key: this.chatStoreKey,
      class_name: 'ChatMemoryBuffer',
    }
  }

  /** The memory as JSON. */
  toString(): string {
    return writeJsonText(this.toDict())
  }

  /**
   * The memory that {@link toDict} wrote; also reads the older form with `chat_history` in place of a store.
   * @throws {ChatStoreError} when the store is of an unknown kind.
   * @throws {ModelValidationError} when the limit is missing or out of range, or something else does not fit.
   */
  static fromDict(data: unknown, options: { tokenizerFn?: Tokenizer } = {}): ChatMemoryBuffer {
    const reader = new RecordReader('ChatMemoryBuffer', data)
    const chatStoreKey = reader.string('chat_store_key', DEFAULT_KEY)
    const history = reader.list('chat_history', (message) => ChatMessage.fromDict(message))
    reader.finish()
    const store = reader.data['chat_store']
    const memory = new ChatMemoryBuffer({
      tokenLimit: reader.data['token_limit'] as number,
      tokenizerFn: options.tokenizerFn,
      chatStore: store === undefined ? undefined : SimpleChatStore.fromDict(store),
      chatStoreKey,
    })
    if (history.length > 0) memory.set(history)
    return memory
  }

  /** The memory that `toString` wrote. */
  static fromString(text: string, options: { tokenizerFn?: Tokenizer } = {}): ChatMemoryBuffer {
    return ChatMemoryBuffer.fromDict(readJsonText(text), options)
  }

  /** The estimate gives no more tokens than there are characters: most conversations need no counting. */
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

/** Makes a memory. */
export interface MemoryClass {
  fromDefaults(options: ChatMemoryBufferDefaults): BaseMemory
}

/**
 * The given memory, or one with the given history.
 * @throws {ConfigurationError} when both are given.
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
      `${className}: give a memory or a chat history, not both; put the history into the memory.`,
    )
  }
  return memory ?? memoryCls.fromDefaults({ chatHistory: chatHistory ?? undefined, llm: llm ?? undefined })
}

/** Moves all messages to the end of another memory; those that it does not take stay. */
export function moveMessages(from: BaseMemory, to: BaseMemory): void {
  const messages = from.getAll()
  let taken = 0
  try {
    for (; taken < messages.length; taken++) to.put(messages[taken]!)
  } finally {
    from.set(messages.slice(taken))
  }
}

/** A conversation that starts in the middle of a turn confuses models, and some providers refuse it. */
function cannotOpen({ role }: ChatMessage): boolean {
  return role === 'assistant' || role === 'tool'
}

/** A message from a message or its options. */
export function toMessage(message: ChatMessage | ChatMessageOptions): ChatMessage {
  return message instanceof ChatMessage ? message : new ChatMessage(message)
}
