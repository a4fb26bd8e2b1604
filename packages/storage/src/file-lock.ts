/// <reference types="node" />
/**
 * @module
 * A lock between processes, which is held while a file is replaced.
 */
import { randomUUID } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** A lock older than this, in milliseconds, belongs to a killed process, because a lock is held for one rename only. */
const MAX_LOCK_AGE = 10_000
const RETRY_DELAY = 5

/** Runs `work` while no other process holds the lock of this file. Waits for the lock. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = join(dirname(path), `.${basename(path)}.lock`)
  while (!(await created(lock))) {
    if (await isAbandoned(lock)) await discard(lock)
    else await setTimeout(RETRY_DELAY)
  }
  try {
    return await work()
  } finally {
    await rm(lock, { force: true })
  }
}

async function created(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx')).close()
    return true
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return false
    throw error
  }
}

async function isAbandoned(lock: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(lock)).mtimeMs > MAX_LOCK_AGE
  } catch {
    // The other process has just released it.
    return false
  }
}

/** Removes an abandoned lock. If several processes try, one of them succeeds. */
async function discard(lock: string): Promise<void> {
  const taken = `${lock}.${randomUUID()}.tmp`
  try {
    await rename(lock, taken)
    await rm(taken, { force: true })
  } catch {
    // Another process was faster.
  }
}
