/// <reference types="node" />
/**
 * @module
 * The document store with file operations.
 */
import { join } from 'node:path'
import { writeJsonText } from '@x/core-model'
import { StoreReadError } from './errors.ts'
import { readJsonFile, writeWhole } from './json-file.ts'
import type { DocumentStoreOptions } from './kv-document-store.ts'
import { SimpleDocumentStore as InMemoryDocumentStore } from './simple-document-store.ts'

const defaultDirectory = './storage'
const fileName = 'docstore.json'

/**
 * A document store in memory that can be saved to a JSON file and read from it. Files have the format of LlamaIndex for Python.
 * @example
 * import { tmpdir } from 'node:os'
 * import { SimpleDocumentStore } from '@x/storage/node'
 * const path = `${tmpdir()}/docstore-example.json`
 * const store = new SimpleDocumentStore()
 * await store.addDocuments([new TextNode({ id: 'a', text: 'Hello' })])
 * await store.persist(path)
 * const again = await SimpleDocumentStore.fromPersistPath(path)
 * ;(await again.getNode('a')).text // => 'Hello'
 */
export class SimpleDocumentStore extends InMemoryDocumentStore {
  // The build renames this class, because its base has the same name.
  static override readonly name = 'SimpleDocumentStore'

  /**
   * Reads a store from a file.
   * @throws {StoreReadError} when the file is missing, truncated or not a document store; the file is not changed.
   */
  static async fromPersistPath(path: string, options?: DocumentStoreOptions): Promise<SimpleDocumentStore> {
    const data = await readJsonFile(path)
    try {
      return SimpleDocumentStore.fromDict(data, options)
    } catch (cause) {
      throw new StoreReadError(path, 'the file does not contain a document store', { cause })
    }
  }

  /** Reads a store from `docstore.json` in a directory. @throws {StoreReadError} like `fromPersistPath`. */
  static fromPersistDir(directory = defaultDirectory, options?: DocumentStoreOptions): Promise<SimpleDocumentStore> {
    return SimpleDocumentStore.fromPersistPath(join(directory, fileName), options)
  }

  /**
   * Writes all records to a file, atomically: whatever fails, the file contains either the old records or the new records.
   * Creates missing directories.
   * @throws {SerializationError} naming the record and the key of `NaN` or an infinity, which a file of the Python library may contain.
   */
  persist(path = join(defaultDirectory, fileName)): Promise<void> {
    return this.inOrder(async () => writeWhole(path, writeJsonText(this.toDict(), {}, ['SimpleDocumentStore'])))
  }
}
