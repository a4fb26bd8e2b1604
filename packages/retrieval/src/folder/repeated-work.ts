/// <reference types="node" />
/**
 * @module
 * Repeats work after events: soon after the last event, and never twice at the same time.
 */

/** The longest wait while events continue, as a multiple of `quietMs`. */
const MOST_QUIET_TIMES = 20

/** Work that is repeated after events. */
export class RepeatedWork {
  private readonly work: () => Promise<void>
  private readonly quietMs: number
  private timer: NodeJS.Timeout | undefined
  private firstEvent = 0
  private running: Promise<void> | undefined
  private isAsked = false
  private isClosed = false

  /**
   * @param work - handles its errors itself.
   * @param quietMs - the time without an event before the work starts, in milliseconds.
   */
  constructor(work: () => Promise<void>, quietMs: number) {
    this.work = work
    this.quietMs = quietMs
  }

  /** Starts the work when no more events follow, or when events have continued for too long. */
  soon(): void {
    if (this.isClosed) return
    const { quietMs } = this
    const now = performance.now()
    if (this.timer === undefined) this.firstEvent = now
    clearTimeout(this.timer)
    const wait = Math.max(0, Math.min(quietMs, this.firstEvent + MOST_QUIET_TIMES * quietMs - now))
    this.timer = setTimeout(() => this.now(), wait)
  }

  /** Starts the work now, or again after the work in progress. */
  now(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    if (this.isClosed) return
    this.isAsked = true
    this.running ??= this.run()
  }

  /** Resolves when the work for all events so far is done. */
  async done(): Promise<void> {
    if (this.timer !== undefined) this.now()
    await this.running
  }

  /** Ends the repetitions. Resolves when the work in progress has ended. */
  async close(): Promise<void> {
    this.isClosed = true
    clearTimeout(this.timer)
    this.timer = undefined
    await this.running
  }

  private async run(): Promise<void> {
    while (this.isAsked && !this.isClosed) {
      this.isAsked = false
      await this.work()
    }
    this.running = undefined
  }
}
