/**
 * @module
 * How much work runs at the same time, in a pipeline and the pipelines nested in it.
 */
import { untilAborted } from '@x/core-model/internal'

/**
 * Limits how many modules run at the same time, in a pipeline and the pipelines nested in it.
 * A module occupies one slot. A nested pipeline uses the slot of its module for one of its own modules, so it always gets on.
 */
export class Slots {
  private free: number
  private readonly waiting = new Set<() => void>()

  constructor(size: number) {
    this.free = size
  }

  /** Takes a slot; returns false when none is free. */
  take(): boolean {
    if (this.free <= 0) return false
    this.free--
    return true
  }

  /** Returns a slot, and wakes those that wait while one is free. */
  release(): void {
    this.free++
    for (const wake of this.waiting) {
      if (this.free <= 0) return
      this.waiting.delete(wake)
      wake()
    }
  }

  /** Calls `wake` once when a slot may be free. */
  wait(wake: () => void): void {
    this.waiting.add(wake)
  }

  /** Withdraws {@link wait}. */
  leave(wake: () => void): void {
    this.waiting.delete(wake)
  }
}

/** The slots that work inside a module may use: the one that the module occupies, then shared ones. */
export class OwnSlots {
  /** The slots as the modules inside receive them. */
  readonly shared: Slots
  private lent: boolean

  /** @param shared - the slots of the module that the work belongs to, which occupies one of them; absent for new ones. */
  constructor(shared: Slots | undefined, size: number) {
    this.shared = shared ?? new Slots(size)
    this.lent = shared !== undefined
  }

  /** Takes a slot and returns the function that releases it; undefined when no slot is free. */
  take(): (() => void) | undefined {
    if (this.lent) {
      this.lent = false
      return () => {
        this.lent = true
      }
    }
    return this.shared.take() ? () => this.shared.release() : undefined
  }
}

/** Work that consists of parts; one part may make others ready. */
export interface Parts {
  /** Whether a part is ready to start. */
  readonly hasNext: boolean
  /** Starts the next part and returns when it is done. */
  next(): Promise<void>
}

/** How parts run at the same time. */
export interface Bounds {
  /** The maximum number of parts that run at the same time. */
  limit: number
  slots: OwnSlots
  /** Aborted with the first error of a part. After an abort no further part starts. */
  controller: AbortController
}

/** Runs all parts. Rejects with the first error, without waiting for the parts that are running. */
export function runInSlots(parts: Parts, { limit, slots, controller }: Bounds): Promise<void> {
  let running = 0
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      controller.abort(error)
      slots.shared.leave(start)
      reject(error)
    }
    const run = async (release: () => void) => {
      try {
        await parts.next()
      } catch (error) {
        fail(error)
      } finally {
        running--
        release()
      }
      start()
    }
    const start = () => {
      while (running < limit && parts.hasNext && !controller.signal.aborted) {
        const release = slots.take()
        if (!release) {
          slots.shared.wait(start)
          return
        }
        running++
        void run(release)
      }
      if (running === 0 && !parts.hasNext) resolve()
    }
    start()
  })
}

/** The results of a function for each item, in item order, with at most `limit` calls at the same time. */
export async function mapInSlots<T, R>(
  items: readonly T[],
  fn: (item: T, index: number, options: { signal: AbortSignal; slots: Slots }) => R | Promise<R>,
  { limit, slots: given, signal }: { limit: number; slots?: Slots | undefined; signal?: AbortSignal | undefined },
): Promise<R[]> {
  const slots = new OwnSlots(given, limit)
  const controller = new AbortController()
  const results = new Array<R>(items.length)
  let position = 0
  const parts = {
    get hasNext() {
      return position < items.length
    },
    next: async () => {
      const index = position++
      results[index] = await fn(items[index]!, index, { signal: controller.signal, slots: slots.shared })
    },
  }
  const stop = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    await untilAborted(signal, () => runInSlots(parts, { limit, slots, controller }))
  } finally {
    signal?.removeEventListener('abort', stop)
  }
  return results
}
