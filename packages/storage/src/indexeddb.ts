/**
 * @module
 * A document store in the database of browsers and their workers: entry `@x/storage/indexeddb`.
 */
import { checkOption, checkOptions, choice, having, type OptionTable, required, text } from '@x/core/options'
import { StoreReadError, StoreWriteError } from './errors.ts'
import { type KeyValueOperations, type KeyValueStore, pairsOf, type StoredValue } from './key-value-store.ts'
import { type DocumentStoreOptions, documentStoreOptions, KVDocumentStore } from './kv-document-store.ts'

/** The options of a database. */
export interface IndexedDBOptions {
  /** The database factory. @defaultValue `globalThis.indexedDB` */
  indexedDB?: IDBFactory
  /**
   * `strict`: a completed write is on the disk. `relaxed`: the operating system may still be writing it, which is faster.
   * @defaultValue 'strict'
   */
  durability?: 'strict' | 'relaxed'
}

const OPTIONS: OptionTable<IndexedDBOptions> = {
  indexedDB: having('an IDBFactory', 'open'),
  durability: choice('strict', 'relaxed'),
}

const VERSION = 1
const VALUES = 'values'
const defaultCollection = 'data'

/**
 * A key-value store in an IndexedDB database. Several tabs and workers may use one database.
 * @example
 * async function count(): Promise<number> {
 *   const store = await IndexedDBKeyValueStore.open('counters')
 *   return await store.transaction(async (inside) => {
 *     const n = Number((await inside.get('visits'))?.['n'] ?? 0) + 1
 *     await inside.put('visits', { n })
 *     return n
 *   })
 * }
 */
export class IndexedDBKeyValueStore implements KeyValueStore {
  private readonly database: IDBDatabase
  private readonly durability: 'strict' | 'relaxed'

  private constructor(database: IDBDatabase, durability: 'strict' | 'relaxed') {
    this.database = database
    this.durability = durability
  }

  /**
   * Opens a database, and creates it when it does not exist.
   * @throws {StoreReadError} if the platform has no IndexedDB, refuses to open the database, or it is of a newer version or another
   * program.
   */
  static async open(name: string, options: IndexedDBOptions = {}): Promise<IndexedDBKeyValueStore> {
    checkOption('IndexedDBKeyValueStore.open', 'name', name, required(text))
    checkOptions('IndexedDBKeyValueStore.open', options, OPTIONS)
    const { indexedDB = globalThis.indexedDB, durability = 'strict' } = options
    if (!indexedDB) throw new StoreReadError(name, 'this platform has no IndexedDB')
    const request = indexedDB.open(name, VERSION)
    request.onupgradeneeded = () => request.result.createObjectStore(VALUES)
    let database: IDBDatabase
    try {
      database = await resultOf(request)
    } catch (cause) {
      throw new StoreReadError(name, 'the database cannot be opened', { cause })
    }
    // Allows another tab to delete or upgrade the database.
    database.onversionchange = () => database.close()
    if (database.objectStoreNames.contains(VALUES)) return new IndexedDBKeyValueStore(database, durability)
    database.close()
    throw new StoreReadError(name, 'the database of this name is of another program; choose another name')
  }

  /** Closes the database. */
  close(): void {
    this.database.close()
  }

  /** @throws {DOMException} if `work` awaits anything except the operations passed to it, because the transaction ends then. */
  async transaction<T>(work: (store: KeyValueOperations) => Promise<T>): Promise<T> {
    return this.run('readwrite', work)
  }

  put(key: string, value: StoredValue, collection?: string): Promise<void> {
    return this.run('readwrite', (inside) => inside.put(key, value, collection))
  }

  putAll(pairs: Iterable<readonly [key: string, value: StoredValue]>, collection?: string): Promise<void> {
    return this.run('readwrite', (inside) => inside.putAll(pairs, collection))
  }

  get(key: string, collection?: string): Promise<StoredValue | null> {
    return this.run('readonly', (inside) => inside.get(key, collection))
  }

  getMany(keys: readonly string[], collection?: string): Promise<(StoredValue | null)[]> {
    return this.run('readonly', (inside) => inside.getMany(keys, collection))
  }

  getAll(collection?: string): Promise<Record<string, StoredValue>> {
    return this.run('readonly', (inside) => inside.getAll(collection))
  }

  delete(key: string, collection?: string): Promise<boolean> {
    return this.run('readwrite', (inside) => inside.delete(key, collection))
  }

  deleteMany(keys: readonly string[], collection?: string): Promise<void> {
    return this.run('readwrite', (inside) => inside.deleteMany(keys, collection))
  }

  private async run<T>(mode: IDBTransactionMode, work: (store: KeyValueOperations) => Promise<T>): Promise<T> {
    let transaction: IDBTransaction
    try {
      transaction = this.database.transaction(VALUES, mode, { durability: this.durability })
    } catch (cause) {
      const reason = 'the database is closed, by `close()` or because its data was deleted; open it again'
      throw new StoreReadError(this.database.name, reason, { cause })
    }
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error)
    })
    // Awaited below; if `work` fails, its error is thrown instead.
    done.catch(() => {})
    let result: T
    try {
      result = await work(new TransactionOperations(transaction.objectStore(VALUES)))
    } catch (error) {
      abort(transaction)
      await done.catch(() => {})
      throw this.refusalOf(transaction) ?? error
    }
    await done.catch((error: unknown) => {
      throw this.refusalOf(transaction) ?? error
    })
    return result
  }

  /** Returns the error of a transaction that the browser has ended because the site may not store more: requests have one of their own. */
  private refusalOf({ error: cause }: IDBTransaction): StoreWriteError | undefined {
    if (cause?.name !== 'QuotaExceededError') return undefined
    return new StoreWriteError(this.database.name, cause.name, { cause })
  }
}

/** The operations of one transaction. */
class TransactionOperations implements KeyValueOperations {
  private readonly store: IDBObjectStore

  constructor(store: IDBObjectStore) {
    this.store = store
  }

  async put(key: string, value: StoredValue, collection = defaultCollection): Promise<void> {
    await resultOf(this.store.put(value, [collection, key]))
  }

  async putAll(
    pairs: Iterable<readonly [key: string, value: StoredValue]>,
    collection = defaultCollection,
  ): Promise<void> {
    await Promise.all(pairsOf(pairs).map(([key, value]) => resultOf(this.store.put(value, [collection, key]))))
  }

  async get(key: string, collection = defaultCollection): Promise<StoredValue | null> {
    return ((await resultOf(this.store.get([collection, key]))) as StoredValue | undefined) ?? null
  }

  async getMany(keys: readonly string[], collection = defaultCollection): Promise<(StoredValue | null)[]> {
    return Promise.all(keys.map((key) => this.get(key, collection)))
  }

  async getAll(collection = defaultCollection): Promise<Record<string, StoredValue>> {
    // IndexedDB sorts arrays after all strings, so this is the upper bound.
    // A factory outside of browsers may come without the global class; then all collections are read.
    const range = globalThis.IDBKeyRange?.bound([collection], [collection, []])
    const [keys, values] = await Promise.all([
      resultOf(this.store.getAllKeys(range)),
      resultOf(this.store.getAll(range)),
    ])
    const found = (keys as [string, string][]).map(([of, key], i) => [of, key, values[i] as StoredValue] as const)
    return Object.fromEntries(found.flatMap(([of, key, value]) => (of === collection ? [[key, value]] : [])))
  }

  async delete(key: string, collection = defaultCollection): Promise<boolean> {
    const [found] = await Promise.all([
      resultOf(this.store.getKey([collection, key])),
      resultOf(this.store.delete([collection, key])),
    ])
    return found !== undefined
  }

  async deleteMany(keys: readonly string[], collection = defaultCollection): Promise<void> {
    await Promise.all(keys.map((key) => resultOf(this.store.delete([collection, key]))))
  }
}

/**
 * A document store in an IndexedDB database, for browsers and their workers. Each operation is one transaction.
 * @example
 * async function keep(node: TextNode): Promise<number> {
 *   const store = await IndexedDBDocumentStore.open('documents')
 *   await store.addDocuments([node])
 *   return Object.keys(await store.docs()).length
 * }
 */
export class IndexedDBDocumentStore extends KVDocumentStore {
  /**
   * Opens a store, and creates it when it does not exist.
   * @param name - the name of the database; each origin has its own
   * @throws {StoreReadError} if the platform has no IndexedDB, refuses to open the database, or it is of a newer version.
   */
  static async open(
    name: string,
    options: IndexedDBOptions & DocumentStoreOptions = {},
  ): Promise<IndexedDBDocumentStore> {
    checkOptions('IndexedDBDocumentStore.open', options, { ...OPTIONS, ...documentStoreOptions })
    const { indexedDB, durability, ...rest } = options
    const values = await IndexedDBKeyValueStore.open(name, {
      ...(indexedDB && { indexedDB }),
      ...(durability && { durability }),
    })
    return new IndexedDBDocumentStore(values, rest)
  }

  /** Closes the database. */
  close(): void {
    ;(this.values as IndexedDBKeyValueStore).close()
  }
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort()
  } catch {
    // The transaction has already ended with the error that is thrown.
  }
}
