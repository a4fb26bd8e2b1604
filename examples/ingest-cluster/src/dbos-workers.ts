/**
 * Starts and kills workers of DBOS.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { WorkerOptions } from './dbos-options.ts'
import type { Addresses } from './engine.ts'

/** The workers of a cluster: processes that share a queue. */
export class DbosWorkers {
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
