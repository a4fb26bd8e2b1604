/**
 * @module
 * The documents of a folder, searchable, and kept up to date while they change.
 */

import type { watch } from 'node:fs'
import { callback, checkOptions, having, milliseconds, type OptionTable, text, unchecked } from '@x/core/options'
import { type CrossEncoder, isToolkitError } from '@x/core-model'
import { type MarkdownBlock, readBlocks, readSections } from '@x/node-parser'
import {
  DocsFolder,
  DocsPathError,
  type DocumentFile,
  type FileSystem,
  FolderWatcher,
  RepeatedWork,
  type SkippedFile,
} from '@x/retrieval/folder'
import type { Table } from '@x/retrieval/tables'
import { type DocumentInfo, DocumentList, linesOf } from './document-list.ts'
import { type FileInfo, IndexCache } from './index-cache.ts'
import { KeptIndex } from './kept-index.ts'
import type { FoundSection, SectionSearchOptions } from './search/found-section.ts'
import type { OtherLanguage } from './search/index-part.ts'
import { rerankedSearch } from './search/reranker.ts'
import type { SectionIndexData } from './search/section-index.ts'
import { SegmentedIndex } from './search/segmented-index.ts'
import type { TableReader } from './table-reader.ts'
import { syntaxOf } from './table-reader.ts'
import { AddedWords } from './words/added-words.ts'

/** A change of the folder, as paths of documents. */
export interface DocsChange {
  added: string[]
  changed: string[]
  removed: string[]
}

/** The options of {@link Docs.open}. */
export interface DocsOptions {
  /**
   * The path of a file that keeps the index of a large folder for the next start, with segments beside it, whose names begin with its name.
   * Several processes may use it. @defaultValue in memory
   */
  cache?: string | undefined
  /**
   * Reorders the first 20 sections of each search, such as `TransformersCrossEncoder` of `@x/transformers`. @defaultValue the order of the
   * words
   */
  reranker?: CrossEncoder | undefined
  /**
   * Whether a search that names no document or folder includes a document, by its path: documents that repeat others are left out.
   * @defaultValue all are included
   */
  searches?: ((path: string) => boolean) | undefined
  /** The time without events before changes are read, in milliseconds. @defaultValue 100 */
  quietMs?: number | undefined
  /** Receives the lines of the log. @defaultValue nothing is logged */
  log?: ((line: string) => void) | undefined
  /** @defaultValue `node:fs/promises` */
  fs?: FileSystem | undefined
  /** @defaultValue `watch` of `node:fs` */
  watch?: typeof watch | undefined
  /** The interval at which the folder is read without an event, in milliseconds. @defaultValue 30000, and 2000 if watching failed */
  lookEveryMs?: number | undefined
}

const docsOptions: OptionTable<DocsOptions> = {
  cache: text,
  reranker: having('a cross-encoder', 'predict'),
  searches: callback,
  quietMs: milliseconds(0),
  log: callback,
  fs: unchecked,
  watch: callback,
  lookEveryMs: milliseconds(1),
}

/** The options of {@link Docs.search}. */
interface DocsSearchOptions {
  /** The maximum number of sections. @defaultValue 10 */
  limit?: number | undefined
  /** A document, or a folder whose documents are searched. @defaultValue all documents */
  within?: string | undefined
  /** Whether only sections with a table are returned. @defaultValue false */
  tablesOnly?: boolean | undefined
  /** Whether the words of `ask-words.json` are searched. @defaultValue true */
  addedWords?: boolean | undefined
}

/** The size of the documents from which their index is kept in a file, in bytes. */
const LARGE = 1_000_000
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
 * const [best] = await docs.search('Which color do apples have?')
 * best?.path // => ['Apples']
 * best?.excerpt // => 'They are red.'
 * best?.line // => 7
 * await docs.close()
 */
export class Docs {
  private readonly folder: DocsFolder
  private readonly reranker: CrossEncoder | undefined
  private readonly searches: (path: string) => boolean
  private tables: TableReader | null = null
  private readonly index = new SegmentedIndex()
  private readonly kept: KeptIndex
  private words = new AddedWords()
  private readonly log: (line: string) => void
  private readonly watcher: FolderWatcher
  private readonly reading: RepeatedWork
  private readonly listeners = new Set<(change: DocsChange) => void>()
  private readonly closing = new AbortController()
  private readonly list = new DocumentList()
  /** The stamps of the files that the index contains, by path. */
  private stamps = new Map<string, string>()
  /** The progress of the first reading; null when it is finished. */
  private first: { done: number; total: number } | null = { done: 0, total: 0 }
  private failure: Error | null = null

  /**
   * Opens a folder. It is read in the background: operations wait for it.
   * @throws {DocsFolderError} unless `path` is a folder that can be read.
   */
  static async open(path: string, options: DocsOptions = {}): Promise<Docs> {
    return new Docs(await DocsFolder.open(path, options.fs), options)
  }

  private constructor(folder: DocsFolder, options: DocsOptions) {
    checkOptions('Docs', options, docsOptions)
    const { quietMs = 100, log = () => {}, watch, lookEveryMs } = options
    this.folder = folder
    this.reranker = options.reranker
    this.searches = options.searches ?? (() => true)
    this.log = log
    this.reading = new RepeatedWork(() => this.readOrFail(), quietMs)
    const cache = options.cache === undefined ? null : new IndexCache(options.cache, folder.root)
    this.kept = new KeptIndex(this.index, cache, log)
    this.watcher = new FolderWatcher({
      root: folder.root,
      onEvent: () => this.reading.soon(),
      onProblem: (reason) => log(`The folder cannot be watched (${reason}): it is read every two seconds.`),
      watch,
      lookEveryMs,
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
   * Returns the sections that match a question, best first.
   * @throws {DocsPathError} when the document or folder `within` does not exist.
   * @throws the error of the reranker.
   */
  async search(question: string, options: DocsSearchOptions = {}): Promise<FoundSection[]> {
    await this.upToDate()
    const { limit, within, tablesOnly = false, addedWords = true } = options
    const files = within === undefined ? null : new Set(this.list.within(within).map(({ path }) => path))
    const accepts: SectionSearchOptions['accepts'] = (file, { blocks }) =>
      (files?.has(file) ?? this.searches(file)) && (!tablesOnly || blocks.some(({ kind }) => kind === 'row'))
    return this.reranker
      ? rerankedSearch(this.index, this.reranker, question, { limit, accepts, addedWords })
      : this.index.search(question, { limit, accepts, addedWords })
  }

  /** Returns the words of a question that are in no document, as they are written. Words such as "the" are not among them. */
  async missing(question: string): Promise<string[]> {
    await this.upToDate()
    return this.index.missing(question)
  }

  /** Returns the languages of a question and of the documents, as English words, if they differ; null if they do not, or are not clear. */
  async otherLanguage(question: string): Promise<OtherLanguage | null> {
    await this.upToDate()
    return this.index.otherLanguage(question)
  }

  /** Whether words of readers were added to sections (`ask-words.json`). */
  async hasAddedWords(): Promise<boolean> {
    await this.upToDate()
    return !this.words.isEmpty
  }

  /** Returns the index as it is now, for a page that searches by itself. */
  async indexData(): Promise<SectionIndexData> {
    await this.upToDate()
    return this.index.toJSON()
  }

  /** Returns the tables of a document as it is now, in order. @throws {DocsPathError} when the document does not exist. */
  async tablesOf(path: string): Promise<Table[]> {
    const text = await this.read(path)
    // Loaded only if needed: sections are shown sooner.
    this.tables ??= new (await import('./table-reader.ts')).TableReader()
    return this.tables.tablesOf(this.list.documentAt(path), text)
  }

  /** Returns the table with this id, or null. */
  async table(id: string): Promise<Table | null> {
    await this.upToDate()
    const path = id.replace(/#\d+$/, '')
    if (!this.list.paths.includes(path)) return null
    return (await this.tablesOf(path)).find((table) => table.id === id) ?? null
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
    const { files: listed, skipped } = await this.folder.list((path, identity) => {
      folders.add(path)
      this.watcher.add(path, identity)
    })
    this.words = await AddedWords.read(this.root)
    const files = listed.map((file) => ({ ...file, stamp: file.stamp + this.words.stampOf(file.path) }))
    this.watcher.retain(folders)
    const isFirst = this.first !== null
    const isLarge = files.reduce((sum, { size }) => sum + size, 0) >= LARGE
    if (isFirst) {
      for (const { path, title, lines, stamp } of await this.kept.open(isLarge)) {
        this.list.set({ path, title, lines })
        this.stamps.set(path, stamp)
      }
    }
    const present = new Map(files.map((file) => [file.path, file.stamp]))
    const changed = files.filter(({ path, stamp }) => this.stamps.get(path) !== stamp)
    const before = new Set(this.list.paths)
    for (const path of this.stamps.keys()) if (!present.has(path)) this.forget(path)
    const unreadable = await this.readFiles(changed)
    // Files that cannot be read are tried again whenever the folder is read.
    for (const { path } of unreadable) present.delete(path)
    const isUnchanged = changed.length === unreadable.length && present.size === this.stamps.size
    this.stamps = present
    this.reportSkipped([...skipped, ...unreadable])
    if (!isFirst) {
      this.notify(before, changed)
      return
    }
    this.first = null
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    this.log(
      `${this.list.paths.length} documents, ${changed.length - unreadable.length} of them parsed, in ${seconds} s.`,
    )
    await this.kept.end(!isUnchanged, (path) => this.infoOf(path))
  }

  /** Reads files into the index. Returns those that cannot be read. */
  private async readFiles(files: readonly DocumentFile[]): Promise<SkippedFile[]> {
    const unreadable: SkippedFile[] = []
    const progress = { done: 0, total: files.length }
    if (this.first) this.first = progress
    for (const { path, stamp } of files) {
      this.closing.signal.throwIfAborted()
      try {
        const text = await this.folder.read(path)
        const document = readSections(text, { syntax: syntaxOf(path) })
        this.index.set(path, document, this.words.wordsOf(path, document))
        this.list.set({ path, title: document.title, lines: linesOf(text).length })
        this.stamps.set(path, stamp)
        await this.kept.grow(text.length, (path) => this.infoOf(path))
      } catch (error) {
        if (!(error instanceof DocsPathError)) throw error
        unreadable.push({ path, reason: error.reason })
        this.forget(path)
      }
      progress.done++
    }
    return unreadable
  }

  private infoOf(path: string): FileInfo {
    return { lines: this.list.get(path)?.lines ?? 0, stamp: this.stamps.get(path) ?? '' }
  }

  private forget(path: string): void {
    this.index.delete(path)
    this.list.delete(path)
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
