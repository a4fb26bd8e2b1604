/// <reference types="node" />
/**
 * @module
 * Saved tasks in a folder, one JSON file each.
 */
import { createHash } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readJsonText, writeJsonText } from '@x/core-model'
import { SavedTaskError } from '../errors.ts'
import type { SavedTask, TaskStore } from './saved-task.ts'

/**
 * Keeps each task in a file of its own. A file is either the old state or the new one, also when the process is killed
 * while it writes.
 * @example
 * const agentWorker = new ReActAgentWorker({ llm: new ScriptedLLM() })
 * const runner = new AgentRunner({ agentWorker, taskStore: new FileTaskStore('./tasks') })
 */
export class FileTaskStore implements TaskStore {
  readonly folder: string
  /** What is under way, by file: each waits for the one before. */
  private readonly writing = new Map<string, Promise<void>>()

  /** @param folder - made when it does not exist. */
  constructor(folder: string) {
    this.folder = folder
  }

  save(taskId: string, task: SavedTask): Promise<void> {
    const text = writeJsonText(task)
    return this.inTurn(this.path(taskId), (path) => this.write(path, text))
  }

  private async write(path: string, text: string): Promise<void> {
    await mkdir(this.folder, { recursive: true })
    const next = `${path}.next`
    const file = await open(next, 'w')
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(next, path)
  }

  /** @throws {SavedTaskError} when the file holds no JSON. */
  async load(taskId: string): Promise<unknown> {
    let text: string
    try {
      text = await readFile(this.path(taskId), 'utf8')
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT') return null
      throw error
    }
    try {
      return readJsonText(text)
    } catch (cause) {
      throw new SavedTaskError(`Saved task: ${this.path(taskId)} holds no JSON.`, { cause })
    }
  }

  delete(taskId: string): Promise<void> {
    return this.inTurn(this.path(taskId), (path) => rm(path, { force: true }))
  }

  private async inTurn(path: string, work: (path: string) => Promise<void>): Promise<void> {
    const before = this.writing.get(path)
    const done = (async () => {
      // Whoever asked for it has been told of its failure.
      await before?.catch(() => {})
      await work(path)
    })()
    this.writing.set(path, done)
    try {
      await done
    } finally {
      if (this.writing.get(path) === done) this.writing.delete(path)
    }
  }

  private path(taskId: string): string {
    return join(this.folder, `${fileName(taskId)}.json`)
  }
}

/** Ids may hold anything, names of files may not; some file systems take `A` for `a`, and names of 255 bytes at most. */
function fileName(taskId: string): string {
  const name = taskId.replace(/[^a-z0-9_-]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  if (name.length <= 200) return name
  const hash = createHash('sha256').update(Buffer.from(taskId, 'utf16le')).digest('hex')
  return `${name.slice(0, 100)}=${hash}`
}
