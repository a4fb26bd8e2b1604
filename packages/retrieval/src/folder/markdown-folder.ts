/**
 * @module
 * The Markdown files of a folder as documents.
 */
import { callback, callOptions, checkOptions, having, milliseconds, type OptionTable } from '@x/core/options'
import { Document } from '@x/core-model'
import { untilLeft } from '@x/core-model/async'
import type { CancelOptions } from '../retriever.ts'
import {
  DocsFolder,
  DocsPathError,
  type DocumentFile,
  type FileSystem,
  isMissing,
  type SkippedFile,
} from './docs-folder.ts'
import { FolderWatcher, type WatcherOptions } from './folder-watcher.ts'
import { RepeatedWork } from './repeated-work.ts'

/** The options of {@link readMarkdownFolder}. */
interface FolderOptions extends CancelOptions {
  /** Returns the metadata of a document. @defaultValue none */
  metadata?: ((path: string) => Record<string, unknown>) | undefined
  /**
   * Called for each file that is not read. With an `error`, such as a missing permission or text that is not UTF-8, it could not be read
   * this time: let `removeMissing` of an ingestion keep its document, or those of a folder, which is not read either if its
   * ignore file cannot be read. Without, it is never read: a symbolic link, or a file that is too large.
   * @defaultValue `readMarkdownFolder` throws that error, `watchMarkdownFolder` reports nothing
   */
  onSkip?: ((file: SkippedFile) => void) | undefined
  /** @defaultValue `node:fs/promises` */
  fs?: FileSystem | undefined
}

const folderOptions: OptionTable<FolderOptions> = {
  metadata: callback,
  onSkip: callback,
  fs: having('a file system', 'readdir', 'open'),
  signal: callOptions.signal,
}

/** The options of {@link watchMarkdownFolder}. */
interface WatchOptions extends FolderOptions, Partial<Pick<WatcherOptions, 'watch' | 'lookEveryMs' | 'onProblem'>> {
  /** The time without events before changes are read, in milliseconds. @defaultValue 100 */
  quietMs?: number | undefined
}

const watchOptions: OptionTable<WatchOptions> = {
  ...folderOptions,
  watch: callback,
  lookEveryMs: milliseconds(),
  onProblem: callback,
  quietMs: milliseconds(),
}

/** What changed in a folder. */
export interface WatchedFolder {
  /** The documents that are new or whose file was written. */
  documents: Document[]
  /** The ids of the documents that do not exist any more. */
  removed: string[]
}

/**
 * Returns the Markdown files of a folder (`.md`, `.mdx`, `.markdown`), at any depth, as documents sorted by path. Their id is the path
 * within the folder, with `/`. Hidden files, `node_modules`, symbolic links and what `.gitignore` and `.ignore` name are left out; files
 * above 8 MB are skipped.
 * @throws {DocsFolderError} unless `path` is a folder that can be read, with its own ignore file.
 * @throws {DocsPathError} for a file that cannot be read, without `onSkip`: `removeMissing` of an ingestion would remove its document.
 * @example
 * import { mkdtemp, writeFile } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import { join } from 'node:path'
 *
 * const folder = await mkdtemp(join(tmpdir(), 'docs-'))
 * await writeFile(join(folder, 'fruit.md'), '# Pears')
 * const documents = await readMarkdownFolder(folder)
 * documents.map(({ id, text }) => [id, text]) // => [['fruit.md', '# Pears']]
 */
export async function readMarkdownFolder(path: string, options: FolderOptions = {}): Promise<Document[]> {
  checkOptions('readMarkdownFolder', options, folderOptions)
  const { onSkip = throwError } = options
  const reader = new FolderReader(await DocsFolder.open(path, options.fs), { ...options, onSkip })
  return (await reader.changes()).documents
}

function throwError({ error }: SkippedFile): void {
  if (error) throw error
}

/**
 * Yields all documents of a folder, then what changed each time that files are written or deleted, until it is cancelled or stopped. Files
 * whose size and times did not change are not read again. Where the system reports no changes, they are looked for every few seconds. While
 * the folder itself does not exist, nothing is yielded. A document whose file cannot be read for a time stays. A program that waits for the
 * next change does not end.
 * @throws {DocsFolderError} unless `path` is a folder that can be read at the start.
 */
export function watchMarkdownFolder(
  path: string,
  options: WatchOptions = {},
): AsyncGenerator<WatchedFolder, void, undefined> {
  return untilLeft(options.signal, (signal) => watched(path, { ...options, signal }))
}

async function* watched(path: string, options: WatchOptions): AsyncGenerator<WatchedFolder, void, undefined> {
  checkOptions('watchMarkdownFolder', options, watchOptions)
  const { signal, quietMs = 100, watch, lookEveryMs, onProblem = () => {} } = options
  const folder = await DocsFolder.open(path, options.fs)
  const ready: WatchedFolder[] = []
  let failure: { error: unknown } | undefined
  let wake = () => {}
  const reading = new RepeatedWork(async () => {
    try {
      const change = await reader.changes()
      if (isFirst || change.documents.length + change.removed.length > 0) ready.push(change)
      isFirst = false
    } catch (error) {
      // A folder that is gone may come back, or is back already.
      if (await folder.exists()) {
        if (isMissing(error)) reading.soon()
        else failure = { error }
      }
    }
    wake()
  }, quietMs)
  let isFirst = true
  const watcher = new FolderWatcher({ root: folder.root, onEvent: () => reading.soon(), onProblem, watch, lookEveryMs })
  const reader = new FolderReader(folder, options, watcher)
  const stop = () => wake()
  signal?.addEventListener('abort', stop)
  try {
    reading.now()
    for (;;) {
      signal?.throwIfAborted()
      if (failure !== undefined) throw failure.error
      const next = ready.shift()
      if (next !== undefined) yield next
      else {
        const running = setInterval(() => {}, 2 ** 30)
        await new Promise<void>((resolve) => {
          wake = resolve
          if (ready.length > 0 || failure !== undefined || signal?.aborted === true) resolve()
        })
        clearInterval(running)
      }
    }
  } finally {
    signal?.removeEventListener('abort', stop)
    watcher.close()
    await reading.close()
  }
}

/** Reads what changed in a folder since the last time. */
class FolderReader {
  private readonly folder: DocsFolder
  private readonly options: FolderOptions
  private readonly watcher: FolderWatcher | null
  /** The stamps of the files that were read, by path. */
  private stamps = new Map<string, string>()

  constructor(folder: DocsFolder, options: FolderOptions, watcher: FolderWatcher | null = null) {
    this.folder = folder
    this.options = options
    this.watcher = watcher
  }

  async changes(): Promise<WatchedFolder> {
    const { onSkip = () => {}, signal } = this.options
    const folders = new Set<string>()
    const { files, skipped } = await this.folder.list((path, identity) => {
      folders.add(path)
      this.watcher?.add(path, identity)
    })
    this.watcher?.retain(folders)
    const unread = new Set<string>()
    const skip = (file: SkippedFile): void => {
      if (file.error) unread.add(file.path)
      onSkip(file)
    }
    for (const file of skipped) skip(file)
    const stamps = new Map<string, string>()
    const documents: Document[] = []
    for (const file of files) {
      signal?.throwIfAborted()
      const isKnown = this.stamps.get(file.path) === file.stamp
      const document = isKnown ? null : await this.documentOf(file, skip)
      if (isKnown || document !== null) stamps.set(file.path, file.stamp)
      if (document !== null) documents.push(document)
    }
    const removed: string[] = []
    for (const [path, stamp] of this.stamps) {
      if (isWithin(unread, path)) stamps.set(path, stamp)
      else if (!stamps.has(path)) removed.push(path)
    }
    this.stamps = stamps
    return { documents, removed }
  }

  private async documentOf({ path }: DocumentFile, skip: (file: SkippedFile) => void): Promise<Document | null> {
    try {
      return new Document({
        id: path,
        text: await this.folder.read(path),
        metadata: this.options.metadata?.(path) ?? {},
      })
    } catch (error) {
      if (!(error instanceof DocsPathError)) throw error
      skip({ path, reason: error.reason, error: isMissing(error) ? undefined : error })
      return null
    }
  }
}

/** Whether a path, or a folder that contains it, is one of these. */
function isWithin(paths: ReadonlySet<string>, path: string): boolean {
  return paths.has(path) || (path.includes('/') && isWithin(paths, path.slice(0, path.lastIndexOf('/'))))
}
