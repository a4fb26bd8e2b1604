/// <reference types="node" />
/**
 * @module
 * A key-value store in a JSON file.
 */
import { isToolkitError } from '@x/core-model'
import { notAStore, type StoreReadError } from './errors.ts'
import { type FileVersion, isMissing, readJsonFileVersion, writeWhole } from './json-file.ts'
import {
  copyOf,
  InMemoryKeyValueStore,
  type KeyValueOperations,
  type KeyValueStore,
  pairsOf,
  type StoredCollections,
  type StoredValue,
} from './key-value-store.ts'

/** Marks the file: without it, each JSON of objects in objects would be one, such as a document store of LlamaIndex for Python. */
const format = 'key-value store'

function* filePieces(store: InMemoryKeyValueStore): Generator<string> {
  yield `{"format":"${format}","collections":`
  yield* store.toJsonPieces('FileKeyValueStore')
  yield '}'
}

/**
 * A store for JSON objects in one file, for one machine and data that fits into memory. Each write replaces the file atomically and flushes
 * it to the disk; several processes take turns. Every call reads the whole file: use a database for more than some megabytes. Damage of the
 * file is damage of all values: no call changes it, also not `delete`.
 * @throws {StoreReadError} from its methods, if the file is not a store.
 * @example
 * import { mkdtemp } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import { FileKeyValueStore } from '@x/storage/node'
 * const path = `${await mkdtemp(`${tmpdir()}/store-`)}/values.json`
 * await new FileKeyValueStore(path).put('ann', { n: 1 })
 * await new FileKeyValueStore(path).get('ann') // => { n: 1 }
 */
export class FileKeyValueStore implements KeyValueStore {
  private readonly path: string
  /** Resolves when the last write of this object is over. */
  private writing: Promise<unknown> = Promise.resolve()

  constructor(path: string) {
    this.path = path
  }

  /**
   * Calls `work` with all values in memory, and writes them if it resolves. It is called again if another process has written meanwhile.
   */
  transaction<T>(work: (store: KeyValueOperations) => Promise<T>): Promise<T> {
    const done = this.writing.then(() => this.write(work))
    this.writing = done.catch(() => {})
    return done
  }

  private async write<T>(work: (store: KeyValueOperations) => Promise<T>): Promise<T> {
    for (;;) {
      const { store, version: replaces } = await this.read()
      const result = await work(store)
      try {
        await writeWhole(this.path, filePieces(store), { replaces })
        return result
      } catch (error) {
        if (!isToolkitError(error, 'store_changed')) throw error
      }
    }
  }

  put(key: string, value: StoredValue, collection?: string): Promise<void> {
    const copy = copyOf(value)
    return this.transaction((store) => store.put(key, copy, collection))
  }

  async putAll(pairs: Iterable<readonly [key: string, value: StoredValue]>, collection?: string): Promise<void> {
    const copies = copyOf(pairsOf(pairs))
    return this.transaction((store) => store.putAll(copies, collection))
  }

  async get(key: string, collection?: string): Promise<StoredValue | null> {
    return (await this.read()).store.get(key, collection)
  }

  async getMany(keys: readonly string[], collection?: string): Promise<(StoredValue | null)[]> {
    return (await this.read()).store.getMany(keys, collection)
  }

  async getAll(collection?: string): Promise<Record<string, StoredValue>> {
    return (await this.read()).store.getAll(collection)
  }

  delete(key: string, collection?: string): Promise<boolean> {
    return this.transaction((store) => store.delete(key, collection))
  }

  deleteMany(keys: readonly string[], collection?: string): Promise<void> {
    return this.transaction((store) => store.deleteMany(keys, collection))
  }

  private async read(): Promise<{ store: InMemoryKeyValueStore; version: FileVersion | null }> {
    try {
      const { data, version } = await readJsonFileVersion(this.path)
      const { format: found, collections } = Object(data) as { format?: unknown; collections: StoredCollections }
      if (found !== format)
        throw notAStore(this.path, 'key-value store', new TypeError(`expected "format": "${format}"`))
      return { store: InMemoryKeyValueStore.fromDict(collections), version }
    } catch (cause) {
      if (isToolkitError(cause, 'model_validation')) throw notAStore(this.path, 'key-value store', cause)
      // A store that was never written is empty.
      if (isMissing((cause as StoreReadError).cause)) return { store: new InMemoryKeyValueStore(), version: null }
      throw cause
    }
  }
}
