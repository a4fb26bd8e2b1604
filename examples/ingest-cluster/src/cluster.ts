/**
 * A database, a model server and workers; documents are ingested while workers are killed.
 */
import { DBOSClient } from '@dbos-inc/dbos-sdk'
import { IngestionRuns, type IngestionState } from '@x/dbos/client'
import { openDatabase, PostgresDocumentStore } from '@x/postgres'
import pg from 'pg'
import { startPostgres } from '../../../tools/postgres-server.ts'
import { documents, TABLES } from './documents.ts'
import { ModelServer } from './model-server.ts'
import { type Verdict, verify } from './verify.ts'
import { APPLICATION, QUEUE, silent, WORKFLOW } from './worker-options.ts'
import { WorkerProcesses } from './worker-processes.ts'

/** How a cluster is run. */
export interface ClusterOptions {
  documents: number
  workers: number
  /** How many workers are killed. All but the last one are replaced. */
  kills: number
  /** How many requests the model answers in a second. */
  perSecond: number
  latencyMs: number
  /** Documents that a worker ingests at the same time. */
  workerConcurrency: number
  /** Receives what happens. */
  onProgress?: (progress: Progress) => void
}

/** A look at a run. */
export interface Progress extends IngestionState {
  run: string
  seconds: number
  workers: readonly string[]
  kills: number
  modelCalls: number
  refused: number
}

/** What came of a run. */
export interface RunReport extends Verdict {
  state: IngestionState
  seconds: number
  kills: number
  /** Documents that were taken over from workers that were gone. */
  takenOver: number
  modelCalls: number
  /** Model calls that would have been enough. */
  neededCalls: number
  /** Requests that the model refused because of its rate. */
  refused: number
}

/** A running cluster. */
export class Cluster {
  private readonly options: ClusterOptions
  private readonly model: ModelServer
  private readonly closing: (() => Promise<unknown>)[] = []
  private workers!: WorkerProcesses
  private runs!: IngestionRuns
  /** Where the nodes are. */
  documentStore!: PostgresDocumentStore

  constructor(options: ClusterOptions) {
    this.options = options
    this.model = new ModelServer(options)
  }

  async start(): Promise<void> {
    const { workers, workerConcurrency } = this.options
    const { connectionString, stop } = await startPostgres()
    this.closing.unshift(stop)
    const modelUrl = await this.model.start()
    this.closing.unshift(() => this.model.stop())
    const pool = new pg.Pool({ connectionString })
    this.closing.unshift(() => pool.end())
    this.documentStore = new PostgresDocumentStore(await openDatabase(pool))
    this.workers = new WorkerProcesses({ connectionString, modelUrl })
    this.closing.unshift(() => this.workers.stop())
    // The first worker makes the tables of DBOS.
    await this.workers.start()
    const dbos = await DBOSClient.create({
      systemDatabaseUrl: connectionString,
      applicationName: APPLICATION,
      logger: silent,
    })
    this.closing.unshift(() => dbos.destroy())
    await dbos.registerQueue(QUEUE, { workerConcurrency, minPollingIntervalMs: 100 })
    for (let i = 1; i < workers; i++) await this.workers.start()
    this.runs = new IngestionRuns({ dbos, workflow: WORKFLOW, queue: QUEUE, pollingIntervalMs: 500 })
  }

  async stop(): Promise<void> {
    for (const close of this.closing.splice(0)) await close()
  }

  /** Ingests all documents, kills workers meanwhile, and looks at what is stored. */
  async run(run: string, { isChanged = false, kills = 0 } = {}): Promise<RunReport> {
    const { workers, model, options } = this
    const before = { kills: workers.kills, takenOver: workers.takenOver, calls: model.calls, refused: model.refused }
    const known = new Set(model.answers.keys())
    const start = performance.now()
    const seconds = () => (performance.now() - start) / 1000
    let isOver = false
    const killing = this.killAlong(kills, () => isOver)
    await this.runs.submit(documents(options.documents, isChanged), { run })
    const state = await this.runs.finished(run, {
      onProgress: (now) =>
        options.onProgress?.({
          ...now,
          run,
          seconds: seconds(),
          workers: workers.names,
          kills: workers.kills - before.kills,
          modelCalls: model.calls - before.calls,
          refused: model.refused - before.refused,
        }),
    })
    isOver = true
    await killing
    return {
      ...(await verify(this.documentStore, documents(options.documents, isChanged))),
      state,
      seconds: seconds(),
      kills: workers.kills - before.kills,
      takenOver: workers.takenOver - before.takenOver,
      modelCalls: model.calls - before.calls,
      neededCalls: [...model.answers.keys()].filter((table) => !known.has(table)).length,
      refused: model.refused - before.refused,
    }
  }

  /** Kills a worker each time that a part of the model calls of the run is made. */
  private async killAlong(kills: number, isOver: () => boolean): Promise<void> {
    const { model, workers, options } = this
    const begin = model.calls
    const starting: Promise<void>[] = []
    for (let i = 1; i <= kills; i++) {
      const mark = begin + (options.documents * TABLES * i) / (kills + 1)
      while (model.calls < mark && !isOver()) await new Promise((resolve) => setTimeout(resolve, 20))
      await workers.killOne()
      if (i < kills) starting.push(workers.start())
    }
    await Promise.all(starting)
  }
}
