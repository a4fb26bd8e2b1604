/**
 * @module
 * Memories whose messages are in a chat store, which may be asynchronous: of a conversation, and of a turn of it.
 */
import {
  callback,
  checkGiven,
  checkOptions,
  having,
  list,
  type OptionTable,
  required,
  text,
  unchecked,
  wholeNumber,
} from '@x/core/options'
import type { Tokenizer } from '../contracts/embedding.ts'
import type { BaseLLM } from '../contracts/llm.ts'
import type { BaseMemory, ConversationRef } from '../contracts/memory.ts'
import { estimateTokens } from '../count-tokens.ts'
import type { ChatMessageOptions } from '../generated/chat-message.ts'
import type { ChatMessage } from '../messages/chat-message.ts'
import type { ChatStore } from '../messages/chat-store.ts'
import type { MessagesBefore, Turn, TurnMarks, TurnStore } from '../messages/turn-store.ts'
import { ChatMemoryBuffer, checkTokenLimit, limitFor, toMessage } from './chat-memory-buffer.ts'
import { firstMessages, newestRead, PAGE, TokenLimitError } from './newest-messages.ts'
import { heldTurn } from './turn-messages.ts'
import { turnsIn } from './turns-as-messages.ts'

/** Options of {@link StoredChatMemory}. */
interface StoredChatMemoryOptions {
  /** Stores the messages. */
  chatStore: ChatStore
  /** The key of the conversation in the store. */
  conversationId: string
  /** Maximum number of tokens that `get` returns; at least 1. @defaultValue what is suitable for `llm`, otherwise 3000 */
  tokenLimit?: number | undefined
  /** The model that receives the messages. The limit is three quarters of its context window; no limit if the window is unknown. */
  llm?: Pick<BaseLLM, 'metadata'> | undefined
  /** Counts tokens. @defaultValue {@link estimateTokens} */
  tokenizerFn?: Tokenizer | undefined
  /** The number of messages, from the first one, among which `get` chooses; `getAll` returns all. @defaultValue all messages */
  length?: number | undefined
}

const memoryOptions: OptionTable<StoredChatMemoryOptions> = {
  chatStore: required('a chat store', 'getMessages', 'setMessages', 'addMessage'),
  conversationId: required(text),
  // Checked for every memory.
  tokenLimit: unchecked,
  llm: having('a model', 'metadata'),
  tokenizerFn: callback,
  length: wholeNumber(0),
}

/**
 * The memory of one conversation in a chat store, for example in a database. Like a {@link ChatMemoryBuffer}, it returns the newest
 * messages within a token limit. Saved tasks refer to the conversation by its id instead of copying its messages.
 * @throws {ModelValidationError} if an option is unknown, invalid or missing, or the limit is not an integer above 0.
 * @example
 * const rows = new Map<string, ChatMessage[]>()
 * const chatStore: ChatStore = {
 *   getMessages: async (key) => [...(rows.get(key) ?? [])],
 *   setMessages: async (key, messages) => void rows.set(key, [...messages]),
 *   addMessage: async (key, message) => void rows.set(key, [...(rows.get(key) ?? []), message]),
 *   deleteMessages: async (key) => {
 *     const messages = rows.get(key) ?? null
 *     rows.delete(key)
 *     return messages
 *   },
 * }
 * const memory = new StoredChatMemory({ chatStore, conversationId: 'ann' })
 * await memory.put({ role: 'user', content: 'I am Ann.' })
 * rows.get('ann')?.map(String) // => ['user: I am Ann.']
 */
export class StoredChatMemory implements BaseMemory {
  readonly conversationId: string
  readonly chatStore: ChatStore
  readonly tokenLimit: number
  readonly tokenizerFn: Tokenizer
  readonly length: number | undefined

  /**
   * Returns the memory of a conversation of which the model receives the first messages.
   * @param like - the memory whose token limit and tokenizer it has.
   */
  static fromRef({ id, length }: ConversationRef, chatStore: ChatStore, like: object = {}): StoredChatMemory {
    return new StoredChatMemory({ chatStore, conversationId: id, ...limitsOf(like), length })
  }

  constructor(options: StoredChatMemoryOptions) {
    checkOptions('StoredChatMemory', options, memoryOptions)
    this.conversationId = options.conversationId
    this.chatStore = options.chatStore
    this.tokenLimit = checkTokenLimit('StoredChatMemory', options.tokenLimit ?? limitFor(options.llm))
    this.tokenizerFn = options.tokenizerFn ?? estimateTokens
    this.length = options.length
  }

  /**
   * Returns the newest messages within the limit.
   * @param options.initialTokenCount - tokens that are already used for something else.
   * @throws {TokenLimitError} if `initialTokenCount` exceeds the limit.
   */
  async get({ initialTokenCount: initial = 0 }: { initialTokenCount?: number } = {}): Promise<ChatMessage[]> {
    if (initial > this.tokenLimit) throw new TokenLimitError(initial, this.tokenLimit)
    const pages = pagesOf(this.chatStore)
    const first = pages.get(this.conversationId)
    const last = (count: number) => this.last(count)
    const newest = await newestRead(last, this.tokenLimit - initial, this.tokenizerFn, first)
    // With room for what the next turn adds, so that one page is enough for it.
    if (newest.length >= PAGE) {
      if (pages.size > 1000) pages.clear()
      pages.set(this.conversationId, newest.length + PAGE / 2)
    }
    return newest
  }

  /** Returns the last messages among which `get` chooses: as many as it asks for, or all. @internal */
  protected async last(count: number): Promise<ChatMessage[]> {
    const { chatStore, conversationId, length } = this
    if (length === undefined && chatStore.getLast && count < Number.MAX_SAFE_INTEGER)
      return chatStore.getLast(conversationId, count)
    return firstMessages(await this.getAll(), length)
  }

  /** Returns all messages, regardless of the limit. */
  async getAll(): Promise<ChatMessage[]> {
    return this.chatStore.getMessages(this.conversationId)
  }

  /** Adds a message at the end. */
  async put(message: ChatMessage | ChatMessageOptions): Promise<void> {
    await this.chatStore.addMessage(this.conversationId, toMessage(message))
  }

  /** Replaces the conversation. */
  async set(messages: readonly (ChatMessage | ChatMessageOptions)[]): Promise<void> {
    checkGiven('set', { messages }, list)
    await this.chatStore.setMessages(this.conversationId, messages.map(toMessage))
  }

  /** Deletes the conversation. */
  async reset(): Promise<void> {
    await this.chatStore.deleteMessages(this.conversationId)
  }

  /**
   * Returns a memory of the same conversation whose `get` returns only messages among the first `length` ones, and the results of their
   * calls.
   */
  upTo(length: number): StoredChatMemory {
    return StoredChatMemory.fromRef({ id: this.conversationId, length }, this.chatStore, this)
  }

  /**
   * Returns the memory of the conversation for the turn of a task; undefined for a memory of the first messages, which is one of an engine.
   */
  forTurn(turn: string): TurnMemory | undefined {
    const { chatStore, conversationId, length } = this
    return length === undefined ? new TurnMemory({ chatStore, conversationId, turn, like: this }) : undefined
  }

  /**
   * Returns the memory of a conversation beside this one, in the same store.
   * @param like - the memory whose token limit and tokenizer it has.
   */
  inner(name: string, like: object): StoredChatMemory {
    const { chatStore, conversationId } = this
    return new StoredChatMemory({ chatStore, conversationId: `${conversationId}/${name}`, ...limitsOf(like) })
  }

  /** Returns an empty memory in this process with the same limit and tokenizer. */
  fresh(): ChatMemoryBuffer {
    return new ChatMemoryBuffer({ tokenLimit: this.tokenLimit, tokenizerFn: this.tokenizerFn })
  }
}

/** Returns the token limit and the tokenizer of a memory, if it has them. */
export function limitsOf(memory: object): { tokenLimit: number | undefined; tokenizerFn: Tokenizer | undefined } {
  const { tokenLimit, tokenizerFn } = memory as Partial<StoredChatMemory>
  return { tokenLimit, tokenizerFn }
}

/** Options of a {@link TurnMemory}. */
interface TurnMemoryOptions {
  chatStore: ChatStore
  conversationId: string
  /** The task of the turn. */
  turn: string
  /** A memory whose token limit and tokenizer it has. @defaultValue those of a `StoredChatMemory` */
  like?: object | undefined
  /** Whether the turn is in the store already. @defaultValue false */
  hasBegun?: boolean | undefined
}

/** The numbers of messages to read at first, by conversation: what a model received before is nearly what it receives next. */
const pages = new WeakMap<ChatStore, Map<string, number>>()

function pagesOf(chatStore: ChatStore): Map<string, number> {
  const known = pages.get(chatStore) ?? new Map<string, number>()
  pages.set(chatStore, known)
  return known
}

/** The memory of a turn of a conversation in a chat store. The turn begins before its task. */
export class TurnMemory extends StoredChatMemory {
  /** The task of the turn. */
  readonly turn: string
  /** The turns of all conversations of the store. */
  readonly turns: TurnStore
  /** Whether the turn was in the store when this memory was made. */
  readonly hasBegun: boolean
  /** @internal */
  reading: Promise<Turn[]> | undefined
  /** The turn and the messages before it, as far as they were read. @internal */
  page: { count: number; reading: Promise<MessagesBefore> } | undefined
  /** What the model receives: the requests of a run are the same but for the turn itself. @internal */
  newest: { initial: number; messages: Promise<ChatMessage[]> } | undefined

  constructor({ turn, like = {}, hasBegun = false, ...stored }: TurnMemoryOptions) {
    super({ ...stored, ...limitsOf(like) })
    this.turn = turn
    this.hasBegun = hasBegun
    this.turns = turnsIn(stored.chatStore)
  }

  /** Returns the messages before the turn, as they were when its run began. */
  override async getAll(): Promise<ChatMessage[]> {
    if (this.turns.before) return this.last(Number.MAX_SAFE_INTEGER)
    const turns = await this.read()
    const own = turns.findIndex(({ task }) => task === this.turn)
    const before = turns.slice(0, own < 0 ? undefined : own).flatMap(({ messages }) => messages)
    return [...before, ...attemptsOf(turns[own])]
  }

  override async get({ initialTokenCount: initial = 0 }: { initialTokenCount?: number } = {}): Promise<ChatMessage[]> {
    if (this.newest?.initial !== initial) this.newest = { initial, messages: super.get({ initialTokenCount: initial }) }
    return [...(await this.newest!.messages)]
  }

  /** Returns the number of messages before the turn. */
  async countMessages(): Promise<number> {
    if (!this.turns.countMessages) return (await this.getAll()).length
    const before = await this.turns.countMessages(this.conversationId, this.turn)
    return before + attemptsOf(await this.own()).length
  }

  /** Returns the turn as it was when its run began; undefined if it was removed. */
  async own(): Promise<Turn | undefined> {
    if (this.turns.before) return (await this.before(0)).turn
    return (await this.read()).find(({ task }) => task === this.turn)
  }

  /** @internal */
  protected override async last(count: number): Promise<ChatMessage[]> {
    if (!this.turns.before) return this.getAll()
    const { messages, turn } = await this.before(count)
    const last = [...messages.slice(-count), ...attemptsOf(turn)]
    // As many as were asked for, if there are more.
    return messages.length < count ? last : last.slice(-count)
  }

  /**
   * Begins the turn at the end of the conversation, unless it has begun.
   * @param isHeld - whether later tasks do not receive the message before it is accepted. @defaultValue false
   */
  async begin(message: ChatMessage, isHeld = false): Promise<void> {
    if (this.hasBegun) return
    const { turn: task } = this
    const open: Turn = { id: task, task, state: 'open', messages: [message] }
    const own = isHeld ? heldTurn(open) : open
    if (this.turns.append) return this.turns.append(this.conversationId, own, sealed)
    await this.turns.begin(this.conversationId, undefined, (turns) =>
      turns.some((turn) => turn.task === task) ? turns : [...turns.map(sealed), own],
    )
  }

  /** Marks the turn as failed if its run has not begun. */
  async seal(): Promise<void> {
    await this.turns.begin(this.conversationId, undefined, (turns) =>
      turns.map((turn) => (turn.task === this.turn ? sealed(turn) : turn)),
    )
  }

  /** Reads the conversation again: an earlier turn may have gone on. */
  refresh(): void {
    this.reading = this.page = this.newest = undefined
  }

  /** The turn says which messages are before it. */
  override upTo(): this {
    return this
  }

  /** A task has one turn. */
  override forTurn(): this {
    return this
  }

  /** Returns the turn and at least `count` messages before it, or all. @internal */
  before(count: number): Promise<MessagesBefore> {
    if (!this.page || this.page.count < count) {
      const reading = Promise.resolve(this.turns.before!(this.conversationId, this.turn, count))
      this.page = { count, reading }
      reading.catch(() => this.refresh())
    }
    return this.page.reading
  }

  /** @internal */
  read(): Promise<Turn[]> {
    this.reading ??= Promise.resolve(this.turns.read(this.conversationId))
    // The next call reads again.
    this.reading.catch(() => this.refresh())
    return this.reading
  }
}

/** Returns the memory if its turn is written while it happens. */
export function turnMemoryOf(memory: BaseMemory | undefined): TurnMemory | undefined {
  return memory && 'turn' in Object(memory) && 'turns' in memory ? (memory as TurnMemory) : undefined
}

/** Returns the messages of earlier attempts of a turn. */
export function attemptsOf(turn: Turn | undefined): readonly ChatMessage[] {
  return turn?.messages.slice(0, turn.attempts ?? 0) ?? []
}

/** Returns the marks of a turn whose process has ended. */
export function sealed(turn: TurnMarks): TurnMarks {
  return turn.state === 'open' ? { ...turn, state: 'failed' } : turn
}

/** Returns the number of all messages of a memory. */
export async function countOf(memory: BaseMemory): Promise<number> {
  return (await memory.countMessages?.()) ?? (await memory.getAll()).length
}

/** Returns the memory of a conversation for the turn of a task; undefined for a memory without a chat store. */
export function memoryForTurn(memory: BaseMemory, turn: string): TurnMemory | undefined {
  return (memory as Partial<Pick<StoredChatMemory, 'forTurn'>>).forTurn?.(turn)
}
