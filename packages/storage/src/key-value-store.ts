/**
 * @module
 * The contract of a store of JSON objects by collection and key, and the one that keeps them in memory.
 */

/** A JSON object. */
export type StoredValue = Record<string, unknown>

/** All values of a store: collection, key, value. */
export type StoredCollections = Record<string, Record<string, StoredValue>>

/**
 * A store of JSON objects. Values are copied on the way in and out: changing one afterwards changes nothing in the store.
 * An empty collection equals one that was never written.
 */
export interface KeyValueStore {
  /** Writes one value, in place of the one before. @param collection default `data` */
  put(key: string, value: StoredValue, collection?: string): Promise<void>
  /** Writes several values in order. */
  putAll(pairs: Iterable<readonly [key: string, value: StoredValue]>, collection?: string): Promise<void>
  /** The value, or null when there is none. */
  get(key: string, collection?: string): Promise<StoredValue | null>
  /** All values by key; an empty object when there are none. */
  getAll(collection?: string): Promise<Record<string, StoredValue>>
  /** Removes a value; tells whether there was one. */
  delete(key: string, collection?: string): Promise<boolean>
}

/** The collection that is meant when none is named. */
const defaultCollection = 'data'

/**
 * Keeps JSON objects in memory. `toDict` and `fromDict` give and take all of it.
 * @example
 * const store = new InMemoryKeyValueStore()
 * await store.put('a', { n: 1 })
 * await store.get('a') // => { n: 1 }
 * await store.get('b') // => null
 */
export class InMemoryKeyValueStore implements KeyValueStore {
  private readonly collections = new Map<string, Map<string, StoredValue>>()

  /** A store with copies of these values. */
  static fromDict(data: StoredCollections): InMemoryKeyValueStore {
    const store = new InMemoryKeyValueStore()
    for (const [collection, values] of Object.entries(data)) store.write(Object.entries(values), collection)
    return store
  }

  /** All values, without empty collections. */
  toDict(): StoredCollections {
    const filled = [...this.collections].filter(([, values]) => values.size > 0)
    return Object.fromEntries(filled.map(([collection]) => [collection, this.read(collection)]))
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
    const value = this.collections.get(collection)?.get(key)
    return value === undefined ? null : structuredClone(value)
  }

  async getAll(collection = defaultCollection): Promise<Record<string, StoredValue>> {
    return this.read(collection)
  }

  async delete(key: string, collection = defaultCollection): Promise<boolean> {
    return this.collections.get(collection)?.delete(key) ?? false
  }

  private write(pairs: Iterable<readonly [string, StoredValue]>, collection: string): void {
    // Copied before anything is written, so that a value that cannot be copied leaves the store as it was.
    const copies = [...pairs].map(([key, value]) => [key, structuredClone(value)] as const)
    const values = this.collections.get(collection) ?? new Map<string, StoredValue>()
    for (const [key, value] of copies) values.set(key, value)
    this.collections.set(collection, values)
  }

  private read(collection: string): Record<string, StoredValue> {
    return Object.fromEntries(
      [...(this.collections.get(collection) ?? [])].map(([key, value]) => [key, structuredClone(value)]),
    )
  }
}
