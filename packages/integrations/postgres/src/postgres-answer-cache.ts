/**
 * @module
 * Answers of models in a database.
 */
import type { AnswerCache } from '@x/core-model'
import { opened } from './opened.ts'
import type { PostgresDatabase } from './postgres-database.ts'
import { storedKey, storedText, textOfStored } from './stored-key.ts'

/**
 * A cache for `withCache` of `@x/core-model` that all processes share: a summary of a table, or any other answer of a model, is paid for
 * once.
 * @example
 * import pg from 'pg'
 * const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] })
 * const cache = new PostgresAnswerCache(await openDatabase(pool))
 * const llm = withCache(new ScriptedLLM({ answers: ['Paris'] }), cache)
 * String(await llm.complete('Capital of France?')) // => 'Paris'
 * await cache.deleteBefore(new Date(0)) // => 0
 * await pool.end()
 */
export class PostgresAnswerCache implements AnswerCache {
  private readonly database: PostgresDatabase

  constructor(database: PostgresDatabase) {
    this.database = opened('PostgresAnswerCache', database)
  }

  /** Returns an answer; null if the key does not exist. */
  async get(key: string): Promise<string | null> {
    const sql = `select answer from ${this.database.tables.answers} where key = $1`
    const [row] = (await this.database.query(sql, [storedKey(key)])).rows
    return row ? textOfStored(row.answer) : null
  }

  /** Stores an answer, or replaces it. */
  async set(key: string, answer: string): Promise<void> {
    const sql = `insert into ${this.database.tables.answers} (key, answer) values ($1, $2)
      on conflict (key) do update set answer = excluded.answer, created_at = default`
    await this.database.query(sql, [storedKey(key), storedText(answer)])
  }

  /** Deletes the answers that were stored before a time, and returns their number. */
  async deleteBefore(time: Date): Promise<number> {
    const sql = `with gone as (delete from ${this.database.tables.answers} where created_at < $1 returning 1)
      select count(*) as count from gone`
    const [row] = (await this.database.query(sql, [time])).rows
    return Number(row.count)
  }
}
