/**
 * @module
 * The document store in memory, with its JSON form.
 */
import { ModelValidationError } from '@x/core-model'
import { isPlainObject } from '@x/core-model/internal'
import { InMemoryKeyValueStore, type StoredCollections } from './key-value-store.ts'
import { KVDocumentStore } from './kv-document-store.ts'

/**
 * A document store that keeps everything in memory. Its dict and its files are those of the Python library.
 * `@x/storage/node` has the same class with operations on files.
 * @example
 * const store = new SimpleDocumentStore()
 * await store.addDocuments([new TextNode({ id: 'a', text: 'Hello' })])
 * ;(await store.getNode('a')).text // => 'Hello'
 * Object.keys(store.toDict()) // => ['docstore/data', 'docstore/metadata']
 */
export class SimpleDocumentStore extends KVDocumentStore {
  constructor(keyValueStore = new InMemoryKeyValueStore(), namespace = 'docstore') {
    super(keyValueStore, namespace)
  }

  /**
   * A store with copies of what `toDict` gave. Collections of other namespaces are kept too.
   * @throws {ModelValidationError} when `data` is no such object.
   */
  static fromDict<T extends SimpleDocumentStore>(
    this: new (
      values: InMemoryKeyValueStore,
      namespace?: string,
    ) => T,
    data: unknown,
    namespace?: string,
  ): T {
    return new this(InMemoryKeyValueStore.fromDict(checkCollections(data)), namespace)
  }

  /** All records by collection and key, without empty collections; a copy. */
  toDict(): StoredCollections {
    return (this.values as InMemoryKeyValueStore).toDict()
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
