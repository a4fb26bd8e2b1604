/** Lanes of DBOS: a queue each, whose workers are killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { DBOSClient } from '@dbos-inc/dbos-sdk'
import { oneFile } from '../../../../tools/one-file.ts'
import { startPostgres } from '../../../../tools/postgres-server.ts'
import {
  type Answers,
  type KillLane,
  type KillReport,
  killWorkers,
  runApproved,
} from '../../../durable/test/kill-rounds/engine-rounds.ts'
import { lastCaller } from '../../../durable/test/kill-rounds/six-steps.ts'
import { DbosTasks } from '../src/dbos-tasks.ts'
import { type KillWorkerOptions, silent } from './launch.ts'

/**
 * `back`: a worker that was killed starts again under its id. `gone`: it never does; another one takes over. `slow`: it is only stopped,
 * and goes on when another one has taken over its task.
 */
export type KillMode = 'back' | 'gone' | 'slow'

const DEAD_AFTER_MS = 800
const LANES = 2
/** The workers of a lane that are alive: the newest, and those that were stopped during this task and the one before, twice each. */
const MOST_WORKERS = 5
/** The pool of DBOS has ten connections, the reaper of the worker one. */
const CONNECTIONS_PER_WORKER = 11
const LONGEST_LOG = 10_000

export const killWorker = (): Promise<string> => oneFile(fileURLToPath(new URL('./kill-worker.ts', import.meta.url)))

interface LaneOptions extends Pick<KillWorkerOptions, 'url' | 'queue' | 'deadAfterMs'> {
  dbos: DBOSClient
  program: string
}

/** Runs tasks in lanes until their workers were killed so often. */
export async function killRounds(mode: KillMode, kills: number): Promise<KillReport> {
  // One more worker per lane is starting; the client has a pool too, and Postgres reserves three connections.
  const maxConnections = LANES * (MOST_WORKERS + 1) * CONNECTIONS_PER_WORKER + 13
  const server = await startPostgres({ maxConnections })
  const dbos = await DBOSClient.create({
    systemDatabaseUrl: server.connectionString,
    applicationName: 'tests',
    logger: silent,
  })
  try {
    const program = await killWorker()
    const options = { url: server.connectionString, deadAfterMs: DEAD_AFTER_MS, program }
    const lanes = Array.from({ length: LANES }, (_, i) => new Lane(mode, { ...options, dbos, queue: `lane-${i}` }))
    return await killWorkers(lanes, kills)
  } finally {
    await dbos.destroy()
    await server.stop()
  }
}

/** A queue and the workers of it that are alive, the newest last. */
export class Lane implements KillLane {
  readonly died: Promise<never>
  private reportDeath!: (error: Error) => void
  private readonly mode: KillMode
  private readonly options: LaneOptions
  private readonly workers: ChildProcess[] = []
  private file = ''

  constructor(mode: KillMode, options: LaneOptions) {
    this.mode = mode
    this.options = options
    this.died = new Promise((_, reject) => {
      this.reportDeath = reject
    })
    this.died.catch(() => {})
  }

  async start(file: string): Promise<void> {
    this.file = file
    await this.startWorker()
    await this.options.dbos.registerQueue(this.options.queue, { minPollingIntervalMs: 100 })
  }

  /** Starts a worker and waits until it is ready. */
  private async startWorker(): Promise<void> {
    const { url, queue, deadAfterMs } = this.options
    const executorID = this.mode === 'back' ? queue : randomUUID()
    const options: KillWorkerOptions = { url, queue, deadAfterMs, file: this.file, executorID }
    // DBOS uses a call of pg that is deprecated.
    const args = ['--no-deprecation', this.options.program, JSON.stringify(options)]
    const worker = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    this.workers.push(worker)
    let log = ''
    worker.stderr.setEncoding('utf8').on('data', (piece: string) => {
      log = (log + piece).slice(-LONGEST_LOG)
    })
    worker.on('close', (code, signal) => {
      if (!this.workers.includes(worker)) return
      const how = signal === null ? `with exit code ${code}` : `by ${signal}, which this test did not send`
      this.reportDeath(new Error(`The worker ${executorID} of ${queue} ended ${how}. It wrote:\n${log}`))
    })
    await Promise.race([once(createInterface(worker.stdout), 'line'), this.died])
  }

  async run(name: string): Promise<Answers> {
    await this.end(MOST_WORKERS - 2)
    const { dbos, queue } = this.options
    return runApproved(new DbosTasks({ dbos, workflow: 'six steps', queue, pollingIntervalMs: 100 }), name)
  }

  async kill(): Promise<void> {
    if (this.mode === 'slow') return this.stall()
    await this.end()
    await this.startWorker()
  }

  /** Stops the workers until another one counts them as gone, and has gone on with their task. */
  private async stall(): Promise<void> {
    const stalled = [...this.workers]
    for (const worker of stalled) worker.kill('SIGSTOP')
    await this.startWorker()
    // The task may have ended meanwhile, then nobody goes on.
    const latest = Date.now() + 3 * DEAD_AFTER_MS
    while (Date.now() < latest && stalled.some(({ pid }) => pid === lastCaller(this.file))) await pause(10)
    for (const worker of stalled) worker.kill('SIGCONT')
  }

  stop(): Promise<void> {
    return this.end()
  }

  /** Kills the oldest workers, except so many. */
  private async end(except = 0): Promise<void> {
    const ended = this.workers.splice(0, Math.max(0, this.workers.length - except))
    for (const worker of ended) {
      worker.kill('SIGKILL')
      if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'exit')
    }
  }
}
