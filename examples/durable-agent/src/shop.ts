/**
 * @module
 * The service that the tools call: the effects of a shop for its orders, in a SQLite database that every worker opens. It has each effect once per
 * idempotency key, as a payment service does.
 */
import { DatabaseSync } from 'node:sqlite'
import type { AgentEvent } from '@x/agents'
import type { EventMark } from '@x/restate'

/** An effect. */
export interface Deed {
  key: string
  what: string
  /** The number of requests for it. */
  asked: number
  /** The processes that requested it. */
  workers: string
}

/** An event of a task, for the page. */
export interface ShownEvent {
  position: number
  step: number
  type: string
  text: string
}

/** The database of the shop, and of the events that workers report. */
export class Shop {
  private readonly database: DatabaseSync

  constructor(path: string) {
    this.database = new DatabaseSync(path, { timeout: 10_000 })
    this.database.exec(`
      pragma journal_mode = wal;
      create table if not exists deed (key text primary key, task text, what text, asked integer, workers text) strict;
      create table if not exists event (task text, position integer, step integer, attempt integer, type text, body text,
        primary key (task, position)) strict;
    `)
  }

  /**
   * Does something, unless it was done under this key.
   * @throws {Error} if something else was done under it.
   */
  do(task: string, key: string, what: string): void {
    const done = this.database
      .prepare(
        `insert into deed values (?, ?, ?, 1, ?)
         on conflict (key) do update set asked = asked + 1, workers = workers || ', ' || excluded.workers returning what`,
      )
      .get(key, task, what, `${process.pid}`) as { what: string }
    if (done.what !== what) throw new Error(`${key}: asked for "${what}", but did "${done.what}"`)
  }

  /** Returns all effects. */
  deeds(): Deed[] {
    return this.database.prepare('select key, what, asked, workers from deed order by rowid').all() as unknown as Deed[]
  }

  /** Stores an event, unless it was reported before. Repeated text replaces the earlier text. */
  report(event: AgentEvent, { taskId, position, step, attempt }: EventMark): void {
    if (event.type === 'text_delta') {
      this.database
        .prepare(
          `insert into event values (?, ?, ?, ?, 'text', ?) on conflict (task, position) do update set
           body = case when attempt = excluded.attempt then body || excluded.body else excluded.body end, attempt = excluded.attempt`,
        )
        // The text has the position before the next event.
        .run(taskId, 2 * position, step, attempt, event.delta)
      return
    }
    const text = textOf(event)
    if (text === undefined) return
    this.database
      .prepare('insert or ignore into event values (?, ?, ?, ?, ?, ?)')
      .run(taskId, 2 * position + 1, step, attempt, event.type, text)
  }

  /** Returns the events of a task, in order. */
  events(task: string): ShownEvent[] {
    return this.database
      .prepare('select position, step, type, body as text from event where task = ? order by position')
      .all(task) as unknown as ShownEvent[]
  }

  close(): void {
    this.database.close()
  }
}

/** Returns the text of an event on the page; undefined for events that are not shown. */
function textOf(event: AgentEvent): string | undefined {
  if (event.type === 'tool_call') return `${event.toolName} ${JSON.stringify(event.arguments)}`
  if (event.type === 'tool_result') return event.content
  if (event.type === 'approval_required') return event.calls.map(({ name }) => `${name} waits for approval`).join(', ')
  if (event.type === 'error') return event.error.message
  return undefined
}
