/// <reference types="node" />
/**
 * @module
 * Stores the journals of agent tasks in a directory, one file per task.
 */
import { createHash, randomUUID } from 'node:crypto'
import { link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { checkGiven, list, text as string } from '@x/core/options'
import { errorMessage } from '@x/core/values'
import {
  readJsonText,
  type TaskBlobs,
  type TaskFilter,
  type TaskStore,
  type TaskSummary,
  taskFacts,
  writeJsonText,
} from '@x/core-model'
import { mapConcurrently } from '@x/core-model/async'
import { safeName } from '@x/core-model/data'
import { damagedRecord, StoreReadError, writing } from './errors.ts'
import { isMissing, syncDirectory } from './json-file.ts'

/** The valid entries of a file, and its size in bytes. */
interface Journal {
  entries: unknown[]
  size: number
  /** Whether the last line is complete. */
  endsWithLine: boolean
  /** The ids of the writes, by revision. */
  writers: Map<number, string>
}

/** One line of a file: entries that were appended together. */
interface Line {
  /** The revision: the number of entries before this line. */
  r: number
  /** The id of the write. */
  w: string
  e: unknown[]
}

/** What a list says of a file. */
interface ListedFile {
  path: string
  /** Changes with the file. */
  mark: string | undefined
  /** In milliseconds since 1970. */
  created: number
  /** Undefined if the file has no task. */
  summary: TaskSummary | undefined
  isActive: boolean
}

/** The number of files that a list looks at together. */
const MOST_LOOKS = 16

const START_OF_LINE = '{"r":'

/**
 * Stores the journal of each task of an agent in its own file; pass it to a runner as `taskStore`. Each call of `append` writes one line
 * and flushes it to the disk. Several processes may use the same directory: if two append at the same revision, the first line in the
 * file is valid, and the other process gets an error. An incomplete last line, as after a power failure, is ignored. Strings above 64 kB
 * are files of their own, which tasks share by hard links where the file system has them. A file that is damaged stops its own task alone.
 * @example
 * import { mkdtemp } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import { FileTaskStore } from '@x/storage/node'
 * const store = new FileTaskStore(await mkdtemp(`${tmpdir()}/tasks-`))
 * await store.append('t1', [{ type: 'task' }], 0) // => true
 * await store.append('t1', [{ type: 'undo' }], 0) // => false
 * await store.load('t1') // => [{ type: 'task' }]
 * await store.load('t2') // => null
 */
export class FileTaskStore implements TaskStore {
  readonly folder: string
  readonly blobs: TaskBlobs = {
    put: (taskId, blobs) =>
      this.inTurn(this.blobFolder(taskId), (own) => writing(own, () => this.putBlobs(own, blobs))),
    get: (taskId, hashes) => this.inTurn(this.blobFolder(taskId), (own) => readBlobs(own, hashes, taskId)),
  }
  /** The last operation on each file; operations on the same file run one after the other. */
  private readonly pending = new Map<string, Promise<unknown>>()
  /** The revision and the size of each file after the last operation of this store. */
  private readonly known = new Map<string, { revision: number; size: number }>()
  /** The files by their paths, as the last list found them. */
  private listed: ReadonlyMap<string, ListedFile> = new Map()

  /** @param folder - created when it does not exist. */
  constructor(folder: string) {
    this.folder = folder
  }

  /**
   * Adds entries to the journal of a task, if exactly `revision` entries are stored.
   * @returns false if the number is different; nothing is stored then.
   */
  append(taskId: string, entries: readonly object[], revision: number): Promise<boolean> {
    checkGiven('append', { entries }, list)
    const line: Line = { r: revision, w: randomUUID(), e: [...entries] }
    const text = `${writeJsonText(line)}\n`
    return this.inTurn(this.path(taskId), (path) => this.appendLine(path, line, text))
  }

  private async appendLine(path: string, { r, w, e }: Line, text: string): Promise<boolean> {
    const { known, prefix } = await this.endOf(path, r)
    if (known.revision !== r) return false
    const isNew = known.size === 0
    const bytes = Buffer.from(prefix + text)
    // Of a line that is not complete, as on a full disk, nothing is read.
    const size = await writing(path, async () => {
      if (isNew) await mkdir(dirname(path), { recursive: true })
      const file = await open(path, 'a')
      try {
        await file.writeFile(bytes)
        await file.datasync()
        return (await file.stat()).size
      } finally {
        await file.close()
      }
    })
    if (isNew) await syncDirectory(dirname(path))
    if (size !== known.size + bytes.length) {
      // Another process wrote at the same time: the first line of the revision is valid. Its lines may also follow this one.
      this.known.delete(path)
      const journal = await readJournalFile(path)
      return journal.writers.get(r) === w
    }
    this.known.set(path, { revision: r + e.length, size })
    return true
  }

  /** Returns the end of a file, from memory if no other process has written since. `prefix` ends an incomplete line. */
  private async endOf(path: string, revision: number) {
    const known = this.known.get(path)
    if (known?.revision === revision && (await sizeOf(path)) === known.size) return { known, prefix: '' }
    const journal = await readJournalFile(path)
    const end = { revision: journal.entries.length, size: journal.size }
    return { known: end, prefix: journal.endsWithLine ? '' : '\n' }
  }

  /**
   * Returns the entries of a task, or null if the task does not exist.
   * @throws {StoreReadError} if the file cannot be read, lacks entries, or contains another task.
   */
  async load(taskId: string): Promise<unknown[] | null> {
    const { entries } = await this.inTurn(this.path(taskId), (path) => readJournalFile(path, taskId))
    return entries.length > 0 ? entries : null
  }

  /**
   * Returns the tasks, in order of creation. Only the files that have changed since the last call are read. A damaged file is listed as an
   * active task without conversation and entries, under the id that its name has; `load` throws its error.
   */
  async list({ unfinished = false, conversationId, active = false }: TaskFilter = {}): Promise<TaskSummary[]> {
    const names = await namesIn(this.folder)
    const all = await mapConcurrently(names, MOST_LOOKS, (name) => this.listedFile(join(this.folder, name)))
    this.listed = new Map(all.map((file) => [file.path, file]))
    return all
      .sort((a, b) => a.created - b.created)
      .flatMap(({ summary, isActive }) => {
        if (!summary || ((unfinished || active) && summary.isFinished) || (active && !isActive)) return []
        return conversationId === undefined || summary.conversationId === conversationId ? [{ ...summary }] : []
      })
  }

  private async listedFile(path: string): Promise<ListedFile> {
    const file = await stat(path).catch(withoutFile)
    const mark = file ? `${file.ino} ${file.size} ${file.mtimeMs}` : ''
    const known = this.listed.get(path)
    if (known && known.mark === mark) return known
    const created = file?.birthtimeMs ?? 0
    try {
      const { entries } = await this.inTurn(path, () => readJournalFile(path))
      const { isActive = false } = taskFacts(entries)
      return { path, mark, created, summary: summaryOf(entries), isActive }
    } catch (error) {
      const { taskId, cause } = error as Partial<StoreReadError>
      if (!taskId) throw error
      const summary = { taskId, conversationId: null, isFinished: false, revision: 0 }
      // What the system refuses to read may be readable later, although the file does not change.
      return { path, mark: cause === undefined ? mark : undefined, created, summary, isActive: true }
    }
  }

  /** Deletes the journal of a task, after all earlier operations on it, and the strings that no other task has. */
  async delete(taskId: string): Promise<void> {
    await this.inTurn(this.path(taskId), async (path) => {
      this.known.delete(path)
      await removed(path)
    })
    await this.deleteBlobs(taskId)
  }

  /** Writes the blobs of a task. A blob that another task has is a second name of the same file. */
  private async putBlobs(own: string, blobs: ReadonlyMap<string, string>): Promise<void> {
    await mkdir(own, { recursive: true })
    await mkdir(this.sharedFolder, { recursive: true })
    for (const [hash, content] of blobs) {
      const path = join(own, blobName(hash))
      const shared = join(this.sharedFolder, hash)
      if ((await exists(path)) || (await linked(shared, path))) continue
      const unfinished = `${path}.${randomUUID()}`
      const file = await open(unfinished, 'w')
      try {
        await file.writeFile(content)
        await file.datasync()
      } finally {
        await file.close()
      }
      await rename(unfinished, path)
      await linked(path, shared)
    }
    await syncDirectory(own)
  }

  /** Receives an id instead of a folder: nobody deletes another folder with it. */
  private async deleteBlobs(taskId: string): Promise<void> {
    await this.inTurn(this.blobFolder(taskId), async (own) => {
      const hashes = await filesIn(own).catch(() => [])
      await removed(own)
      for (const hash of hashes) {
        const shared = join(this.sharedFolder, hash)
        // A task that gets the blob at the same time has a name of its own for it, or writes it again.
        if ((await linksOf(shared)) === 1) await rm(shared, { force: true })
      }
    })
  }

  private async inTurn<T>(path: string, work: (path: string) => Promise<T>): Promise<T> {
    const before = this.pending.get(path)
    const done = (async () => {
      // The caller of the earlier operation handles its error.
      await before?.catch(() => {})
      return work(path)
    })()
    this.pending.set(path, done)
    try {
      return await done
    } finally {
      if (this.pending.get(path) === done) this.pending.delete(path)
    }
  }

  private path(taskId: string): string {
    return join(this.folder, nameOf(taskId))
  }

  /** The blobs of a task. */
  private blobFolder(taskId: string): string {
    return join(this.folder, `${fileName(taskId)}.blobs`)
  }

  /** The blobs of all tasks. */
  private get sharedFolder(): string {
    return join(this.folder, 'blobs')
  }
}

const blobName = (hash: string) => safeName('TaskBlobs.hash', hash, { as: 'hash' })

/** Removes a file, or a folder with what is in it. */
const removed = (path: string) => writing(path, () => rm(path, { recursive: true, force: true }))

async function readBlobs(own: string, hashes: readonly string[], taskId: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const hash of hashes) {
    const path = join(own, blobName(hash))
    try {
      found.set(hash, await readFile(path, 'utf8'))
    } catch (cause) {
      if (!isMissing(cause)) throw unreadable(path, taskId, cause)
    }
  }
  return found
}

/** Adds a second name to a file. Returns false if that is not possible. */
async function linked(path: string, name: string): Promise<boolean> {
  try {
    await link(path, name)
    return true
  } catch {
    return false
  }
}

const linksOf = async (path: string): Promise<number> => (await stat(path).catch(withoutFile))?.nlink ?? 0

const exists = async (path: string): Promise<boolean> => (await linksOf(path)) > 0

/** The system refuses any file for a while: the task is not damaged. */
const PASSING: readonly unknown[] = ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN']

function unreadable(path: string, taskId: string, cause: unknown): StoreReadError {
  if (PASSING.includes(Object(cause).code)) return new StoreReadError(path, 'the file cannot be read', { cause })
  return damagedRecord({ path, taskId }, errorMessage(cause), cause)
}

/** @throws {StoreReadError} if the file cannot be read, is not a journal, lacks entries, or contains another task. */
async function readJournalFile(path: string, taskId = idOfFile(path)): Promise<Journal> {
  const journal: Journal = { entries: [], size: 0, endsWithLine: true, writers: new Map() }
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (cause) {
    if (isMissing(cause)) return journal
    throw unreadable(path, taskId, cause)
  }
  const text = bytes.toString()
  journal.size = bytes.length
  journal.endsWithLine = text === '' || text.endsWith('\n')
  const damaged = (reason: string) => damagedRecord({ path, taskId }, reason)
  if (text !== '' && !START_OF_LINE.startsWith(text.slice(0, START_OF_LINE.length)))
    throw damaged('the file is not a journal')
  const lines = text.split('\n')
  for (const [index, lineText] of lines.entries()) {
    const line = readLine(lineText)
    // The next append ends an incomplete line, so that the last line that has an end is complete.
    if (line === null && journal.endsWithLine && index === lines.length - 2)
      throw damaged(`line ${index + 1} is not JSON`)
    if (line && lineText.includes('\ufffd') && !bytes.includes(lineText))
      throw damaged(`line ${index + 1} is not UTF-8`)
    // An incomplete line, or the second of two lines at the same revision.
    if (!line || line.r < journal.entries.length) continue
    if (line.r > journal.entries.length)
      throw damaged(`line ${index + 1}: expected entry ${journal.entries.length}, received ${line.r}`)
    journal.writers.set(line.r, line.w)
    journal.entries.push(...line.e)
  }
  const { taskId: own = taskId } = summaryOf(journal.entries) ?? {}
  if (nameOf(own) !== basename(path)) throw damaged(`the file contains the task ${JSON.stringify(own)}`)
  return journal
}

/** Returns the entries of a line; null if it is not JSON, undefined if it is something else. */
function readLine(text: string): Line | null | undefined {
  try {
    const line = readJsonText(text) as Partial<Line> | null
    return Number.isInteger(line?.r) && Array.isArray(line?.e) ? (line as Line) : undefined
  } catch {
    return null
  }
}

function summaryOf(entries: readonly unknown[]): TaskSummary | undefined {
  const [first] = entries as { task?: { task?: { task_id?: unknown } } }[]
  if (!first?.task) return undefined
  const { conversationId = null, isFinished = false } = taskFacts(entries)
  return { taskId: String(first.task.task?.task_id), conversationId, isFinished, revision: entries.length }
}

const namesIn = async (folder: string) => (await filesIn(folder)).filter((name) => name.endsWith('.jsonl'))

async function filesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw new StoreReadError(folder, `the folder cannot be read: ${errorMessage(error)}`, { cause: error })
  }
}

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(withoutFile))?.size ?? 0

function withoutFile(error: unknown): undefined {
  if (!isMissing(error)) throw error
}

/** The name of the journal of a task. */
const nameOf = (taskId: string): string => `${fileName(taskId)}.jsonl`

/** The id of the task whose journal has this path; of an id that is too long for a name, the name. */
const idOfFile = (path: string): string =>
  basename(path, '.jsonl').replace(/%([\da-f]{4})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )

/** Encodes an id as a file name: some file systems ignore case, and most allow 255 bytes. */
function fileName(taskId: string): string {
  checkGiven('FileTaskStore', { taskId }, string)
  const name = taskId.replace(/[^a-z0-9_-]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  if (name.length <= 200) return name
  const hash = createHash('sha256').update(Buffer.from(taskId, 'utf16le')).digest('hex')
  return `${name.slice(0, 100)}=${hash}`
}
