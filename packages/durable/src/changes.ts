/**
 * @module
 * Wakes those who wait for a change of a task in this process.
 */

/** A change that is waited for. */
export interface NextChange {
  /** Resolves when the change is reported, when the time is over, or after `stop`. */
  readonly passed: Promise<void>
  /** Ends the waiting. */
  stop(): void
}

/** Changes with keys, such as the id of a task. A report wakes only those who wait for its key. */
export class Changes {
  private readonly listeners = new Map<string, Set<() => void>>()

  /** Waits for the next report of a key, for at most so many milliseconds. */
  next(key: string, milliseconds: number): NextChange {
    const listeners = this.listeners.get(key) ?? new Set()
    this.listeners.set(key, listeners)
    let stop = () => {}
    const passed = new Promise<void>((resolve) => {
      const timer = setTimeout(() => stop(), milliseconds)
      stop = () => {
        clearTimeout(timer)
        listeners.delete(stop)
        if (listeners.size === 0 && this.listeners.get(key) === listeners) this.listeners.delete(key)
        resolve()
      }
      listeners.add(stop)
    })
    return { passed, stop }
  }

  report(key: string): void {
    for (const stop of [...(this.listeners.get(key) ?? [])]) stop()
  }
}
