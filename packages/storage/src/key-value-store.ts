/**
 * @module
 * The contract of a key-value store for JSON objects, and an implementation in memory.
 */
import { checkGiven, invalidOption, list, text } from '@x/core/options'
import { adviceFor, isPlainObject, mapItems, maxLevels, type Path, pathText } from '@x/core/values'
import { SerializationError, writeJsonText } from '@x/core-model'

/** A JSON object. */
export type StoredValue = Record<string, unknown>

/** All values of a store, by collection and key. */
export type StoredCollections = Record<string, Record<string, StoredValue>>

/**
 * The operations on a store for JSON objects, by collection and key. The collection defaults to `data`.
 *
 * Values are copied when they are written and read, so later changes to them do not change the store. A value is read exactly as
 * it was written, with the order of its keys and every character of its strings. A store throws for a value that it cannot store, such as
 * one with a bigint. An empty collection is equal to a missing one.
 */
export interface KeyValueOperations {
  /** Writes one value, or replaces it. */
  put(key: string, value: StoredValue, collection?: string): Promise<void>
  /** Writes several values in order; if a key occurs twice, its last value is kept. */
  putAll(pairs: Iterable<readonly [key: string, value: StoredValue]>, collection?: string): Promise<void>
  /** Returns the value; null if the key does not exist. */
  get(key: string, collection?: string): Promise<StoredValue | null>
  /** Returns the values of these keys, in the order of the keys; null for a key that does not exist. Accepts any number of keys. */
  getMany(keys: readonly string[], collection?: string): Promise<(StoredValue | null)[]>
  /** Returns all values of a collection by key; an empty object if the collection is empty. */
  getAll(collection?: string): Promise<Record<string, StoredValue>>
  /** Deletes a value; returns whether the key existed. */
  delete(key: string, collection?: string): Promise<boolean>
  /** Deletes the values of these keys. Keys that do not exist are ignored. Accepts any number of keys. */
  deleteMany(keys: readonly string[], collection?: string): Promise<void>
}

/** A store for JSON objects. `keyValueStoreChecks` of `@x/testing/storage` tests an implementation. */
export interface KeyValueStore extends KeyValueOperations {
  /**
   * Calls `work` with the operations of one transaction and returns its result. If `work` rejects, `transaction` rejects with the same
   * error and undoes all writes. Transactions are serializable: they do not see each other's unfinished writes, and two that read and write
   * the same keys have the effect of running one after the other. `work` must await these operations only, so that a transaction of
   * IndexedDB stays open. Without this method, each call is a separate write.
   */
  transaction?<T>(work: (store: KeyValueOperations) => Promise<T>): Promise<T>
}

/** The name of the default collection. */
const defaultCollection = 'data'

/**
 * Returns the pairs that `putAll` received, for your own stores.
 * @throws {ModelValidationError} if they are not an iterable of keys with their values.
 * @example
 * pairsOf(new Map([['a', { n: 1 }]])) // => [['a', { n: 1 }]]
 */
export function pairsOf(
  pairs: Iterable<readonly [key: string, value: StoredValue]>,
): (readonly [key: string, value: StoredValue])[] {
  const expected = 'an iterable of keys with objects'
  if (typeof pairs !== 'object' || pairs === null || !(Symbol.iterator in pairs))
    throw invalidOption('putAll', 'pairs', expected, pairs)
  return Array.from(pairs, (pair, index) => {
    const [key, value] = Array.isArray(pair) ? pair : []
    if (typeof key === 'string' && typeof value === 'object' && value !== null) return pair
    throw invalidOption('putAll', `pairs[${index}]`, 'a key with an object', pair)
  })
}

/**
 * A key-value store in memory. `toDict` returns all of its values, and `fromDict` creates a store from them.
 * @example
 * const store = new InMemoryKeyValueStore()
 * await store.put('a', { n: 1 })
 * await store.get('a') // => { n: 1 }
 * await store.get('b') // => null
 */
export class InMemoryKeyValueStore implements KeyValueStore {
  private readonly collections = new Map<string, Map<string, StoredValue>>()

  /** Creates a store with copies of these values. */
  static fromDict(data: StoredCollections): InMemoryKeyValueStore {
    checkObject('data', data, 'an object of collections')
    const store = new InMemoryKeyValueStore()
    for (const [collection, values] of Object.entries(data)) {
      checkObject(collection, values, 'an object of values')
      for (const [key, value] of Object.entries(values)) checkObject(`${collection}.${key}`, value, 'an object')
      store.collections.set(collection, new Map())
      store.write(Object.entries(values), collection)
    }
    return store
  }

  /** Returns copies of all values, without empty collections. */
  toDict(): StoredCollections {
    const filled = [...this.collections].filter(([, values]) => values.size > 0)
    return Object.fromEntries(filled.map(([collection]) => [collection, this.read(collection)]))
  }

  /**
   * Returns the JSON text of all values in pieces, without copying them. Contains the empty collections that were read or became empty.
   * @param name - the name of the store in errors
   * @throws {SerializationError} naming the value that has no JSON form.
   */
  *toJsonPieces(name = 'InMemoryKeyValueStore'): Generator<string> {
    let before = '{'
    for (const [collection, values] of this.collections) {
      before += `${JSON.stringify(collection)}:{`
      let between = ''
      for (const [key, value] of values) {
        yield `${before}${between}${JSON.stringify(key)}:${writeJsonText(value, {}, [name, collection, key])}`
        before = ''
        between = ','
      }
      before += '},'
    }
    yield `${before.replace(/,$/, '')}}`
  }

  async put(key: string, value: StoredValue, collection = defaultCollection): Promise<void> {
    this.write([[key, value]], collection)
  }

  async putAll(
    pairs: Iterable<readonly [key: string, value: StoredValue]>,
    collection = defaultCollection,
  ): Promise<void> {
    this.write(pairs, collection)
  }

  async get(key: string, collection = defaultCollection): Promise<StoredValue | null> {
    if (typeof key !== 'string') checkGiven('get', { key }, text)
    const value = this.collections.get(collection)?.get(key)
    return value === undefined ? null : copyOf(value)
  }

  async getMany(keys: readonly string[], collection = defaultCollection): Promise<(StoredValue | null)[]> {
    checkGiven('getMany', { keys }, list)
    return Promise.all(keys.map((key) => this.get(key, collection)))
  }

  async getAll(collection = defaultCollection): Promise<Record<string, StoredValue>> {
    return this.read(collection)
  }

  async delete(key: string, collection = defaultCollection): Promise<boolean> {
    if (typeof key !== 'string') checkGiven('delete', { key }, text)
    return this.collections.get(collection)?.delete(key) ?? false
  }

  async deleteMany(keys: readonly string[], collection = defaultCollection): Promise<void> {
    checkGiven('deleteMany', { keys }, list)
    for (const key of keys) this.collections.get(collection)?.delete(key)
  }

  private write(pairs: Iterable<readonly [string, StoredValue]>, collection: string): void {
    // All values are copied before the first write, so that a value that cannot be copied leaves the store unchanged.
    const copies = pairsOf(pairs).map(([key, value]) => [key, copyOf(value)] as const)
    if (copies.length === 0) return
    const values = this.collections.get(collection) ?? new Map<string, StoredValue>()
    for (const [key, value] of copies) values.set(key, value)
    this.collections.set(collection, values)
  }

  private read(collection: string): Record<string, StoredValue> {
    return Object.fromEntries([...(this.collections.get(collection) ?? [])].map(([key, value]) => [key, copyOf(value)]))
  }
}

/**
 * Returns a copy in which numbers are written as they were read, except below the depth that is written.
 * @throws {SerializationError} if the value is circular, or has something that cannot be copied, such as a function.
 */
export function copyOf<T>(value: T, path: Path = [], outer = new Set<unknown>()): T {
  if (typeof value === 'function' || typeof value === 'symbol') return cloneOf(value, path)
  if (typeof value !== 'object' || value === null) return value
  if (outer.has(value)) throw new SerializationError(pathText(path), adviceFor(value))
  if (path.length > maxLevels) return cloneOf(value, path)
  outer.add(value)
  const copy = mapItems(value, (item) => copyOf(item, path, outer), path) ?? cloneOf(value, path)
  outer.delete(value)
  return copy as T
}

function cloneOf<T>(value: T, path: Path): T {
  try {
    return structuredClone(value)
  } catch (cause) {
    throw new SerializationError(pathText(path), adviceFor(value), { cause })
  }
}

function checkObject(path: string, value: unknown, expected: string): void {
  if (!isPlainObject(value)) throw invalidOption('InMemoryKeyValueStore.fromDict', path, expected, value)
}
