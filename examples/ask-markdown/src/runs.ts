/**
 * @module
 * Unfinished runs in a folder, so that a run that was killed can go on.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FileTaskStore } from '@x/agents/node'
import type { Document } from '@x/core-model'
import type { ServerOptions } from './arguments.ts'

/** What is needed to do the same again. */
export interface Run {
  version: 1
  /** Also the id of the agent's task. Later runs have greater ids. */
  id: string
  question: string
  /** None for the project's own documentation. */
  paths: string[]
  /** Paths and places are relative to it. */
  folder: string
  server: ServerOptions | null
  /** Of the documents: the steps of a run count for these only. Null until they are read. */
  fingerprint: string | null
}

const RUN_FILE = /\.run\.json$/
/** Older ones are forgotten. */
const KEPT_RUNS = 20

/** The runs of a folder. Only unfinished ones are kept. */
export class Runs {
  /** Keeps the steps of each run. */
  readonly tasks: FileTaskStore
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
    this.tasks = new FileTaskStore(join(folder, 'tasks'))
  }

  /** Notes that a run begins. Fails when nothing can be written there. */
  async begin(run: Run): Promise<void> {
    await mkdir(this.folder, { recursive: true })
    const file = this.file(run.id)
    await writeFile(`${file}.next`, JSON.stringify(run))
    await rename(`${file}.next`, file)
    for (const id of (await this.ids()).slice(0, -KEPT_RUNS)) await this.end(id)
  }

  /** The last run that began and did not end; null when there is none. */
  async latest(): Promise<Run | null> {
    const id = (await this.ids()).at(-1)
    if (id === undefined) return null
    const run = JSON.parse(await readFile(this.file(id), 'utf8')) as Run
    return run.version === 1 ? run : null
  }

  /** Forgets a run and its steps. */
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

/** Changes whenever a document changes. */
export function fingerprintOf(documents: readonly Document[]): string {
  const hash = createHash('sha256')
  for (const { id, text } of documents) hash.update(JSON.stringify([id, text]))
  return hash.digest('hex')
}
