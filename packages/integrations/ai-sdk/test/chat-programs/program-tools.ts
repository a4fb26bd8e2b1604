/** What random programs need: numbers, limits of time, and comparisons. */
import { pause } from '@x/core-model/async'

const HANGS_MS = 10_000

/** Waits until something is true. */
export async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + HANGS_MS
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error(`hangs: ${what}`)
    await pause(1)
  }
}

/** Waits for work that must end. */
export async function within<T>(what: string, work: Promise<T>, ms = HANGS_MS): Promise<T> {
  const timer = new AbortController()
  const late = pause(ms, timer.signal).then(() => {
    throw new Error(`hangs: ${what}`)
  })
  late.catch(() => {})
  try {
    return await Promise.race([work, late])
  } finally {
    timer.abort()
  }
}

export const numberIn = (text: string): number => Number(/\d+/.exec(text)?.[0])

export function expectEqual(what: string, received: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(received, null, 1), JSON.stringify(expected, null, 1)]
  if (one !== other) throw new Error(`${what}: expected\n${other}\nreceived\n${one}`)
}

/** Returns numbers from 0 to 1 that look random, the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
