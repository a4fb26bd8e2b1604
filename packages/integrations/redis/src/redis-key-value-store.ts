/**
 * @module
 * A key-value store in Redis.
 */

import { isToolkitError, ToolkitError } from '@x/core'
import { readJsonText, writeJsonText } from '@x/core-model'
import { type KeyValueOperations, type KeyValueStore, pairsOf, readingRecord, type StoredValue } from '@x/storage'
import { RedisCommands, type RedisLike, type RedisStoreOptions, storedKey } from './redis-like.ts'

/** Thrown when other writers changed, each time, what a transaction had read. Try again later, or read less in a transaction. */
export class RedisConflictError extends ToolkitError {
  constructor(attempts: number) {
    super(
      'RedisConflictError',
      'redis_conflict',
      `RedisKeyValueStore.transaction: other writers changed what it read, ${attempts} times in a row.`,
    )
  }

  override get retryable(): boolean {
    return true
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    redis_conflict: RedisConflictError
  }
}

const defaultCollection = 'data'
/** The most keys of one command: clients pass arguments to functions one by one. */
const maxKeys = 5_000
const maxAttempts = 20

/**
 * Writes, if everything that was read is as it was: ARGV[1] is JSON of `reads`, `[hash, field, text or false]`; `versions`,
 * `[hash, version]`; `writes`, `[hash, field, text or false]`. A field stores its place in the collection and its value.
 */
const commit = `
local given = cjson.decode(ARGV[1])
for _, read in ipairs(given.reads) do
  if redis.call('HGET', read[1], read[2]) ~= read[3] then return -1 end
end
for _, read in ipairs(given.versions) do
  if (redis.call('HGET', KEYS[1], read[1]) or '0') ~= read[2] then return -1 end
end
local deleted = 0
for _, write in ipairs(given.writes) do
  local old = redis.call('HGET', write[1], write[2])
  if write[3] then
    local place = old and string.match(old, '^%d+') or redis.call('INCR', KEYS[2])
    redis.call('HSET', write[1], write[2], place .. ':' .. write[3])
  elseif old then
    redis.call('HDEL', write[1], write[2])
    deleted = deleted + 1
  end
  redis.call('HINCRBY', KEYS[1], write[1], 1)
end
return deleted`

/** A write: null deletes. */
type Write = readonly [hash: string, field: string, text: string | false]

/** What a transaction has read and will write. */
class Changes {
  readonly reads = new Map<string, [hash: string, field: string, text: string | false]>()
  readonly versions = new Map<string, string>()
  readonly writes = new Map<string, Write>()
}

/**
 * A store for JSON objects in Redis: for your own data, and for all of `@x/storage` that runs over a `KeyValueStore`. It uses hashes
 * and one script, no modules. Values are as durable as the server's settings: `appendonly yes`, and `appendfsync always` for each write.
 * @example
 * import { Redis } from 'ioredis'
 * const redis = new Redis(process.env['REDIS_URL']!)
 * const store = new RedisKeyValueStore(redis)
 * await store.put('ann', { b: 1, a: '\u0000' })
 * await store.get('ann') // => { b: 1, a: '\u0000' }
 * redis.disconnect()
 */
export class RedisKeyValueStore implements KeyValueStore {
  private readonly commands: RedisCommands
  private readonly changes: Changes | null

  /** @throws {ModelValidationError} if the client has no method for commands, or an option is unknown. */
  constructor(client: RedisLike | RedisKeyValueStore, options: RedisStoreOptions = {}) {
    const within = client instanceof RedisKeyValueStore
    this.commands = within ? client.commands : new RedisCommands('RedisKeyValueStore', client, options)
    this.changes = within ? new Changes() : null
  }

  /** Writes one value, or replaces it. @throws {SerializationError} when it contains a value that has no JSON form. */
  put(key: string, value: StoredValue, collection?: string): Promise<void> {
    return this.putAll([[key, value]], collection)
  }

  /** Writes several values, all or none. If a key occurs twice, the last value is stored. */
  async putAll(pairs: Iterable<readonly [key: string, value: StoredValue]>, collection?: string): Promise<void> {
    const hash = this.hashOf(collection)
    await this.write(pairsOf(pairs).map(([key, value]) => [hash, storedKey(key), writeJsonText(value)]))
  }

  /** Returns the value; null if the key does not exist. */
  async get(key: string, collection?: string): Promise<StoredValue | null> {
    return (await this.getMany([key], collection))[0] ?? null
  }

  /** Returns the values of these keys, in the order of the keys; null for a key that does not exist. */
  async getMany(keys: readonly string[], collection?: string): Promise<(StoredValue | null)[]> {
    const hash = this.hashOf(collection)
    const values: (StoredValue | null)[] = []
    for (let start = 0; start < keys.length; start += maxKeys) {
      const fields = keys.slice(start, start + maxKeys).map(storedKey)
      const found = (await this.commands.run('HMGET', hash, ...fields)) as (string | null)[]
      for (const [index, field] of fields.entries()) values.push(this.read(hash, field, found[index] ?? null))
    }
    return values
  }

  /** Returns all values of a collection by key, in the order in which the keys were first written. */
  async getAll(collection?: string): Promise<Record<string, StoredValue>> {
    const hash = this.hashOf(collection)
    if (this.changes && !this.changes.versions.has(hash)) {
      const version = (await this.commands.run('HGET', this.key('versions'), hash)) as string | null
      this.changes.versions.set(hash, version ?? '0')
    }
    // An array of names and values, or an object, as clients return hashes.
    const reply = await this.commands.run('HGETALL', hash)
    const entries = Array.isArray(reply)
      ? reply.flatMap((field, index) => (index % 2 === 0 ? [[field, reply[index + 1]] as [string, string]] : []))
      : Object.entries(reply as Record<string, string>)
    const stored = new Map(entries.sort(([, a], [, b]) => Number.parseInt(a, 10) - Number.parseInt(b, 10)))
    for (const [at, field] of this.changes?.writes.values() ?? [])
      if (at === hash && !stored.has(field)) stored.set(field, '')
    const values = Array.from(
      stored,
      ([field, text]) => [JSON.parse(field), this.read(hash, field, text, false)] as const,
    )
    return Object.fromEntries(values.filter((entry): entry is [string, StoredValue] => entry[1] !== null))
  }

  /** Deletes a value; returns whether the key existed. */
  async delete(key: string, collection?: string): Promise<boolean> {
    const existed = this.changes ? await this.has(key, collection) : false
    return (await this.write([[this.hashOf(collection), storedKey(key), false]])) > 0 || existed
  }

  /** Whether a key exists, also with a damaged value. */
  private async has(key: string, collection: string | undefined): Promise<boolean> {
    try {
      return (await this.get(key, collection)) !== null
    } catch (error) {
      if (!isToolkitError(error, 'store_read')) throw error
      return true
    }
  }

  /** Deletes the values of these keys. Keys that do not exist are ignored. */
  async deleteMany(keys: readonly string[], collection?: string): Promise<void> {
    const hash = this.hashOf(collection)
    await this.write(keys.map((key) => [hash, storedKey(key), false] as const))
  }

  /**
   * Calls `work` with the operations of one transaction and returns its result: all of its writes are kept, or none. When another writer
   * has changed what `work` has read, `work` is called again.
   * @throws {RedisConflictError} when that happened 20 times in a row.
   */
  async transaction<T>(work: (store: KeyValueOperations) => Promise<T>): Promise<T> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const inside = new RedisKeyValueStore(this)
      const result = await work(inside)
      const { reads, versions, writes } = inside.changes!
      if ((await this.commit([...writes.values()], [...reads.values()], [...versions])) >= 0) return result
      // Writers that conflict try again at different times.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 2 ** Math.min(attempt, 6)))
    }
    throw new RedisConflictError(maxAttempts)
  }

  private key(name: string): string {
    return `${this.commands.prefix}${name}`
  }

  private hashOf(collection = defaultCollection): string {
    return this.key(`values:${storedKey(collection)}`)
  }

  /** Returns the value of a field as a transaction sees it, and notes that it has read it. @throws {StoreReadError} if it is damaged. */
  private read(hash: string, field: string, stored: string | null, notes = true): StoredValue | null {
    const id = `${hash} ${field}`
    const written = this.changes?.writes.get(id)
    if (written) return written[2] === false ? null : (readJsonText(written[2]) as StoredValue)
    if (notes && this.changes && !this.changes.reads.has(id)) this.changes.reads.set(id, [hash, field, stored ?? false])
    if (stored === null) return null
    const read = () => readJsonText(stored.slice(stored.indexOf(':') + 1)) as StoredValue
    return readingRecord({ path: hash, key: JSON.parse(field) }, read)
  }

  /** Writes at once or, in a transaction, at its end. Returns how many fields were deleted. */
  private async write(writes: readonly Write[]): Promise<number> {
    if (!this.changes) return writes.length === 0 ? 0 : this.commit(writes, [], [])
    for (const write of writes) this.changes.writes.set(`${write[0]} ${write[1]}`, write)
    return 0
  }

  private async commit(
    writes: readonly Write[],
    reads: readonly (readonly [string, string, string | false])[],
    versions: readonly (readonly [string, string])[],
  ): Promise<number> {
    if (writes.length === 0 && reads.length + versions.length < 2) return 0
    const keys = [this.key('versions'), this.key('places')]
    return (await this.commands.script(commit, keys, JSON.stringify({ reads, versions, writes }))) as number
  }
}
