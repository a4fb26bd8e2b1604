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

/**
 * Writes three signs of life in each lease, until the returned function is called. A lease lasts a twentieth of the run, at least `leaseMs`: a
 * record is read as a whole, and a run of days writes a few hundred signs instead of one every few seconds.
 */
export function showLife({ leaseMs: least, sign, onError }: SignsOptions): () => void {
  const begun = performance.now()
  const leaseMs = () => Math.max(least, (performance.now() - begun) / 20)
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
