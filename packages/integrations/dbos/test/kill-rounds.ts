/**
 * Kills workers with SIGKILL while they run tasks, and judges what became of the tasks.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { DBOSClient } from '@dbos-inc/dbos-sdk'
import { judgeSixSteps, type SixStepsReport } from '../../../../tools/kill-rounds/six-steps.ts'
import { startPostgres } from '../../../../tools/postgres-server.ts'
import { DbosTasks } from '../src/dbos-tasks.ts'
import { type KillWorkerOptions, silent } from './launch.ts'

/**
 * `back`: a worker that was killed starts again under its id. `gone`: it never does; another one takes over. `slow`: it is only stopped, and
 * goes on when another one has taken over its task.
 */
export type KillMode = 'back' | 'gone' | 'slow'

/** The result of the tasks. */
export interface KillReport extends SixStepsReport {
  tasks: number
  kills: number
}

const KILLS_PER_TASK = 2
/** A task is killed so many milliseconds after its worker was ready, at most: about the length of a task. */
const LONGEST_LIFE = 250
const DEAD_AFTER_MS = 800
const LANES = 2
/** The workers of a lane that are alive: the newest, and those that were stopped during this task and the one before. */
const MOST_WORKERS = 1 + 2 * KILLS_PER_TASK
/** The pool of DBOS has ten connections, the reaper of the worker one. */
const CONNECTIONS_PER_WORKER = 11
const LONGEST_LOG = 10_000

/** Runs tasks in lanes, each with a queue and a worker of its own, and kills the worker twice during each task. */
export async function killRounds(mode: KillMode, tasks: number): Promise<KillReport> {
  // One more worker per lane is starting; the client has a pool too, and Postgres reserves three connections.
  const maxConnections = LANES * (MOST_WORKERS + 1) * CONNECTIONS_PER_WORKER + 13
  const server = await startPostgres({ maxConnections })
  const folder = await mkdtemp(join(tmpdir(), 'dbos-kill-'))
  const file = join(folder, 'effects.jsonl')
  const dbos = await DBOSClient.create({
    systemDatabaseUrl: server.connectionString,
    applicationName: 'tests',
    logger: silent,
  })
  const lanes: Lane[] = []
  try {
    for (let i = 0; i < LANES; i++) {
      const lane = new Lane(mode, {
        url: server.connectionString,
        queue: `lane-${i}`,
        file,
        deadAfterMs: DEAD_AFTER_MS,
      })
      lanes.push(lane)
      // The first worker makes the tables of DBOS.
      await lane.start()
      await dbos.registerQueue(`lane-${i}`, { minPollingIntervalMs: 100 })
    }
    const outputs = new Map<string, readonly string[]>()
    let next = 0
    const play = async (lane: Lane) => {
      while (next < tasks) {
        const taskId = `task-${++next}`
        outputs.set(
          taskId,
          await lane.play(
            new DbosTasks({ dbos, workflow: 'six steps', queue: lane.queue, pollingIntervalMs: 100 }),
            taskId,
          ),
        )
      }
    }
    await Promise.race([Promise.all(lanes.map(play)), ...lanes.map(({ died }) => died)])
    const kills = lanes.reduce((sum, lane) => sum + lane.kills, 0)
    return { tasks, kills, ...judgeSixSteps(file, outputs) }
  } finally {
    await Promise.all(lanes.map((lane) => lane.kill()))
    await dbos.destroy()
    await server.stop()
    await rm(folder, { recursive: true })
  }
}

/** A queue and the workers of it that are alive, the newest last. */
export class Lane {
  kills = 0
  /** Rejects when a worker ends that was not killed here. */
  readonly died: Promise<never>
  private reportDeath!: (error: Error) => void
  private readonly mode: KillMode
  private readonly options: Omit<KillWorkerOptions, 'executorID'>
  private readonly workers: ChildProcess[] = []

  constructor(mode: KillMode, options: Omit<KillWorkerOptions, 'executorID'>) {
    this.mode = mode
    this.options = options
    this.died = new Promise((_, reject) => {
      this.reportDeath = reject
    })
    this.died.catch(() => {})
  }

  get queue(): string {
    return this.options.queue
  }

  /** Starts a worker and waits until it is ready. */
  async start(): Promise<void> {
    const executorID = this.mode === 'back' ? this.queue : randomUUID()
    const program = fileURLToPath(new URL('./kill-worker.ts', import.meta.url))
    // DBOS uses a call of pg that is deprecated.
    const args = [
      '--no-deprecation',
      '--conditions=@x/source',
      program,
      JSON.stringify({ ...this.options, executorID }),
    ]
    const worker = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    this.workers.push(worker)
    let log = ''
    worker.stderr.setEncoding('utf8').on('data', (piece: string) => {
      log = (log + piece).slice(-LONGEST_LOG)
    })
    worker.on('close', (code, signal) => {
      if (!this.workers.includes(worker)) return
      const how = signal === null ? `with exit code ${code}` : `by ${signal}, which this test did not send`
      this.reportDeath(new Error(`The worker ${executorID} of ${this.queue} ended ${how}. It wrote:\n${log}`))
    })
    await Promise.race([once(createInterface(worker.stdout), 'line'), this.died])
  }

  /** Kills the oldest workers, except so many. */
  async kill(except = 0): Promise<void> {
    const ended = this.workers.splice(0, this.workers.length - except)
    for (const worker of ended) {
      worker.kill('SIGKILL')
      if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'exit')
    }
  }

  private async replace(): Promise<void> {
    await this.kill()
    await this.start()
  }

  /** Stops the workers until others count them as gone, and have gone on with their tasks. */
  private async stall(): Promise<void> {
    const stalled = [...this.workers]
    for (const worker of stalled) worker.kill('SIGSTOP')
    await this.start()
    await pause(2 * DEAD_AFTER_MS)
    for (const worker of stalled) worker.kill('SIGCONT')
  }

  /** Runs a task and returns the outputs of its tool. */
  async play(tasks: DbosTasks, taskId: string): Promise<string[]> {
    await this.kill(Math.min(this.workers.length, MOST_WORKERS - KILLS_PER_TASK))
    await tasks.submit('Pay everything!', { taskId })
    for (let i = 0; i < KILLS_PER_TASK; i++) {
      await untilRunning(tasks, taskId)
      await pause(Math.random() * LONGEST_LIFE)
      if ((await tasks.status(taskId)) === 'finished') break
      await (this.mode === 'slow' ? this.stall() : this.replace())
      this.kills++
    }
    return (await tasks.answer(taskId)).sources.map(({ content }) => String(content))
  }
}

async function untilRunning(tasks: DbosTasks, taskId: string): Promise<void> {
  while ((await tasks.status(taskId)) === 'queued') await pause(20)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
