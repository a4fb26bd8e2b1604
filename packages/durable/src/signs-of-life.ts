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

/** The signs of life of a run. */
export interface SignsOfLife {
  /** Writes a sign at once. From now on, leases last at least so long, in milliseconds. */
  lengthen(leaseMs: number): Promise<void>
  /** No sign is written any more. */
  stop(): void
}

/** The longest lease of a run, in milliseconds, unless `leaseMs` is longer. */
const LONGEST = 120_000

/**
 * Writes three signs of life in each lease, until they are stopped. A lease lasts a twentieth of the run, at least `leaseMs`
 * and at most two minutes: a record is read as a whole, and a run of days writes a sign every 40 s instead of every few seconds.
 */
export function showLife({ leaseMs: shortest, sign, onError }: SignsOptions): SignsOfLife {
  const begun = performance.now()
  let least = shortest
  const leaseMs = () => Math.max(least, Math.min((performance.now() - begun) / 20, LONGEST))
  let isOver = false
  let timer: ReturnType<typeof setTimeout>
  const show = async () => {
    if (!isOver) await sign({ type: 'alive', leaseMs: leaseMs() }).catch((error) => onError?.(error))
  }
  const later = () => {
    timer = setTimeout(async () => {
      await show()
      if (!isOver) later()
    }, leaseMs() / 3)
  }
  later()
  return {
    lengthen: (leaseMs) => {
      least = Math.max(least, leaseMs)
      return show()
    },
    stop: () => {
      isOver = true
      clearTimeout(timer)
    },
  }
}
