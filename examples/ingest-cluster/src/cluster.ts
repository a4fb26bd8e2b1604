/**
 * A database, a model server and workers; documents are ingested while workers are killed.
 */
import type { IngestionState } from '@x/dbos/client'
import { openDatabase, PostgresDocumentStore } from '@x/postgres'
import pg from 'pg'
import { startPostgres } from '../../../tools/postgres-server.ts'
import { documents, TABLES } from './documents.ts'
import type { Engine } from './engine.ts'
import { ModelServer } from './model-server.ts'
import { isRight, type Verdict, verify } from './verify.ts'

/** The options of a {@link Cluster}. */
export interface ClusterOptions {
  engine: Engine
  documents: number
  workers: number
  /** The number of requests that the model answers per second. */
  perSecond: number
  latencyMs: number
  /** Receives the progress of the run. */
  onProgress?: (progress: Progress) => void
}

/** The progress of a run. */
export interface Progress extends IngestionState {
  run: string
  seconds: number
  workers: readonly string[]
  kills: number
  modelCalls: number
  refused: number
}

/** The result of a run. */
export interface RunReport extends Verdict {
  state: IngestionState
  seconds: number
  kills: number
  /** The number of documents that were taken over from dead workers; null if the engine does not report it. */
  takenOver: number | null
  modelCalls: number
  /** The minimum number of model calls. */
  neededCalls: number
  /** Requests that the model refused because of its rate. */
  refused: number
}

/** A running cluster. */
export class Cluster {
  /** The store of the nodes. */
  documentStore!: PostgresDocumentStore
  private readonly options: ClusterOptions
  private readonly model: ModelServer
  private readonly closing: (() => Promise<unknown>)[] = []

  constructor(options: ClusterOptions) {
    this.options = options
    this.model = new ModelServer(options)
  }

  async start(): Promise<void> {
    const { engine, workers } = this.options
    const { connectionString, stop } = await startPostgres()
    this.closing.unshift(stop)
    const modelUrl = await this.model.start()
    this.closing.unshift(() => this.model.stop())
    const pool = new pg.Pool({ connectionString })
    pool.on('error', ({ message }) => console.error(message))
    this.closing.unshift(() => pool.end())
    this.documentStore = new PostgresDocumentStore(await openDatabase(pool))
    this.closing.unshift(() => engine.stop())
    await engine.start({ connectionString, modelUrl })
    for (let i = 1; i < workers; i++) await engine.startWorker()
  }

  async stop(): Promise<void> {
    for (const close of this.closing.splice(0)) await close()
  }

  /**
   * Ingests all documents, kills workers meanwhile, and verifies the store.
   * @param options.kills - the number of workers that are killed. All but the last one are replaced.
   */
  async run(run: string, { isChanged = false, kills = 0 } = {}): Promise<RunReport> {
    const { model, options } = this
    const { engine } = options
    const before = { kills: engine.kills, takenOver: engine.takenOver, calls: model.calls, refused: model.refused }
    const known = new Set(model.answers.keys())
    const start = performance.now()
    const counts = () => ({
      seconds: (performance.now() - start) / 1000,
      kills: engine.kills - before.kills,
      modelCalls: model.calls - before.calls,
      refused: model.refused - before.refused,
    })
    let isOver = false
    const killing = this.killAlong(kills, () => isOver)
    const state = await engine.ingest(run, documents(options.documents, isChanged), (now) =>
      options.onProgress?.({ ...now, ...counts(), run, workers: engine.workers }),
    )
    isOver = true
    await killing
    const { takenOver } = engine
    return {
      ...counts(),
      state,
      takenOver: takenOver === null ? null : takenOver - (before.takenOver ?? 0),
      neededCalls: [...model.answers.keys()].filter((table) => !known.has(table)).length,
      ...(await verify(this.documentStore, documents(options.documents, isChanged))),
    }
  }

  /** Kills a worker each time that a part of the model calls of the run is made. */
  private async killAlong(kills: number, isOver: () => boolean): Promise<void> {
    const { model, options } = this
    const begin = model.calls
    const starting: Promise<void>[] = []
    for (let i = 1; i <= kills; i++) {
      const mark = begin + (options.documents * TABLES * i) / (kills + 1)
      while (model.calls < mark && !isOver()) await new Promise((resolve) => setTimeout(resolve, 20))
      await options.engine.killWorker()
      if (i < kills) starting.push(options.engine.startWorker())
    }
    await Promise.all(starting)
  }
}

const WIDTH = 30

/** Returns a line about a run in progress. */
export function progressLine({ total, queued, running, finished, failed, ...now }: Progress): string {
  const done = total - queued - running
  const bar = '█'.repeat(Math.round((WIDTH * done) / Math.max(1, total))).padEnd(WIDTH, '░')
  const outcomes = Object.entries(finished).map(([outcome, count]) => `${count} ${outcome}`)
  if (failed.length > 0) outcomes.push(`${failed.length} failed`)
  return [
    `${now.run} ${bar} ${done}/${total}`,
    outcomes.join(', ') || 'nothing yet',
    `${running} running, ${queued} queued`,
    `${now.workers.length} workers, ${now.kills} killed`,
    `model: ${now.modelCalls} calls, ${now.refused} refused`,
    `${now.seconds.toFixed(0)} s`,
  ].join(' | ')
}

/** Returns the lines about the result of a run. */
export function reportLines(run: string, report: RunReport): string[] {
  const { state, nodes, missing, different, surplus, brokenSources } = report
  const outcomes = Object.entries(state.finished).map(([outcome, count]) => `${count} ${outcome}`)
  return [
    `${run}: ${state.total} documents in ${report.seconds.toFixed(1)} s: ${outcomes.join(', ')}, ${state.failed.length} failed`,
    `  ${report.kills} workers killed${report.takenOver === null ? '' : `, ${report.takenOver} documents taken over from them`}`,
    `  ${nodes} nodes: ${missing} missing, ${different} different, ${surplus} surplus; ${brokenSources} source records broken`,
    `  model: ${report.modelCalls} calls for ${report.neededCalls} tables, ` +
      `${report.modelCalls - report.neededCalls} beyond the need; ${report.refused} requests refused because of the rate`,
    `  ${isRight(report) && state.failed.length === 0 ? 'everything is there, once' : 'SOMETHING IS WRONG'}`,
  ]
}
