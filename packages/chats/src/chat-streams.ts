/**
 * @module
 * The streams of unfinished runs, so that a client can reconnect to one, and another one can stop it.
 */
import { AbortError } from '@x/agents/errors'
import { checkGiven, checkOptions, wholeNumber } from '@x/core/options'
import { pause } from '@x/core-model/async'
import { newId } from '@x/core-model/data'

/** Where the streams of running answers are, by chat. */
export interface ChatStreams {
  /** Begins the stream of a run; null while another run of the chat is unfinished. */
  begin(chat: string): Promise<ChatStreamWriter | null>
  /** Returns the pieces of the stream of the unfinished run, from the first one; null without such a run. */
  follow(chat: string): Promise<AsyncIterable<string> | null>
  /** Asks the run of the chat to stop. Without a run it does nothing. */
  stop(chat: string): Promise<void>
  /** Forgets the stream of a chat that is deleted. */
  delete?(chat: string): Promise<void>
}

/** Writes the stream of a run. */
export interface ChatStreamWriter {
  /** Aborts when somebody stops the run. */
  readonly stopped: AbortSignal
  writeLine(line: string): void
  /** Ends the stream. Must be called, also when the run fails. */
  finish(): Promise<void>
}

/** A stream in this process. */
export class MemoryStream implements ChatStreamWriter {
  readonly pieces: string[] = []
  isEnded = false
  private readonly controller = new AbortController()
  private readonly onEnd: () => void
  private wake: () => void = () => {}
  private changed = this.nextChange()

  constructor(onEnd: () => void = () => {}) {
    this.onEnd = onEnd
  }

  get stopped(): AbortSignal {
    return this.controller.signal
  }

  stop(): void {
    this.controller.abort(new DOMException('The run was stopped.', 'AbortError'))
  }

  writeLine(line: string): void {
    this.pieces.push(line)
    this.notify()
  }

  async finish(): Promise<void> {
    this.isEnded = true
    this.onEnd()
    this.notify()
  }

  async *follow(): AsyncGenerator<string, void, undefined> {
    for (let next = 0; ; ) {
      const { changed } = this
      while (next < this.pieces.length) yield this.pieces[next++]!
      if (this.isEnded) return
      await changed
    }
  }

  private notify(): void {
    const { wake } = this
    this.changed = this.nextChange()
    wake()
  }

  private nextChange(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve
    })
  }
}

/**
 * Returns streams in this process. They are lost when it ends.
 * @example
 * const streams = memoryChatStreams()
 * const writer = await streams.begin('chat 1')
 * writer?.writeLine('Hello')
 * await streams.begin('chat 1') // => null
 * for await (const piece of (await streams.follow('chat 1'))!) {
 *   piece // => 'Hello'
 *   await writer?.finish()
 * }
 */
export function memoryChatStreams(): ChatStreams {
  const running = new Map<string, MemoryStream>()
  return {
    async begin(chat) {
      if (running.has(chat)) return null
      const stream = new MemoryStream(() => running.delete(chat))
      running.set(chat, stream)
      return stream
    },
    follow: async (chat) => running.get(chat)?.follow() ?? null,
    stop: async (chat) => running.get(chat)?.stop(),
  }
}

/** Options of {@link storedChatStreams}. */
interface StoredStreamsOptions {
  /** The time between two looks at the store, in milliseconds, at least 10. @defaultValue 250 */
  pollMs?: number | undefined
  /**
   * A run whose process has not written for this time has ended, in milliseconds. The clocks of all processes must not differ by so much.
   * @defaultValue 10000
   */
  deadAfterMs?: number | undefined
}

/** The methods of a key-value store that are called. */
interface StreamRows {
  put(key: string, value: Record<string, unknown>, collection?: string): Promise<void>
  get(key: string, collection?: string): Promise<Record<string, unknown> | null>
  getMany(keys: readonly string[], collection?: string): Promise<(Record<string, unknown> | null)[]>
  deleteMany(keys: readonly string[], collection?: string): Promise<void>
}

/** A key-value store, such as those of `@x/storage`, `@x/postgres` and `@x/redis`. */
export interface StreamStore extends StreamRows {
  transaction?<T>(work: (store: StreamRows) => Promise<T>): Promise<T>
}

/** The row of a chat. */
interface Head {
  run: string
  /** The number of rows with pieces. */
  count: number
  isEnded: boolean
  /** The time of the last write, in milliseconds since 1970. */
  at: number
}

const COLLECTION = 'chat_streams'

/**
 * Returns streams in a key-value store, so that a client can reconnect to a run of another process, and stop it there. If that process ends
 * before the run, the stream throws an `AbortError`. What is kept of a run is deleted `deadAfterMs` after its end if the process still
 * lives, otherwise when the next run of the chat begins, or the chat is deleted.
 * @param store - `PostgresKeyValueStore` of `@x/postgres` or `RedisKeyValueStore` of `@x/redis`; for processes of one machine, also beside
 *   a chat store of SQLite, `FileKeyValueStore` of `@x/storage/node`. Without transactions two processes could begin at the same moment.
 */
export function storedChatStreams(store: StreamStore, options: StoredStreamsOptions = {}): ChatStreams {
  checkGiven('storedChatStreams', { store }, 'a key-value store', 'get', 'put')
  checkOptions('storedChatStreams', options, { pollMs: wholeNumber(10), deadAfterMs: wholeNumber(1) })
  return new StoredStreams(store, options)
}

class StoredStreams implements ChatStreams {
  private readonly store: StreamStore
  private readonly pollMs: number
  private readonly deadAfterMs: number

  constructor(store: StreamStore, { pollMs = 250, deadAfterMs = 10_000 }: StoredStreamsOptions) {
    this.store = store
    this.pollMs = pollMs
    this.deadAfterMs = deadAfterMs
  }

  async begin(chat: string): Promise<ChatStreamWriter | null> {
    const run = newId()
    const head: Head = { run, count: 0, isEnded: false, at: Date.now() }
    const take = async (store: StreamRows): Promise<Head | null | undefined> => {
      const known = await headOf(store, chat)
      if (known && this.goesOn(known)) return undefined
      await store.put(chat, { ...head }, COLLECTION)
      return known
    }
    const known = await together(this.store, take)
    if (known === undefined) return null
    // Without a transaction another run may have begun at the same moment.
    if (!this.store.transaction && (await headOf(this.store, chat))?.run !== run) return null
    if (known) await this.store.deleteMany(keysOf(known), COLLECTION)
    return new StoredWriter(this.store, { chat, head, pollMs: this.pollMs }, () => this.deleteLater(chat, run))
  }

  async follow(chat: string): Promise<AsyncIterable<string> | null> {
    const head = await headOf(this.store, chat)
    return head && this.goesOn(head) ? this.pieces(chat, head) : null
  }

  async stop(chat: string): Promise<void> {
    const head = await headOf(this.store, chat)
    if (head && this.goesOn(head)) await this.store.put(`${chat}/stop`, { run: head.run }, COLLECTION)
  }

  /** Readers in other processes may need some time to the end. */
  private deleteLater(chat: string, run: string): void {
    const timer: unknown = setTimeout(() => this.delete(chat, run).catch(() => {}), this.deadAfterMs)
    // A process need not wait for it: `begin` and `delete` do what is left. Browsers and Workers have numbers as timers.
    ;(timer as { unref?(): void }).unref?.()
  }

  /** @param run - another run is left alone. @defaultValue the newest one */
  async delete(chat: string, run?: string): Promise<void> {
    await together(this.store, async (rows) => {
      const known = await headOf(rows, chat)
      if (known && (run === undefined || known.run === run))
        await rows.deleteMany([chat, `${chat}/stop`, ...keysOf(known)], COLLECTION)
    })
  }

  private goesOn({ isEnded, at }: Head): boolean {
    // A time in the future is one before the clock was put back.
    return !isEnded && Math.abs(Date.now() - at) < this.deadAfterMs
  }

  private async *pieces(chat: string, first: Head): AsyncGenerator<string, void, undefined> {
    let next = 0
    for (let head: Head | null = first; head?.run === first.run; head = await headOf(this.store, chat)) {
      const rows = await this.store.getMany(keysOf(head).slice(next, head.count), COLLECTION)
      next = head.count
      for (const row of rows) if (row) yield* row['pieces'] as string[]
      if (head.isEnded) return
      if (!this.goesOn(head)) throw new AbortError('The process of the run has ended before the run.')
      await pause(this.pollMs)
    }
  }
}

/**
 * Writes the pieces of a run together, at most once each period; says that it lives; and looks whether it is stopped, or another run has
 * begun. A write that fails is repeated unchanged, because it may have been stored, and its pieces may have been read.
 */
class StoredWriter implements ChatStreamWriter {
  private readonly controller = new AbortController()
  private readonly store: StreamStore
  private readonly chat: string
  private head: Head
  private readonly waiting: string[] = []
  /** The pieces of the next row. */
  private row: string[] = []
  private readonly ending = new AbortController()
  private readonly loop: Promise<void>
  private readonly onEnd: () => void

  constructor(
    store: StreamStore,
    { chat, head, pollMs }: { chat: string; head: Head; pollMs: number },
    onEnd: () => void,
  ) {
    this.store = store
    this.onEnd = onEnd
    this.chat = chat
    this.head = head
    this.loop = this.run(pollMs)
    // `finish` reports it.
    this.loop.catch(() => {})
  }

  get stopped(): AbortSignal {
    return this.controller.signal
  }

  writeLine(line: string): void {
    this.waiting.push(line)
  }

  async finish(): Promise<void> {
    this.ending.abort()
    await this.loop
    this.onEnd()
  }

  private async run(pollMs: number): Promise<void> {
    const { signal } = this.ending
    let failures = 0
    for (let isDone = false; !isDone; ) {
      // The end is written at once: the next message may come as soon as the answer has ended.
      await pause(pollMs, failures > 0 ? undefined : signal).catch(() => {})
      const isLast = signal.aborted
      try {
        do await this.flush(isLast)
        while (isLast && this.waiting.length > 0)
        isDone = isLast
      } catch (error) {
        // Once more, because a chat without an end is busy until its run counts as dead.
        if (isLast && ++failures > 1) throw error
      }
    }
  }

  private async flush(isEnded: boolean): Promise<void> {
    const { store, head, chat, waiting } = this
    if (this.row.length === 0) this.row = waiting.splice(0)
    const { row: pieces } = this
    const count = head.count + Math.sign(pieces.length)
    const next: Head = { ...head, count, at: Date.now(), isEnded: isEnded && waiting.length === 0 }
    if (pieces.length > 0) await store.put(keyOf(head.run, head.count), { pieces }, COLLECTION)
    const reason = await together(store, async (rows) => {
      const [current, stop] = await rows.getMany([chat, `${chat}/stop`], COLLECTION)
      if (current && current['run'] !== head.run)
        return 'Another run of the chat began, because this one did not write in time.'
      await rows.put(chat, { ...next }, COLLECTION)
      return stop?.['run'] === head.run ? 'The run was stopped.' : undefined
    })
    this.head = next
    this.row = []
    if (reason !== undefined) this.controller.abort(new DOMException(reason, 'AbortError'))
  }
}

const keyOf = (run: string, index: number): string => `${run}/${index}`
/** One more than is counted: a process that ended between two writes has left a row. */
const keysOf = ({ run, count }: Head): string[] => Array.from({ length: count + 1 }, (_, index) => keyOf(run, index))

async function headOf(store: StreamRows, chat: string): Promise<Head | null> {
  return (await store.get(chat, COLLECTION)) as Head | null
}

/** Does work in one transaction, if the store has transactions. */
function together<T>(store: StreamStore, work: (rows: StreamRows) => Promise<T>): Promise<T> {
  return store.transaction ? store.transaction(work) : work(store)
}
