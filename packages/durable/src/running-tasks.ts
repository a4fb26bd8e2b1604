/**
 * @module
 * The tasks that run in this process, and the tasks that they wait for.
 */
import { GIVEN_BACK } from '@x/agents/protocol'
import { pause } from '@x/core-model/async'
import type { SignsOfLife } from './signs-of-life.ts'

/** A run of a task in this process. */
export interface Running {
  /** The id of the run, as soon as it is in the record. */
  run?: string
  /** Its signs of life, as soon as it is in the record. */
  signs?: SignsOfLife
  /** Whether nothing else may run in this process. */
  isAlone: boolean
  controller: AbortController
  /** The calls that have begun and have no saved result yet. */
  calls: Set<string>
  /** The most characters of large strings that it has stored or read at once. */
  large: number
  /** The tasks whose answers it waits for. */
  awaited: string[]
  /** Whether the run ends as soon as no call is open. */
  isDraining: boolean
  done: Promise<void>
}

/** Strings with more characters may block the process for a part of a lease. */
const LARGE = 1_000_000
/** The number of characters for which a lease is a millisecond longer. With twenty programs on two processors, they block for 0.4 ms. */
const BLOCKING = 2000

/** The runs of this process by the ids of their tasks. Those that wait for other tasks leave their places to them. */
export class RunningTasks extends Map<string, Running> {
  private readonly shortest: number

  /** @param leaseMs - the shortest lease, in milliseconds. */
  constructor(leaseMs: number) {
    super()
    this.shortest = leaseMs
  }

  /** Those that do not wait for other tasks. */
  get busy(): Running[] {
    return [...this.values()].filter(({ awaited }) => awaited.length === 0)
  }

  /** Whether another task can start. */
  hasRoom(most: number): boolean {
    const { busy } = this
    return busy.length < most && !busy.some(({ isAlone }) => isAlone)
  }

  /** How long a lease is now, in milliseconds. */
  get leaseMs(): number {
    const large = [...this.values()].reduce((sum, run) => sum + run.large, 0)
    return this.shortest + large / BLOCKING
  }

  /**
   * Renews the leases of all runs for the time for which strings of one may block this process: several entries and events contain them,
   * which are written one after the other, and no timer fires in between.
   */
  async lengthenLeases(run: Running, characters: number): Promise<void> {
    if (characters < LARGE) return
    run.large = Math.max(run.large, characters)
    const { leaseMs } = this
    await Promise.all([...this.values()].map(({ signs }) => signs?.lengthen(leaseMs)))
  }

  isAwaited(taskId: string): boolean {
    return [...this.values()].some(({ awaited }) => awaited.includes(taskId))
  }

  /** Notes that a task waits for the answer of another one. Returns a function that ends the waiting. */
  wait(waiting: string, taskId: string): () => void {
    const run = this.get(waiting)
    run?.awaited.push(taskId)
    return () => void run?.awaited.splice(run.awaited.indexOf(taskId), 1)
  }
}

/** The reason of a run that ends although its task continues in another process: its turn stays open. */
export const givenBack = (): DOMException => new DOMException('The worker was stopped.', GIVEN_BACK)

/** Waits for the ends of runs, at most for a time. */
export async function settledWithin(milliseconds: number, done: Promise<unknown>): Promise<void> {
  const late = new AbortController()
  await Promise.race([done, pause(milliseconds, late.signal).catch(() => {})])
  late.abort()
}
