/**
 * @module
 * The journal of one task in a store. Entries are appended one after the other.
 */
import type { ChatMessage, TaskStore } from '@x/core-model'
import { countOf } from '@x/core-model/memory'
import type { TaskState } from './agent-state.ts'
import { pendingCalls } from './approvals.ts'
import { InnerStore, innerEntries, type OuterJournal } from './inner-store.ts'
import type { BeginOptions, Journal, LoadedJournal, MakeEvent, OpenJournal } from './journal.ts'
import { JournalWriter } from './journal-writer.ts'
import { journalEntries } from './read-journal.ts'
import type { JournalEvent } from './saved-task.ts'
import type { SavedClasses } from './state-codec.ts'
import { conversationIdOf } from './task.ts'
import { TaskClaimedError } from './task-errors.ts'
import { OnceWriter } from './written-once.ts'

/** The journal of one task in a store. Entries are appended one after the other. */
export class TaskJournal implements OpenJournal, OuterJournal {
  private readonly store: TaskStore
  /** The code, for the parts of agents behind tool calls. */
  private readonly journal: Journal
  private readonly taskId: string
  private readonly now: () => number
  private readonly writer: JournalWriter
  /** The number of entries that are stored. */
  private revision: number
  /** The first entry, until it is stored. */
  private first: JournalEvent | undefined
  /** Whether another runner has appended entries. */
  claimed = false
  private isDeleted = false
  /** Undefined in a part of a journal: that journal writes each value once. */
  private readonly once: OnceWriter | undefined
  /** The parts of agents behind tool calls, by the place of the call. */
  private readonly parts = new Map<string, InnerStore>()
  /** The last operation. */
  private last: Promise<unknown> = Promise.resolve()

  constructor(
    store: TaskStore,
    taskId: string,
    options: { journal: Journal; classes: SavedClasses; now: () => number; loaded?: LoadedJournal | undefined },
  ) {
    const { journal, classes, now, loaded } = options
    this.store = store
    this.journal = journal
    this.taskId = taskId
    this.now = now
    this.writer = new JournalWriter(taskId, classes, loaded?.version, loaded?.lists)
    const entries = loaded?.entries ?? []
    this.revision = entries.length
    this.once = this.isPart ? undefined : new OnceWriter(store.blobs !== undefined)
    for (const [place, inner] of innerEntries(entries)) this.parts.set(place, new InnerStore(place, this, inner))
  }

  isIn(store: TaskStore): boolean {
    return this.store === store
  }

  get isPart(): boolean {
    return this.store instanceof InnerStore
  }

  /** Returns a journal with the code of this one in another store. */
  within(store: TaskStore): Journal {
    return this.journal.within(store)
  }

  part(place: string): InnerStore {
    return this.parts.get(place) ?? new InnerStore(place, this)
  }

  openPart(place: string): readonly unknown[] | undefined {
    return this.parts.get(place)?.open
  }

  releaseParts(state: TaskState): void {
    if (this.parts.size === 0 || state.phase !== 'saving') return
    const waiting = new Set(pendingCalls(state).map(({ place }) => place))
    for (const [place, part] of this.parts) if (!waiting.has(place)) part.release()
  }

  async appendInner(part: InnerStore, length: number, entries: readonly object[]): Promise<void> {
    await this.append(() => ({ type: 'inner', place: part.place, length, entries }))
    this.parts.set(part.place, part)
  }

  async loadInner(place: string): Promise<readonly unknown[]> {
    return innerEntries((await journalEntries(this.store, this.taskId)) ?? []).get(place) ?? []
  }

  isBehind(entries: number): boolean {
    return this.revision < entries
  }

  async begin(state: TaskState, { forkedFrom, isLater }: BeginOptions = {}): Promise<void> {
    const { memory } = state.task
    const isElsewhere = conversationIdOf(memory) !== undefined
    if (isElsewhere) state.conversationLength ??= (memory as { length?: number }).length ?? (await countOf(memory))
    const conversation: readonly ChatMessage[] = isElsewhere ? [] : await memory.getAll()
    const task = this.writer.task(state, conversation)
    this.writer.commit()
    this.first = { type: 'task', task, ...(forkedFrom && { forked_from: forkedFrom }) }
    if (!isLater) await this.append()
  }

  append(...makes: readonly MakeEvent[]): Promise<void> {
    return this.inTurn(async () => {
      if (this.isDeleted) return
      if (this.claimed) throw new TaskClaimedError(this.taskId)
      const { first } = this
      const restore = this.writer.mark()
      try {
        const written: object[] = first ? [this.written(first, 0)] : []
        for (const make of makes) {
          written.push(this.written(make(this.writer), written.length))
          this.writer.commit()
        }
        if (this.once && this.once.blobs.size > 0) await this.store.blobs!.put(this.taskId, this.once.blobs)
        const isStored = await this.store.append(this.taskId, written, this.revision)
        this.claimed = !isStored
        if (!isStored) throw new TaskClaimedError(this.taskId)
        this.revision += written.length
      } catch (error) {
        this.once?.discard()
        restore()
        throw error
      }
      this.first = undefined
      this.once?.commit()
    })
  }

  /** @param position - behind the entries that are stored. */
  private written(event: JournalEvent, position: number): object {
    const entry = { ...event, n: this.revision + position, at: this.now() }
    return this.once?.write(entry) ?? entry
  }

  delete(): Promise<void> {
    return this.inTurn(async () => {
      this.isDeleted = true
      await this.store.delete(this.taskId)
    })
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.last.then(work)
    // The caller receives the error.
    this.last = done.catch(() => {})
    return done
  }
}
