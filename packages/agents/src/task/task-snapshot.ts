/**
 * @module
 * The states of a task that can be restored.
 */
import type { TaskStep } from './task-step.ts'

/** The longest of the arrays that several snapshots share. Each snapshot uses its first items. */
interface SharedArray {
  items: readonly unknown[]
}

/**
 * The state of a task before one or more steps ran. Most arrays of a state are the start of the same array in the next state. They are
 * stored once for all snapshots, so that memory grows linearly with the number of steps.
 */
export class TaskSnapshot {
  /** The number of steps that ran after the snapshot. */
  readonly outputs: number
  /** The upcoming steps at that time, beginning with those that ran. */
  readonly queue: TaskStep[]
  private readonly state: Record<string, unknown>
  /** The shared arrays, and how many of their items belong to this snapshot. */
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

  /** Shares the arrays whose items are the start of an array of the next snapshot. */
  shareWith(next: TaskSnapshot): void {
    for (const [key, items] of Object.entries(next.state)) {
      const own = this.state[key]
      if (!Array.isArray(items) || !Array.isArray(own)) continue
      const known = this.shared.get(key) ?? { array: { items: own }, length: own.length }
      if (!beginsWith(items, known)) continue
      known.array.items = items
      this.shared.set(key, known)
      // The snapshot's own array can now be garbage collected.
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
