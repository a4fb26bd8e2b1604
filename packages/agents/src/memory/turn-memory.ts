/**
 * @module
 * The memory of a turn of a conversation: what was said before it, and where its messages are written while it runs.
 */
import type { BaseMemory, ChatMessage, ChatStore, MessagesBefore, Turn, TurnMarks, TurnStore } from '@x/core-model'
import { limitsOf, StoredChatMemory } from './stored-chat-memory.ts'
import { turnsIn } from './turns-as-messages.ts'

/** Options of a {@link TurnMemory}. */
interface TurnMemoryOptions {
  chatStore: ChatStore
  conversationId: string
  /** The task of the turn. */
  turn: string
  /** A memory whose token limit and tokenizer it has. @defaultValue those of a `StoredChatMemory` */
  like?: object | undefined
}

/** The memory of a turn of a conversation in a chat store. The turn begins before its task. */
export class TurnMemory extends StoredChatMemory {
  /** The task of the turn. */
  readonly turn: string
  readonly turns: TurnStore
  private reading: Promise<Turn[]> | undefined
  /** The turn and the messages before it, as far as they were read. */
  private page: { count: number; reading: Promise<MessagesBefore> } | undefined

  constructor({ turn, like = {}, ...stored }: TurnMemoryOptions) {
    super({ ...stored, ...limitsOf(like) })
    this.turn = turn
    this.turns = turnsIn(stored.chatStore)
  }

  /** Returns the messages before the turn, as they were when its run began. */
  override async getAll(): Promise<ChatMessage[]> {
    const turns = await this.read()
    const own = turns.findIndex(({ task }) => task === this.turn)
    const before = turns.slice(0, own < 0 ? undefined : own).flatMap(({ messages }) => messages)
    return [...before, ...attemptsOf(turns[own])]
  }

  /** Returns the turn as it was when its run began; undefined if it was removed. */
  async own(): Promise<Turn | undefined> {
    if (this.turns.before) return (await this.before(this.page?.count ?? 0)).turn
    return (await this.read()).find(({ task }) => task === this.turn)
  }

  /** @internal */
  protected override async last(count: number): Promise<ChatMessage[]> {
    if (!this.turns.before || count >= Number.MAX_SAFE_INTEGER) return this.getAll()
    const { messages, turn } = await this.before(count)
    const last = [...messages.slice(-count), ...attemptsOf(turn)]
    // As many as were asked for, if there are more.
    return messages.length < count ? last : last.slice(-count)
  }

  /** Begins the turn at the end of the conversation, unless it has begun. */
  async begin(message: ChatMessage): Promise<void> {
    const { turn: task } = this
    if (this.turns.append) {
      const turn: Turn = { id: task, task, state: 'open', messages: [message] }
      return this.turns.append(this.conversationId, turn, sealed)
    }
    await this.turns.begin(this.conversationId, undefined, (turns) =>
      turns.some((turn) => turn.task === task)
        ? turns
        : [...turns.map(sealed), { id: task, task, state: 'open', messages: [message] }],
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
    this.reading = undefined
    this.page = undefined
  }

  /** The turn says which messages are before it. */
  override upTo(): this {
    return this
  }

  /** Returns the turn and at least `count` messages before it, or all. */
  private before(count: number): Promise<MessagesBefore> {
    if (!this.page || this.page.count < count) {
      const reading = Promise.resolve(this.turns.before!(this.conversationId, this.turn, count))
      this.page = { count, reading }
      reading.catch(() => this.refresh())
    }
    return this.page.reading
  }

  private read(): Promise<Turn[]> {
    this.reading ??= Promise.resolve(this.turns.read(this.conversationId))
    // The next call reads again.
    this.reading.catch(() => this.refresh())
    return this.reading
  }
}

/** Returns the memory if its turn is written while it happens. */
export function turnMemoryOf(memory: BaseMemory | undefined): TurnMemory | undefined {
  return memory && 'turn' in memory && 'turns' in memory ? (memory as TurnMemory) : undefined
}

/** Returns the messages of earlier attempts of a turn. */
export function attemptsOf(turn: Turn | undefined): readonly ChatMessage[] {
  return turn?.messages.slice(0, turn.attempts ?? 0) ?? []
}

/** Returns the marks of a turn whose process has ended. */
export function sealed(turn: TurnMarks): TurnMarks {
  return turn.state === 'open' ? { ...turn, state: 'failed' } : turn
}

/** Returns the memory of a conversation for the turn of a task; undefined for a memory without a chat store. */
export function memoryForTurn(memory: BaseMemory, turn: string): TurnMemory | undefined {
  const own = turnMemoryOf(memory)
  const { chatStore, conversationId, length } = memory as Partial<StoredChatMemory>
  // A memory of the first messages alone is one of an engine.
  if (own || !chatStore?.getMessages || conversationId === undefined || length !== undefined) return own
  return new TurnMemory({ chatStore, conversationId, turn, like: memory })
}
