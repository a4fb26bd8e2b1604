/// <reference types="node" />
/**
 * @module
 * The document store with file operations.
 */
import { join, resolve } from 'node:path'
import { checkOption, checkOptions, flag, type OptionTable, required, text } from '@x/core/options'
import { isPythonText, lineOf, newerLine, type PythonLineName, pythonLine, pythonPieces } from '@x/core-model/python'
import { inLine } from './document-records.ts'
import { notAStore } from './errors.ts'
import { type FileVersion, readJsonFileVersion, writeWhole } from './json-file.ts'
import { InMemoryKeyValueStore } from './key-value-store.ts'
import { type DocumentStoreOptions, documentStoreOptions } from './kv-document-store.ts'
import { SimpleDocumentStore as InMemoryDocumentStore } from './simple-document-store.ts'

/** The options of `persist`. */
export interface OverwriteOptions {
  /** Whether to replace a file that this store has not read or that has changed since. @defaultValue false */
  overwrite?: boolean
}

/** The options of `persist` of a document store. */
interface PersistDocumentsOptions extends OverwriteOptions {
  /** The line of LlamaIndex for Python. @defaultValue the line of the store: that of the file that it was read from, else 0.10 */
  line?: PythonLineName | undefined
}

/** The checks of {@link PersistDocumentsOptions}. */
export const persistOptions: OptionTable<PersistDocumentsOptions> = {
  overwrite: flag,
  // Its value is checked when it is read.
  line: text,
}
/** The check of a path. */
export const aPath = required(text)

const defaultDirectory = './storage'
const fileName = 'docstore.json'

/**
 * A document store in memory that can be saved to a JSON file and read from it. Files have the format of LlamaIndex for Python.
 * The whole store is in memory, and each `persist` writes all of it: use it for experiments, tests and exchange with Python. Use a database
 * for a store that grows or that several processes write.
 * @example
 * import { mkdtemp } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import { SimpleDocumentStore } from '@x/storage/node'
 * const path = `${await mkdtemp(`${tmpdir()}/docs-`)}/docstore.json`
 * const store = new SimpleDocumentStore()
 * await store.addDocuments([new TextNode({ id: 'a', text: 'Hello' })])
 * await store.persist(path)
 * const again = await SimpleDocumentStore.fromPersistPath(path)
 * ;(await again.getNode('a')).text // => 'Hello'
 */
export class SimpleDocumentStore extends InMemoryDocumentStore {
  // The build renames this class, because its base class has the same name.
  static override readonly name = 'SimpleDocumentStore'
  /** The versions of the files that this store has read or written, by path. */
  private readonly versions = new Map<string, FileVersion>()
  /** Whether the file that this store was read from has the blanks and escapes of Python. @internal */
  isPython = false

  /**
   * Reads a store from a file. The store writes the records and hashes of the line of LlamaIndex for Python that wrote the file, so that
   * unchanged documents stay unchanged.
   * @throws {StoreReadError} if the file is missing, truncated or not a document store; the file is not changed.
   * @throws {StoreTooLargeError} if the file does not fit into one string.
   * @throws {ModelValidationError} if an option is unknown or invalid.
   */
  static async fromPersistPath(path: string, options: DocumentStoreOptions = {}): Promise<SimpleDocumentStore> {
    checkOption('SimpleDocumentStore.fromPersistPath', 'path', path, aPath)
    checkOptions('SimpleDocumentStore', options, documentStoreOptions)
    const { data, version, text } = await readJsonFileVersion(path)
    try {
      const line = options.line ?? pythonLine(lineOfStore(data) ?? '0.10')
      const store = SimpleDocumentStore.fromDict(data, { ...options, line })
      store.isPython = isPythonText(text)
      store.versions.set(resolve(path), version)
      return store
    } catch (cause) {
      throw notAStore(path, 'document store', cause)
    }
  }

  /** Reads a store from `docstore.json` in a directory. @throws {StoreReadError} like `fromPersistPath`. */
  static async fromPersistDir(
    directory = defaultDirectory,
    options?: DocumentStoreOptions,
  ): Promise<SimpleDocumentStore> {
    checkOption('SimpleDocumentStore.fromPersistDir', 'directory', directory, aPath)
    return SimpleDocumentStore.fromPersistPath(join(directory, fileName), options)
  }

  /**
   * Writes all records to a file atomically, in the style of the file that the store was read from: at any time, even after a crash, the
   * file contains either the old or the new records. Creates missing directories.
   * @throws {StoreChangedError} if the file was changed since this store read or wrote it, or this store has never read it.
   * @throws {StoreWriteError} if the system refuses to write, such as on a full disk.
   * @throws {StoreTooLargeError} if the file would be too large to be read again.
   * @throws {ModelValidationError} if an option is unknown or invalid.
   * @throws {SerializationError} naming the record and the key of `NaN` or an infinity, which files of LlamaIndex for Python may contain.
   */
  async persist(path: string = join(defaultDirectory, fileName), options: PersistDocumentsOptions = {}): Promise<void> {
    checkOption('persist', 'path', path, aPath)
    checkOptions('persist', options, persistOptions)
    const { overwrite = false, line } = options
    return this.inOrder(async () => {
      const replaces = overwrite ? undefined : (this.versions.get(resolve(path)) ?? null)
      this.versions.set(resolve(path), await writeWhole(path, this.piecesIn(line), { replaces }))
    })
  }

  private piecesIn(line: PythonLineName | undefined): Iterable<string> {
    const pieces = this.compactPiecesIn(line)
    return this.isPython ? pythonPieces(pieces) : pieces
  }

  private compactPiecesIn(line: PythonLineName | undefined): Iterable<string> {
    if (!line || line === (this.records.line?.name ?? '0.10')) return this.toJsonPieces()
    const data = inLine(this.toDict(), this.names, this.records, this.records.inLine(pythonLine(line)))
    return InMemoryKeyValueStore.fromDict(data).toJsonPieces('SimpleDocumentStore')
  }
}

/** Returns the line that wrote a document store: the newest that one of its records shows, by its form or its hash. */
function lineOfStore(data: unknown): PythonLineName | null {
  const found = lineOf(data)
  if (found === null || newerLine(found, '0.12.28') === found) return found
  let newest = found
  for (const [name, records] of Object.entries(Object(data))) {
    const hashes = Object(Object(data)[name.replace(/data$/, 'metadata')])
    if (!name.endsWith('/data')) continue
    for (const [id, record] of Object.entries(Object(records))) {
      newest = newerLine(newest, lineOf(record, Object(hashes[id])['doc_hash']) ?? newest)
    }
  }
  return newest
}
