/**
 * DBOS: a queue in the database, from which the workers take documents.
 */
import { DBOSClient } from '@dbos-inc/dbos-sdk'
import type { Document } from '@x/core-model'
import { IngestionRuns, type IngestionState } from '@x/dbos/client'
import { APPLICATION, QUEUE, silent, WORKFLOW } from './dbos-options.ts'
import { DbosWorkers } from './dbos-workers.ts'
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
