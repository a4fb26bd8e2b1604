/**
 * @module
 * The events of tasks in a database.
 */
import { LargeStrings, withLarge, withoutLarge } from './large-strings.ts'
import { opened } from './opened.ts'
import type { SqliteDatabase } from './sqlite-database.ts'

/**
 * Stores the events of tasks in a database: the `events` of `StoredTasks` of `@x/durable`, and of engines without streams. A page that
 * connects again, also after a restart or to another process, sees an answer from its beginning.
 * @example
 * const log = new SqliteEventLog(await openDatabase(':memory:'))
 * log.addEvents('t1', { call: 'step/1', attempt: 'a', events: [] })
 * log.addEvents('t1', { call: 'end', attempt: 'a', events: [] })
 * log.readEvents('t1', 1) // => [{ call: 'end', attempt: 'a', events: [] }]
 */
export class SqliteEventLog {
  private readonly database: SqliteDatabase
  private readonly strings: LargeStrings

  constructor(database: SqliteDatabase) {
    this.database = opened('SqliteEventLog', database)
    this.strings = new LargeStrings(database, 'event_blob_uses')
  }

  /** Adds a record at the end of those of a task. */
  addEvents(taskId: string, record: object): void | Promise<void> {
    const next = 'select ifnull(max(position) + 1, 0) from task_events where task = ?'
    const sql = `insert into task_events (task, position, record) values (?, (${next}), ?)`
    const { text, strings } = withoutLarge(record)
    return this.database.patient(() => {
      this.strings.put(taskId, strings)
      this.database.run(sql, taskId, taskId, text)
    })
  }

  /** Returns the records of a task in order, without the first `from`. @throws {StoreReadError} if one is damaged. */
  readEvents<TRecord extends object>(taskId: string, from: number): readonly TRecord[] {
    const sql = 'select record from task_events where task = ? and position >= ? order by position'
    const get = (hashes: readonly string[]) => this.strings.get(taskId, hashes)
    const rows = this.database.all(sql, taskId, from)
    return rows.map(({ record }) => withLarge(String(record), get, { path: this.database.path, taskId }) as TRecord)
  }

  /** Deletes the records of a task. */
  deleteEvents(taskId: string): void | Promise<void> {
    return this.database.patient(() => {
      this.database.run('delete from task_events where task = ?', taskId)
      this.strings.delete(taskId)
    })
  }
}
