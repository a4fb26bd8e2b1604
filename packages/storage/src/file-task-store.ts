/// <reference types="node" />
/**
 * @module
 * Saved tasks of agents in a directory, one JSON file each.
 */
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isToolkitError, writeJsonText } from '@x/core-model'
import { isMissing, readJsonFile, writeWhole } from './json-file.ts'

/**
 * Stores each task of an agent in its own file: the `taskStore` of a runner. Files are written atomically.
 * @example
 * import { mkdtemp } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import { FileTaskStore } from '@x/storage/node'
 * const store = new FileTaskStore(await mkdtemp(`${tmpdir()}/tasks-`))
 * await store.save('t1', { version: 1 })
 * await store.load('t1') // => { version: 1 }
 * await store.load('t2') // => null
 */
export class FileTaskStore {
  readonly folder: string
  /** The last operation on each file; operations on one file run one after the other. */
  private readonly pending = new Map<string, Promise<void>>()

  /** @param folder - created when it does not exist. */
  constructor(folder: string) {
    this.folder = folder
  }

  /** Writes a task, after all earlier operations on it. */
  save(taskId: string, task: object): Promise<void> {
    const text = writeJsonText(task)
    return this.inTurn(this.path(taskId), (path) => writeWhole(path, text))
  }

  /**
   * Returns a task, or null if there is none with this id.
   * @throws {StoreReadError} when the file cannot be read, or is not JSON.
   */
  async load(taskId: string): Promise<unknown> {
    try {
      return await readJsonFile(this.path(taskId))
    } catch (error) {
      if (isToolkitError(error, 'store_read') && isMissing(error.cause)) return null
      throw error
    }
  }

  /** Deletes the file of a task, after all earlier operations on it. */
  delete(taskId: string): Promise<void> {
    return this.inTurn(this.path(taskId), (path) => rm(path, { force: true }))
  }

  private async inTurn(path: string, work: (path: string) => Promise<unknown>): Promise<void> {
    const before = this.pending.get(path)
    const done = (async () => {
      // The caller of the earlier operation has received its error.
      await before?.catch(() => {})
      await work(path)
    })()
    this.pending.set(path, done)
    try {
      await done
    } finally {
      if (this.pending.get(path) === done) this.pending.delete(path)
    }
  }

  private path(taskId: string): string {
    return join(this.folder, `${fileName(taskId)}.json`)
  }
}

/** Ids may contain anything. Names of files may not: some file systems ignore case, and most allow 255 bytes. */
function fileName(taskId: string): string {
  const name = taskId.replace(/[^a-z0-9_-]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  if (name.length <= 200) return name
  const hash = createHash('sha256').update(Buffer.from(taskId, 'utf16le')).digest('hex')
  return `${name.slice(0, 100)}=${hash}`
}
