/**
 * @module
 * A document store in memory that can be converted to JSON.
 */

import { isPlainObject } from '@x/core/values'
import { ModelValidationError } from '@x/core-model'
import { InMemoryKeyValueStore, type StoredCollections } from './key-value-store.ts'
import { type DocumentStoreOptions, KVDocumentStore } from './kv-document-store.ts'

/**
 * A document store in memory. `toDict` returns the format of LlamaIndex for Python.
 * `@x/storage/node` exports the same class with file operations.
 * @example
 * const store = new SimpleDocumentStore()
 * await store.addDocuments([new TextNode({ id: 'a', text: 'Hello' })])
 * ;(await store.getNode('a')).text // => 'Hello'
 * Object.keys(store.toDict()) // => ['docstore/data', 'docstore/metadata']
 */
export class SimpleDocumentStore extends KVDocumentStore {
  /** @param keyValueStore - the records; default: an empty store */
  constructor(options?: DocumentStoreOptions, keyValueStore = new InMemoryKeyValueStore()) {
    super(keyValueStore, options)
  }

  /**
   * Creates a store from the result of `toDict`; the data is copied. Collections of other namespaces are kept.
   * @throws {ModelValidationError} if `data` is not an object of collections of objects.
   */
  static fromDict<T extends SimpleDocumentStore>(
    this: new (
      options: DocumentStoreOptions | undefined,
      values: InMemoryKeyValueStore,
    ) => T,
    data: unknown,
    options?: DocumentStoreOptions,
  ): T {
    return new this(options, InMemoryKeyValueStore.fromDict(checkCollections(data)))
  }

  /** Returns copies of all records by collection and key, without empty collections. */
  toDict(): StoredCollections {
    return (this.values as InMemoryKeyValueStore).toDict()
  }

  /**
   * Returns the JSON text of `toDict()` in pieces, without copying the records.
   * @throws {SerializationError} naming the record and the key of `NaN` or an infinity.
   */
  protected toJsonPieces(): Iterable<string> {
    return (this.values as InMemoryKeyValueStore).toJsonPieces('SimpleDocumentStore')
  }
}

function checkCollections(data: unknown): StoredCollections {
  const fault = (path: string) =>
    new ModelValidationError('SimpleDocumentStore', [{ path, message: 'expected an object', code: 'type' }])
  if (!isPlainObject(data)) throw fault('')
  for (const [collection, values] of Object.entries(data)) {
    if (!isPlainObject(values)) throw fault(collection)
    for (const [key, value] of Object.entries(values)) if (!isPlainObject(value)) throw fault(`${collection}.${key}`)
  }
  return data as StoredCollections
}
