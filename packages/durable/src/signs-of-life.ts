/**
 * @module
 * Signs of life of a run, so that other processes do not take its task.
 */
import type { RecordChange } from './task-record.ts'

interface SignsOptions {
  /** The first lease, in milliseconds. */
  leaseMs: number
  /** Writes a sign of life. */
  sign: (entry: RecordChange) => Promise<unknown>
  /** Receives why one could not be written. The next one tries again. */
  onError: ((error: unknown) => void) | undefined
}

/** The longest lease of a run, in milliseconds, unless `leaseMs` is longer. */
const LONGEST = 120_000

/**
 * Writes three signs of life in each lease, until the returned function is called. A lease lasts a twentieth of the run, at least `leaseMs`
 * and at most two minutes: a record is read as a whole, and a run of days writes a sign every 40 s instead of every few seconds.
 */
export function showLife({ leaseMs: least, sign, onError }: SignsOptions): () => void {
  const begun = performance.now()
  const leaseMs = () => Math.max(least, Math.min((performance.now() - begun) / 20, LONGEST))
  let isOver = false
  let timer: ReturnType<typeof setTimeout>
  const later = () => {
    timer = setTimeout(async () => {
      await sign({ type: 'alive', leaseMs: leaseMs() }).catch((error) => onError?.(error))
      if (!isOver) later()
    }, leaseMs() / 3)
  }
  later()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
