/**
 * @module
 * Stores unfinished answers in a folder, so that they can be resumed.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FileTaskStore } from '@x/storage/node'
import type { ModelOptions } from '../model/model-options.ts'

/** A question to a model. Contains no key. */
export interface Run {
  version: 3
  /** The id of the run and of the agent's task. Ids of later runs are greater. */
  id: string
  question: string
  /** The absolute path of the folder. */
  folder: string
  model: ModelOptions
}

const RUN_FILE = /\.run\.json$/
/** The maximum number of stored runs; older ones are deleted. */
const KEPT_RUNS = 20

/** The unfinished runs in a folder. */
export class Runs {
  /** Stores the steps of each run. */
  readonly tasks: FileTaskStore
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
    this.tasks = new FileTaskStore(join(folder, 'tasks'))
  }

  /** Saves a new run. Rejects if the folder cannot be written. */
  async begin(run: Run): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    const file = this.file(run.id)
    await writeFile(`${file}.next`, JSON.stringify(run), { mode: 0o600 })
    await rename(`${file}.next`, file)
    for (const id of (await this.ids()).slice(0, -KEPT_RUNS)) await this.end(id)
  }

  /** Returns the last unfinished run, or null. */
  async latest(): Promise<Run | null> {
    const id = (await this.ids()).at(-1)
    if (id === undefined) return null
    const run = JSON.parse(await readFile(this.file(id), 'utf8')) as Run
    return run.version === 3 ? run : null
  }

  /** Deletes a run and its steps. */
  async end(id: string): Promise<void> {
    await this.tasks.delete(id)
    await rm(this.file(id), { force: true })
  }

  private async ids(): Promise<string[]> {
    const names = await readdir(this.folder).catch(() => [])
    return names
      .filter((name) => RUN_FILE.test(name))
      .map((name) => name.replace(RUN_FILE, ''))
      .sort()
  }

  private file(id: string): string {
    return join(this.folder, `${id}.run.json`)
  }
}
