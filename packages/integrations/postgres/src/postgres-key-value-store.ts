/**
 * @module
 * A key-value store in a database.
 */
import { readJsonText, writeJsonText } from '@x/core-model'
import { type KeyValueOperations, type KeyValueStore, pairsOf, readingRecord, type StoredValue } from '@x/storage'
import { batchesOf } from './batches.ts'
import { opened } from './opened.ts'
import type { PostgresDatabase } from './postgres-database.ts'
import type { PostgresResult } from './postgres-driver.ts'
import { storedKey, textOfStored } from './stored-key.ts'

const defaultCollection = 'data'

/**
 * A store for JSON objects in a database, for your own data and for everything of `@x/storage` that runs over a `KeyValueStore`. For
 * documents, `PostgresDocumentStore` has tables of its own.
 * @example
 * import pg from 'pg'
 * const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] })
 * const store = new PostgresKeyValueStore(await openDatabase(pool))
 * await store.put('ann', { b: 1, a: '\u0000' })
 * await store.get('ann') // => { b: 1, a: '\u0000' }
 * await pool.end()
 */
export class PostgresKeyValueStore implements KeyValueStore {
  private readonly database: PostgresDatabase

  constructor(database: PostgresDatabase) {
    this.database = opened('PostgresKeyValueStore', database)
  }

  /** Writes one value, or replaces it. @throws {SerializationError} when it contains a value that has no JSON form. */
  put(key: string, value: StoredValue, collection?: string): Promise<void> {
    return this.putAll([[key, value]], collection)
  }

  /**
   * Writes several values, all or none. If a key occurs twice, the last value is stored.
   * @throws {SerializationError} when one of them contains a value that has no JSON form.
   */
  async putAll(
    pairs: Iterable<readonly [key: string, value: StoredValue]>,
    collection = defaultCollection,
  ): Promise<void> {
    const texts = new Map(pairsOf(pairs).map(([key, value]) => [storedKey(key), writeJsonText(value)]))
    const { keyValues } = this.database.tables
    // Writers lock known keys in one order, so that they wait for each other, never in a circle.
    const sql = `with locked as (select from ${keyValues} where collection = $1 and key = any($2) order by key for update)
      insert into ${keyValues} (collection, key, value)
      select $1, key, value from unnest($2::text[], $3::text[]) with ordinality as t (key, value, at)
      where (select count(*) from locked) >= 0 order by at
      on conflict (collection, key) do update set value = excluded.value`
    const batches = [...batchesOf(texts)].map((batch) => [
      storedKey(collection),
      batch.map(([key]) => key),
      batch.map(([, text]) => text),
    ])
    if (batches.length === 1) await this.database.query(sql, batches[0])
    else
      await this.database.transaction(async (inside) => {
        for (const values of batches) await inside.query(sql, values)
      })
  }

  /** Returns the value; null if the key does not exist. */
  async get(key: string, collection?: string): Promise<StoredValue | null> {
    return (await this.getMany([key], collection))[0] ?? null
  }

  /** Returns the values of these keys, in the order of the keys; null for a key that does not exist. */
  async getMany(keys: readonly string[], collection?: string): Promise<(StoredValue | null)[]> {
    const stored = keys.map(storedKey)
    const { rows } = await this.run('select key, value from', 'and key = any($2)', collection, [stored])
    const texts = new Map<string, string>(rows.map(({ key, value }) => [key, value]))
    return stored.map((key) => {
      const text = texts.get(key)
      return text === undefined ? null : this.valueOf(key, text)
    })
  }

  /** Returns all values of a collection by key; an empty object for an unknown collection. */
  async getAll(collection?: string): Promise<Record<string, StoredValue>> {
    const { rows } = await this.run('select key, value from', 'order by seq', collection)
    return Object.fromEntries(rows.map(({ key, value }) => [textOfStored(key), this.valueOf(key, value)]))
  }

  /** Deletes a value; returns whether the key existed. */
  async delete(key: string, collection?: string): Promise<boolean> {
    const { rows } = await this.run('delete from', 'and key = $2 returning 1', collection, [storedKey(key)])
    return rows.length > 0
  }

  /** Deletes the values of these keys. Keys that do not exist are ignored. */
  async deleteMany(keys: readonly string[], collection?: string): Promise<void> {
    await this.run('delete from', 'and key = any($2)', collection, [keys.map(storedKey)])
  }

  /**
   * Calls `work` with the operations of one serializable transaction and returns its result: all of its writes are kept, or none. When
   * another transaction has changed data that `work` has read, `work` is called again.
   * @throws {PostgresConflictError} when that happened 10 times in a row.
   */
  transaction<T>(work: (store: KeyValueOperations) => Promise<T>): Promise<T> {
    return this.database.transaction((inside) => work(new PostgresKeyValueStore(inside)), { isolation: 'serializable' })
  }

  /** @throws {StoreReadError} if it is damaged. */
  private valueOf(key: string, text: string): StoredValue {
    const place = { path: this.database.tables.keyValues, key: textOfStored(key) }
    return readingRecord(place, () => readJsonText(text) as StoredValue)
  }

  private run(
    command: string,
    condition: string,
    collection = defaultCollection,
    values: unknown[] = [],
  ): Promise<PostgresResult> {
    const sql = `${command} ${this.database.tables.keyValues} where collection = $1 ${condition}`
    return this.database.query(sql, [storedKey(collection), ...values])
  }
}
