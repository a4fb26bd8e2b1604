/**
 * @module
 * The documents of a folder, searchable, and kept up to date while they change.
 */
import type { watch } from 'node:fs'
import { type Document, isToolkitError, type NodeWithScore } from '@x/core-model'
import { type MarkdownBlock, readBlocks } from '@x/node-parser'
import type { Table } from '@x/retrieval/tables'
import { DocsFolder, type DocumentFile, type FileSystem, type SkippedFile } from './docs-folder.ts'
import { DocsIndex, documentOf, IN_MEMORY, syntaxOf } from './docs-index.ts'
import { type DocumentInfo, DocumentList } from './document-list.ts'
import { DocsPathError } from './errors.ts'
import { FolderWatcher } from './folder-watcher.ts'
import { RepeatedWork } from './repeated-work.ts'

/** A change of the folder, as paths of documents. */
export interface DocsChange {
  added: string[]
  changed: string[]
  removed: string[]
}

/** The options of {@link Docs.open}. */
export interface DocsOptions {
  /** The path of the SQLite file that keeps the index. Several processes may use it. @defaultValue in memory */
  store?: string | undefined
  /** The time without events before changes are read, in milliseconds. @defaultValue 100 */
  quietMs?: number | undefined
  /** Receives the lines of the log. @defaultValue nothing is logged */
  log?: ((line: string) => void) | undefined
  /** @defaultValue `node:fs/promises` */
  fs?: FileSystem | undefined
  /** @defaultValue `watch` of `node:fs` */
  watch?: typeof watch | undefined
  /** The interval at which the folder is read without an event, in milliseconds. @defaultValue 30000, and 2000 if watching failed */
  lookEvery?: number | undefined
}

/** The options of {@link Docs.search}. */
export interface DocsSearchOptions {
  /** A document, or a folder whose documents are searched. @defaultValue all documents */
  within?: string | undefined
  /** Whether only tables are returned. @defaultValue false */
  tablesOnly?: boolean | undefined
  /** Cancels the search. */
  signal?: AbortSignal | undefined
}

/**
 * The Markdown files of a folder, searchable. Follows changes of the folder until it is closed.
 * @example
 * import { mkdtemp, writeFile } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import { join } from 'node:path'
 *
 * const folder = await mkdtemp(join(tmpdir(), 'docs-'))
 * await writeFile(join(folder, 'fruit.md'), '# Pears\n\nThey are green.\n\n# Apples\n\nThey are red.')
 * const docs = await Docs.open(folder)
 * const [best] = await docs.search('Which apples?', 1)
 * best?.text // => '# Apples\n\nThey are red.'
 * await docs.close()
 */
export class Docs {
  private readonly folder: DocsFolder
  private readonly index: DocsIndex
  private readonly log: (line: string) => void
  private readonly watcher: FolderWatcher
  private readonly reading: RepeatedWork
  private readonly listeners = new Set<(change: DocsChange) => void>()
  private readonly closing = new AbortController()
  private readonly list = new DocumentList()
  /** The files that the index contains, by path. */
  private files = new Map<string, DocumentFile>()
  /** The progress of the first reading; null when it is finished. */
  private first: { done: number; total: number } | null = { done: 0, total: 0 }
  private failure: Error | null = null

  /**
   * Opens a folder. It is read in the background: operations wait for it.
   * @throws {DocsFolderError} unless `path` is a folder that can be read.
   * @throws {DocsStoreError} when the index cannot be used.
   */
  static async open(path: string, options: DocsOptions = {}): Promise<Docs> {
    const folder = await DocsFolder.open(path, options.fs)
    const index = await DocsIndex.open(options.store ?? IN_MEMORY, folder.root)
    return new Docs(folder, index, options)
  }

  private constructor(folder: DocsFolder, index: DocsIndex, options: DocsOptions) {
    const { quietMs = 100, log = () => {}, watch, lookEvery } = options
    this.folder = folder
    this.index = index
    this.log = log
    this.reading = new RepeatedWork(() => this.readOrFail(), quietMs)
    this.watcher = new FolderWatcher({
      root: folder.root,
      onEvent: () => this.reading.soon(),
      onProblem: (reason) => log(`The folder cannot be watched (${reason}): it is read every two seconds.`),
      watch,
      lookEvery,
    })
    this.reading.now()
  }

  /** The absolute path of the folder. */
  get root(): string {
    return this.folder.root
  }

  /** The number of documents that the first reading has indexed so far; null when it is finished. */
  get progress(): { done: number; total: number } | null {
    return this.first && { ...this.first }
  }

  /** Calls `listener` after each change, when the index contains it. Returns a function that ends the calls. */
  onChange(listener: (change: DocsChange) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /**
   * Resolves when all changes that the system has reported so far are indexed. All operations wait for it.
   * @throws {DocsFolderError} while the folder does not exist or cannot be read.
   * @throws the error of the file system when the folder cannot be read at all.
   */
  async upToDate(): Promise<void> {
    await this.reading.done()
    // A folder that was deleted or made again is not always reported.
    if (this.failure || !(await this.folder.exists())) {
      this.reading.now()
      await this.reading.done()
    }
    if (this.failure && (this.first || isToolkitError(this.failure, 'docs_folder'))) throw this.failure
  }

  /**
   * Returns a document, or the documents of a folder, sorted by path.
   * @throws {DocsPathError} when the document or folder does not exist.
   */
  async documents(within = ''): Promise<DocumentInfo[]> {
    await this.upToDate()
    return this.list.within(within)
  }

  /** Returns the files and folders that are not served, with the reasons, sorted by path. */
  async skipped(): Promise<readonly SkippedFile[]> {
    await this.upToDate()
    return this.list.skipped
  }

  /**
   * Returns the text of a document as it is now.
   * @throws {DocsPathError} when the path is not a document of the folder, or cannot be read.
   */
  async read(path: string): Promise<string> {
    await this.upToDate()
    return this.folder.read(this.list.documentAt(path))
  }

  /** Returns a document as it is now, with its root blocks. @throws {DocsPathError} as {@link read} does. */
  async blocks(path: string): Promise<{ path: string; text: string; blocks: MarkdownBlock[] }> {
    const text = await this.read(path)
    return { path: this.list.documentAt(path), text, blocks: readBlocks(text, { syntax: syntaxOf(path) }) }
  }

  /**
   * Returns at most `limit` text nodes and table nodes that match a query, best first.
   * @throws {DocsPathError} when the document or folder `within` does not exist.
   */
  async search(query: string, limit: number, options: DocsSearchOptions = {}): Promise<NodeWithScore[]> {
    await this.upToDate()
    const { within, tablesOnly = false, signal } = options
    const files = within === undefined ? null : this.list.within(within).map(({ path }) => path)
    return this.index.search(query, limit, { files, tablesOnly }, signal)
  }

  /** Returns the tables of a document, in order. @throws {DocsPathError} when the document does not exist. */
  async tablesOf(path: string): Promise<Table[]> {
    await this.upToDate()
    return this.index.tablesOf(this.list.documentAt(path))
  }

  /** Returns the table with this id, or null. */
  async table(id: string): Promise<Table | null> {
    await this.upToDate()
    return this.index.table(id)
  }

  /** Stops following the folder, and closes the index. */
  async close(): Promise<void> {
    if (this.closing.signal.aborted) return
    this.closing.abort()
    this.watcher.close()
    this.listeners.clear()
    await this.reading.close()
    this.index.close()
  }

  private async readOrFail(): Promise<void> {
    try {
      await this.readFolder()
      this.failure = null
    } catch (error) {
      if (this.closing.signal.aborted) return
      // The watcher tries again later.
      const { message } = error as Error
      if (this.failure?.message !== message) this.log(message)
      this.failure = error as Error
    }
  }

  /** Brings the index to the state of the folder. */
  private async readFolder(): Promise<void> {
    const started = performance.now()
    const folders = new Set<string>()
    const { files, skipped } = await this.folder.list((path, identity) => {
      folders.add(path)
      this.watcher.add(path, identity)
    })
    this.watcher.retain(folders)
    const present = new Map(files.map((file) => [file.path, file]))
    const changed = files.filter(({ path, stamp }) => this.files.get(path)?.stamp !== stamp)
    const gone = [...this.files.keys()].filter((path) => !present.has(path))
    const before = new Set(this.list.paths)
    const unreadable: SkippedFile[] = []
    let parsed = 0
    if (this.first) parsed = await this.indexAll(changed, unreadable)
    else if (changed.length + gone.length > 0) await this.indexSome(changed, gone, unreadable)
    // Files that cannot be read are tried again whenever the folder is read.
    for (const { path } of unreadable) present.delete(path)
    this.files = present
    this.reportSkipped([...skipped, ...unreadable])
    if (this.first === null) {
      this.notify(before, changed)
      return
    }
    this.first = null
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    this.log(`${this.list.paths.length} documents, ${parsed} of them parsed, in ${seconds} s.`)
  }

  private indexAll(files: readonly DocumentFile[], unreadable: SkippedFile[]): Promise<number> {
    const progress = { done: 0, total: files.length }
    this.first = progress
    const onDocument = () => {
      progress.done++
    }
    return this.index.replaceAll(this.documentsOf(files, unreadable), { signal: this.closing.signal, onDocument })
  }

  private async indexSome(files: readonly DocumentFile[], gone: string[], unreadable: SkippedFile[]): Promise<void> {
    const removed = () => [...gone, ...unreadable.map(({ path }) => path)]
    await this.index.update(this.documentsOf(files, unreadable), removed, this.closing.signal)
    for (const path of removed()) this.list.delete(path)
  }

  private async *documentsOf(files: readonly DocumentFile[], unreadable: SkippedFile[]): AsyncGenerator<Document> {
    for (const { path } of files) {
      let text: string
      try {
        text = await this.folder.read(path)
      } catch (error) {
        if (!(error instanceof DocsPathError)) throw error
        unreadable.push({ path, reason: error.reason })
        continue
      }
      yield documentOf(path, text)
      this.list.set(path, text)
    }
  }

  private reportSkipped(skipped: readonly SkippedFile[]): void {
    const known = new Map(this.list.skipped.map(({ path, reason }) => [path, reason]))
    for (const { path, reason } of skipped) if (known.get(path) !== reason) this.log(`${path} is skipped: ${reason}`)
    this.list.skipped = [...skipped].sort((one, other) => (one.path < other.path ? -1 : 1))
  }

  private notify(before: ReadonlySet<string>, read: readonly DocumentFile[]): void {
    const now = new Set(this.list.paths)
    const added = [...now].filter((path) => !before.has(path))
    const changed = read.map(({ path }) => path).filter((path) => before.has(path) && now.has(path))
    const removed = [...before].filter((path) => !now.has(path))
    if (added.length + changed.length + removed.length === 0) return
    this.log(`${added.length} added, ${changed.length} changed, ${removed.length} removed.`)
    for (const listener of this.listeners) listener({ added, changed, removed })
  }
}
