/// <reference types="node" />
/**
 * @module
 * Saved tasks in a folder, one JSON file each.
 */
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
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

  /** @param folder - made when it does not exist. */
  constructor(folder: string) {
    this.folder = folder
  }

  async save(taskId: string, task: SavedTask): Promise<void> {
    await mkdir(this.folder, { recursive: true })
    const path = this.path(taskId)
    const next = `${path}.next`
    const file = await open(next, 'w')
    try {
      await file.writeFile(JSON.stringify(task))
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
      return JSON.parse(text)
    } catch (cause) {
      throw new SavedTaskError(`Saved task: ${this.path(taskId)} holds no JSON.`, { cause })
    }
  }

  async delete(taskId: string): Promise<void> {
    await rm(this.path(taskId), { force: true })
  }

  /** Ids may hold anything; file names may not. */
  private path(taskId: string): string {
    const name = encodeURIComponent(taskId).replace(
      /[*.]/g,
      (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
    )
    return join(this.folder, `${name}.json`)
  }
}
