/** What random programs need: numbers, limits of time, and comparisons. */
import { pause } from '@x/core-model/async'
import type { ChatWorld } from './server.ts'

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

/** What is added to the argument of a call when it is edited. */
export const EDITED = 1000

/** What is allowed: processes that ended, and the numbers of messages of which another answer was asked for, or a call approved. */
interface Allowed {
  kills: number
  repeated: ReadonlyMap<number, number>
  approved: ReadonlySet<number>
}

/** Throws if a call ran too often, under too many keys, or without an approval. */
export function checkEffects(effects: ChatWorld['effects'], { kills, repeated, approved }: Allowed): void {
  const keys = new Map<string, Set<string>>()
  const times = new Map<string, number>()
  for (const { name, message, key } of effects) {
    const call = `${name} ${message % EDITED}`
    keys.set(call, (keys.get(call) ?? new Set()).add(key))
    times.set(key, (times.get(key) ?? 0) + 1)
    if (times.get(key)! > 1 + kills) throw new Error(`${call} ran ${times.get(key)} times under one key`)
    const allowed = 1 + (repeated.get(message % EDITED) ?? 0)
    if (keys.get(call)!.size > allowed) throw new Error(`${call} ran under ${keys.get(call)!.size} keys`)
    if (name === 'buy' && !approved.has(message)) throw new Error(`${call} ran as ${message} without an approval`)
  }
}
