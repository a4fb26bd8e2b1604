/**
 * @module
 * The states of a task that can be restored.
 */
import type { TaskStep } from './task-step.ts'

/** Arrays of several snapshots, of which each contains the first items: the longest one. */
interface SharedArray {
  items: readonly unknown[]
}

/**
 * The state of a task before one or more steps ran. The arrays of a state mostly begin like those of the next one. They are kept once for
 * all snapshots, so that a task of many steps needs memory in proportion to its steps.
 */
export class TaskSnapshot {
  /** The number of steps that ran after the snapshot. */
  readonly outputs: number
  /** The upcoming steps at that time. The first of them are the ones that ran. */
  readonly queue: TaskStep[]
  private readonly state: Record<string, unknown>
  /** The arrays that are shared, and how many of their items belong to this snapshot. */
  private readonly shared = new Map<string, { array: SharedArray; length: number }>()

  constructor(options: { outputs: number; queue: TaskStep[]; extraState: Record<string, unknown> }) {
    this.outputs = options.outputs
    this.queue = options.queue
    this.state = { ...options.extraState }
  }

  /** The extra state. Its arrays are those of the caller. */
  get extraState(): Record<string, unknown> {
    const arrays = Array.from(this.shared, ([key, { array, length }]) => [key, array.items.slice(0, length)] as const)
    return { ...this.state, ...Object.fromEntries(arrays) }
  }

  /** Shares the arrays with those of the next snapshot, as far as they begin alike. */
  shareWith(next: TaskSnapshot): void {
    for (const [key, items] of Object.entries(next.state)) {
      const own = this.state[key]
      if (!Array.isArray(items) || !Array.isArray(own)) continue
      const known = this.shared.get(key) ?? { array: { items: own }, length: own.length }
      if (!beginsWith(items, known)) continue
      known.array.items = items
      this.shared.set(key, known)
      // Its own array is free now.
      this.state[key] = NO_ITEMS
      next.shared.set(key, { array: known.array, length: items.length })
    }
  }
}

const NO_ITEMS: readonly unknown[] = []

function beginsWith(items: readonly unknown[], { array, length }: { array: SharedArray; length: number }): boolean {
  if (items.length < length) return false
  for (let i = 0; i < length; i++) if (items[i] !== array.items[i]) return false
  return true
}

/** Returns snapshots with their arrays shared, the oldest first. */
export function sharedSnapshots(snapshots: readonly TaskSnapshot[]): TaskSnapshot[] {
  for (let i = 1; i < snapshots.length; i++) snapshots[i - 1]!.shareWith(snapshots[i]!)
  return [...snapshots]
}
