/**
 * @module
 * The part of a task's journal that belongs to the agent behind one of its tool calls. It is a task store for that agent, so that agents
 * nested to any depth are saved in the journal of the outermost task.
 */
import type { TaskStore, TaskSummary } from '@x/core-model'
import type { Durable, JournalPort } from './durable.ts'
import { type Journal, type JournalPart, journalOf } from './journal.ts'

/** How a part reaches the journal that contains it. */
export interface OuterJournal {
  /** Appends entries of the part, which had `length` entries before. */
  appendInner(part: InnerStore, length: number, entries: readonly object[]): Promise<void>
  /** Returns a journal with the same code in another store. */
  within(store: TaskStore): Journal
  /** Reads the entries of the part. */
  loadInner(place: string): Promise<readonly unknown[]>
}

/**
 * The part of a task's journal that belongs to the agent behind one of its tool calls. It is a task store for that agent, so that agents
 * nested to any depth are saved in the journal of the outermost task.
 */
export class InnerStore implements TaskStore, JournalPart {
  /** The place of the call: `<step>/<position>`. */
  readonly place: string
  private readonly journal: OuterJournal
  private revision: number
  /** Undefined while nobody needs them: they can be read again. */
  private entries: unknown[] | undefined
  private failure: { error: unknown } | undefined

  /** @param entries - those that were saved before. */
  constructor(place: string, journal: OuterJournal, entries: readonly unknown[] = []) {
    this.place = place
    this.journal = journal
    this.entries = [...entries]
    this.revision = entries.length
  }

  get taskStore(): Journal {
    return this.journal.within(this)
  }

  /** The entries of a call that has not returned. */
  get open(): readonly unknown[] | undefined {
    return this.entries
  }

  async append(_taskId: string, entries: readonly object[], revision: number): Promise<boolean> {
    if (revision !== this.revision) return false
    try {
      await this.journal.appendInner(this, revision, entries)
    } catch (error) {
      this.failure ??= { error }
      throw error
    }
    this.revision += entries.length
    // Results of calls may be objects of the user.
    this.entries?.push(...entries.map((entry) => structuredClone(entry)))
    return true
  }

  async load(): Promise<readonly unknown[] | null> {
    if (this.revision === 0) return null
    this.entries ??= [...(await this.journal.loadInner(this.place))]
    return [...this.entries]
  }

  list(): TaskSummary[] {
    return []
  }

  /** The next entry is the first of a new journal: its position is 0. */
  delete(): void {
    this.entries = []
    this.revision = 0
  }

  /** Frees the memory of a call that has returned. */
  release(): void {
    this.entries = undefined
  }

  check(): void {
    const { failure } = this
    this.failure = undefined
    if (failure) throw failure.error
  }
}

/** Returns the entries of agents behind tool calls, by the place of the call. */
export function innerEntries(entries: readonly unknown[]): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>()
  for (const entry of entries as { type: string; place: string; length: number; entries: unknown[] }[]) {
    if (entry.type !== 'inner') continue
    const known = found.get(entry.place) ?? []
    known.length = Math.min(known.length, entry.length)
    known.push(...entry.entries)
    found.set(entry.place, known)
  }
  return found
}

/** A port for the durable calls inside the call of a tool. Their names start with the name of that call. */
export class InnerPort implements JournalPart {
  private readonly outer: Durable
  private readonly name: string
  private failure: { error: unknown } | undefined

  /** @param place - `<step>/<position>` of the call. */
  constructor(outer: Durable, place: string) {
    this.outer = outer
    this.name = `step-${place.replace('/', '/tool-')}`
  }

  get taskStore(): Journal | undefined {
    return journalOf(this.outer)
  }

  /** The port, with the code of the outer one. */
  get durable(): JournalPort {
    const call: Durable = async (name, fn) => {
      try {
        return await this.outer(`${this.name}/${name}`, fn)
      } catch (error) {
        this.failure ??= { error }
        throw error
      }
    }
    return Object.assign(call, { journal: this.taskStore })
  }

  check(): void {
    if (this.failure) throw this.failure.error
  }
}
