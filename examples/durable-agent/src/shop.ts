/**
 * @module
 * The service that the tools call: the effects of a shop for its orders, in a SQLite database that every worker opens. It has each effect
 * once per idempotency key, as a payment service does.
 */
import { DatabaseSync } from 'node:sqlite'
import type { TaskEventLog, TaskEvents } from '@x/durable'

/** An effect. */
export interface Deed {
  key: string
  what: string
  /** The number of requests for it. */
  asked: number
  /** The processes that requested it. */
  workers: string
}

/** The database of the shop, and of the events of tasks, for engines without streams. */
export class Shop implements TaskEventLog {
  private readonly database: DatabaseSync

  constructor(path: string) {
    this.database = new DatabaseSync(path, { timeout: 10_000 })
    this.database.exec(`
      pragma journal_mode = wal;
      create table if not exists deed (key text primary key, task text, what text, asked integer, workers text) strict;
      create table if not exists event (n integer primary key, task text, record text) strict;
      create index if not exists event_task on event (task, n);
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

  addEvents(taskId: string, record: TaskEvents): void {
    this.database.prepare('insert into event (task, record) values (?, ?)').run(taskId, JSON.stringify(record))
  }

  readEvents(taskId: string, from: number): TaskEvents[] {
    const rows = this.database
      .prepare('select record from event where task = ? order by n limit -1 offset ?')
      .all(taskId, from) as { record: string }[]
    return rows.map(({ record }) => JSON.parse(record))
  }

  close(): void {
    this.database.close()
  }
}
