/**
 * @module
 * The events of tasks in a database.
 */
import { readJsonText, writeJsonText } from '@x/core-model'
import { readingRecord } from '@x/storage'
import { opened } from './opened.ts'
import type { PostgresDatabase } from './postgres-database.ts'
import { storedKey } from './stored-key.ts'

/**
 * Stores the events of tasks in a database: the `events` of `StoredTasks` of `@x/durable`, and of engines without streams. A page that
 * connects again, also after a restart or to another server, sees an answer from its beginning.
 * @example
 * import pg from 'pg'
 * const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] })
 * const log = new PostgresEventLog(await openDatabase(pool, { schema: 'events' }))
 * await log.addEvents('t1', { call: 'step/1', attempt: 'a', events: [] })
 * await log.addEvents('t1', { call: 'end', attempt: 'a', events: [] })
 * await log.readEvents('t1', 1) // => [{ call: 'end', attempt: 'a', events: [] }]
 * await pool.end()
 */
export class PostgresEventLog {
  private readonly database: PostgresDatabase

  constructor(database: PostgresDatabase) {
    this.database = opened('PostgresEventLog', database)
  }

  /** Adds a record at the end of those of a task. */
  async addEvents(taskId: string, record: object): Promise<void> {
    const { taskEvents } = this.database.tables
    const sql = `insert into ${taskEvents} (task, position, record)
      select $1, coalesce(max(position) + 1, 0), $2 from ${taskEvents} where task = $1
      on conflict do nothing returning position`
    const values = [storedKey(taskId), writeJsonText(record)]
    // Another worker of the task may have taken the place.
    while ((await this.database.query(sql, values)).rows.length === 0);
  }

  /** Returns the records of a task in order, without the first `from`. @throws {StoreReadError} if one is damaged. */
  async readEvents<TRecord extends object>(taskId: string, from: number): Promise<readonly TRecord[]> {
    const path = this.database.tables.taskEvents
    const sql = `select record from ${path} where task = $1 and position >= $2 order by position`
    const { rows } = await this.database.query(sql, [storedKey(taskId), from])
    return rows.map(({ record }) => readingRecord({ path, taskId }, () => readJsonText(String(record)) as TRecord))
  }

  /** Deletes the records of a task. */
  async deleteEvents(taskId: string): Promise<void> {
    await this.database.query(`delete from ${this.database.tables.taskEvents} where task = $1`, [storedKey(taskId)])
  }
}
