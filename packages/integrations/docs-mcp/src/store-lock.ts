/**
 * @module
 * One writer at a time among the processes that use one index.
 */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'

/** The interval between two attempts to get the lock, in milliseconds. */
const RETRY = 50

/** A lock on a file. The operating system releases it when its process ends, however it ends. */
export class StoreLock {
  private readonly database: DatabaseSync

  constructor(path: string) {
    this.database = new DatabaseSync(path, { timeout: 0 })
  }

  /** Calls `work` while no other process has the lock. Waits for it without a limit, until `signal` is aborted. */
  async during<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    while (!this.take()) await setTimeout(RETRY, undefined, { signal })
    try {
      return await work()
    } finally {
      this.database.exec('rollback')
    }
  }

  close(): void {
    this.database.close()
  }

  private take(): boolean {
    try {
      // Nothing is written. An empty transaction of SQLite is a lock that works on every platform.
      this.database.exec('begin exclusive')
      return true
    } catch (error) {
      if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false
      throw error
    }
  }
}

const SQLITE_BUSY = 5
