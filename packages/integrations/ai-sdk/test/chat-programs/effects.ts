/** The effects of the tools of a random program. */
import type { ChatWorld } from './server.ts'

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
