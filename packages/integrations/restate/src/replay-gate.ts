/**
 * @module
 * Prevents that a replayed run reports earlier events again.
 */

/** The replay of the recorded calls of a run. */
export interface RunReplay {
  /** Whether the replay is over: everything from here on happens for the first time. */
  readonly isOver: boolean
  /** Called when the replay is over. */
  readonly ends: (() => void)[]
  /** Runs each call that really runs. @defaultValue calls run as they are */
  around?: <T>(work: () => T) => T
  /** Reports an event, or holds it back. */
  deliver(report: () => void): void
}

/**
 * Tracks whether an execution still replays recorded calls. Meanwhile reports are held back: they are dropped when the next call
 * turns out to be recorded too, because they were made before it; and they are made when a call really runs.
 */
export class ReplayGate implements RunReplay {
  isOver = false
  readonly ends: (() => void)[] = []
  around?: RunReplay['around']
  private held: (() => void)[] = []

  deliver(report: () => void): void {
    if (this.isOver) report()
    else this.held.push(report)
  }

  /** Call it when the result of a call was returned: drops the reports of a replay. */
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

  /** Runs a call. */
  run<T>(work: () => T): T {
    this.end()
    return this.around ? this.around(work) : work()
  }
}
