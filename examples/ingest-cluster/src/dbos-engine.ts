/**
 * DBOS: a queue in the database, from which the workers take documents.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { DBOSClient, type DBOSConfig } from '@dbos-inc/dbos-sdk'
import type { Document } from '@x/core-model'
import { IngestionRuns, type IngestionState } from '@x/dbos/client'
import type { Addresses, Engine } from './engine.ts'

export class DbosEngine implements Engine {
  private readonly workerConcurrency: number
  private processes!: DbosWorkers
  private dbos!: DBOSClient
  private runs!: IngestionRuns

  constructor(workerConcurrency: number) {
    this.workerConcurrency = workerConcurrency
  }

  get workers(): readonly string[] {
    return this.processes.names
  }

  get kills(): number {
    return this.processes.kills
  }

  get takenOver(): number {
    return this.processes.takenOver
  }

  async start(addresses: Addresses): Promise<void> {
    const { workerConcurrency } = this
    this.processes = new DbosWorkers(addresses)
    // The first worker creates the tables of DBOS.
    await this.processes.start()
    this.dbos = await DBOSClient.create({
      systemDatabaseUrl: addresses.connectionString,
      applicationName: APPLICATION,
      logger: silent,
    })
    await this.dbos.registerQueue(QUEUE, { workerConcurrency, minPollingIntervalMs: 100 })
    this.runs = new IngestionRuns({ dbos: this.dbos, workflow: WORKFLOW, queue: QUEUE, pollingIntervalMs: 500 })
  }

  startWorker(): Promise<void> {
    return this.processes.start()
  }

  killWorker(): Promise<void> {
    return this.processes.killOne()
  }

  async ingest(
    run: string,
    documents: Iterable<Document>,
    onState: (state: IngestionState) => void,
  ): Promise<IngestionState> {
    await this.runs.submit(documents, { run })
    return this.runs.finished(run, { onProgress: onState })
  }

  async stop(): Promise<void> {
    await this.processes?.stop()
    await this.dbos?.destroy()
  }
}

/** The workers of a cluster: processes that share a queue. */
class DbosWorkers {
  /** The number of killed workers. */
  kills = 0
  /** The number of documents that were taken over from dead workers. */
  takenOver = 0
  private readonly options: Addresses
  private readonly alive = new Map<string, ChildProcess>()
  private started = 0

  constructor(options: Addresses) {
    this.options = options
  }

  /** The names of the workers that are alive. */
  get names(): string[] {
    return [...this.alive.keys()]
  }

  /** Starts a worker with a new name, and waits until it is ready. */
  async start(): Promise<void> {
    const executorID = `worker-${++this.started}`
    const program = fileURLToPath(new URL('./dbos-worker.ts', import.meta.url))
    // DBOS uses a call of pg that is deprecated.
    const flags = ['--no-deprecation', '--conditions=@x/source']
    const options: WorkerOptions = { ...this.options, executorID }
    const child = spawn(process.execPath, [...flags, program, JSON.stringify(options)], {
      // A worker ends when its input ends, which happens when this process ends.
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.alive.set(executorID, child)
    const lines = createInterface(child.stdout)
    lines.on('line', (line) => {
      this.takenOver += Number(/^took over (\d+)/.exec(line)?.[1] ?? 0)
    })
    const failed = once(child, 'exit').then(() => {
      throw new Error(`${executorID} ended before it was ready`)
    })
    failed.catch(() => {})
    await Promise.race([once(lines, 'line'), failed])
  }

  /** Kills the oldest worker. */
  async killOne(): Promise<void> {
    const [name] = this.names
    if (name === undefined) return
    await this.end(name)
    this.kills++
  }

  async stop(): Promise<void> {
    await Promise.all(this.names.map((name) => this.end(name)))
  }

  private async end(name: string): Promise<void> {
    const child = this.alive.get(name)!
    this.alive.delete(name)
    if (child.exitCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}

/** The name of the workflow and of its queue. */
export const WORKFLOW = 'ingest'
const QUEUE = 'documents'
export const APPLICATION = 'ingest-cluster'

/**
 * The time without a report after which a worker counts as dead, in milliseconds. It is short, so that the example shows takeovers soon.
 */
export const DEAD_AFTER_MS = 2000

/** The arguments of a worker. */
export interface WorkerOptions extends Addresses {
  executorID: string
}

/** A logger that writes nothing; without it, DBOS writes to the console. */
const silent = { info() {}, debug() {}, warn() {}, error() {} }

export function dbosConfig(systemDatabaseUrl: string, executorID: string): DBOSConfig {
  return { name: APPLICATION, systemDatabaseUrl, executorID, applicationVersion: '1', logger: silent }
}
