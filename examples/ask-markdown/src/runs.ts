/**
 * @module
 * Stores unfinished runs in a folder, so that a run can be resumed.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Document } from '@x/core-model'
import { FileTaskStore } from '@x/storage/node'
import type { ModelOptions } from './model/model-options.ts'

/** The parameters of a run. */
export interface Run {
  version: 2
  /** The id of the run and of the agent's task. Ids of later runs are greater. */
  id: string
  question: string
  /** Empty for the project's own documentation. */
  paths: string[]
  /** The folder that paths and places refer to. */
  folder: string
  /** Null for the stand-in. */
  model: ModelOptions | null
  /** The embedding model. Null for search by words alone. */
  embedding: ModelOptions | null
  /** The file that keeps the parsed documents. Null for none. */
  store: string | null
  /** The fingerprint of the documents, to detect changes. Null until they are read. */
  fingerprint: string | null
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
    await mkdir(this.folder, { recursive: true })
    const file = this.file(run.id)
    await writeFile(`${file}.next`, JSON.stringify(run))
    await rename(`${file}.next`, file)
    for (const id of (await this.ids()).slice(0, -KEPT_RUNS)) await this.end(id)
  }

  /** Returns the last unfinished run, or null. */
  async latest(): Promise<Run | null> {
    const id = (await this.ids()).at(-1)
    if (id === undefined) return null
    const run = JSON.parse(await readFile(this.file(id), 'utf8')) as Run
    return run.version === 2 ? run : null
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

/** Returns a hash of the documents, which changes when a document changes. */
export function fingerprintOf(documents: readonly Document[]): string {
  const hash = createHash('sha256')
  for (const { id, text } of documents) hash.update(JSON.stringify([id, text]))
  return hash.digest('hex')
}
