/**
 * @module
 * Reports of runs that are replayed, the same for every engine.
 */

/**
 * Reports what happens in a run once, although each execution replays the recorded calls. For your own engine.
 *
 * During a replay, reports are held back. They are dropped when the result of a recorded call is returned, because they were made before
 * it in an earlier execution; and they are made when a call really runs.
 * @example
 * const reported: string[] = []
 * const gate = new ReplayGate()
 * gate.deliver(() => reported.push('before the recorded call'))
 * gate.passed()
 * gate.deliver(() => reported.push('before the new call'))
 * gate.run(() => reported.push('the new call'))
 * reported // => ['before the new call', 'the new call']
 */
export class ReplayGate {
  /** Whether the replay is over: everything from here on happens for the first time. */
  isOver = false
  /** Called when the replay is over, before the reports that were held back. */
  readonly ends: (() => void)[] = []
  /** Runs each call that really runs. @defaultValue calls run as they are */
  around?: <T>(work: () => T) => T
  private held: (() => void)[] = []

  /** Makes a report, or keeps it for later. */
  deliver(report: () => void): void {
    if (this.isOver) report()
    else this.held.push(report)
  }

  /** Drops the reports that are held back: call it when the result of a call is returned. */
  passed(): void {
    if (this.held.length > 0) this.held = []
  }

  /** Ends the replay. */
  end(): void {
    if (this.isOver) return
    this.isOver = true
    for (const report of [...this.ends, ...this.held]) report()
    this.held = []
  }

  /** Runs a call that has no recorded result: the replay is over. */
  run<T>(work: () => T): T {
    this.end()
    return this.around ? this.around(work) : work()
  }
}
