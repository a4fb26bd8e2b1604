/**
 * @module
 * Limits how much work runs at the same time in a pipeline and its nested pipelines.
 */
import { turns, untilAborted } from '@x/core-model/async'
import { iteratorOf } from './shared-stream.ts'

/**
 * Limits how many modules run at the same time, in a pipeline and the pipelines nested in it.
 * A module occupies one slot. A nested pipeline uses the slot of its module for one of its own modules, so it cannot deadlock.
 */
export class Slots {
  private free: number
  private readonly waiting = new Set<() => void>()

  constructor(size: number) {
    this.free = size
  }

  /** Takes a slot; returns false if all slots are taken. */
  take(): boolean {
    if (this.free <= 0) return false
    this.free--
    return true
  }

  /** Releases a slot, and continues waiting callers while a slot is free. */
  release(): void {
    this.free++
    for (const wake of this.waiting) {
      if (this.free <= 0) return
      this.waiting.delete(wake)
      wake()
    }
  }

  /** Calls `wake` once as soon as a slot may be free. */
  wait(wake: () => void): void {
    this.waiting.add(wake)
  }

  /** Cancels a {@link wait}. */
  leave(wake: () => void): void {
    this.waiting.delete(wake)
  }
}

/** The slots for the work inside a module: first the slot of the module itself, then shared slots. */
export class OwnSlots {
  /** The slots that are passed to the modules inside. */
  readonly shared: Slots
  private lent: boolean

  /** @param shared - the slots of which the surrounding module occupies one; undefined: new slots are created */
  constructor(shared: Slots | undefined, size: number) {
    this.shared = shared ?? new Slots(size)
    this.lent = shared !== undefined
  }

  /** Takes a slot and returns the function that releases it; undefined if no slot is free. */
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

/** Work that consists of parts. A finished part may make other parts ready. */
export interface Parts {
  /** Whether a part is ready to start. */
  readonly hasNext: boolean
  /** Runs the next part. */
  next(): Promise<void>
  /** Resolves when a further part may be ready, for parts that are read as they are needed; undefined if there are no more. */
  more?(): Promise<void> | undefined
}

/** The limits of parts that run at the same time. */
export interface Bounds {
  /** The maximum number of parts that run at the same time. */
  limit: number
  slots: OwnSlots
  /** Aborted with the first error of a part. After an abort, no further part is started. */
  controller: AbortController
}

/** Runs all parts. Rejects with the first error, without waiting for the parts that are running. */
export function runInSlots(parts: Parts, { limit, slots, controller }: Bounds): Promise<void> {
  let running = 0
  let isReading = false
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
      if (parts.hasNext || isReading || running >= limit) return
      const more = controller.signal.aborted ? undefined : parts.more?.()
      if (more) {
        isReading = true
        const go = () => {
          isReading = false
          start()
        }
        more.then(go, fail)
      } else if (running === 0) resolve()
    }
    start()
  })
}

/**
 * Calls a function for each item, at most `limit` calls at the same time, and returns the results in the order of items. Each item is read
 * when it can start. At an error or an abort, the iterable is closed.
 */
export async function mapInSlots<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  fn: (item: T, index: number, options: { signal: AbortSignal; slots: Slots }) => R | Promise<R>,
  { limit, slots: given, signal }: { limit: number; slots?: Slots | undefined; signal?: AbortSignal | undefined },
): Promise<R[]> {
  const slots = new OwnSlots(given, limit)
  const controller = new AbortController()
  const results: R[] = []
  const turn = turns(controller.signal)
  const isList = Array.isArray(items)
  const iterator = isList ? items[Symbol.iterator]() : iteratorOf(items)
  let ready: IteratorResult<T> | undefined
  let position = 0
  const read = async () => {
    try {
      const { done, value } = await iterator.next()
      ready = { done: done === true, value: await value }
    } catch (error) {
      ready = { done: true, value: undefined }
      throw error
    }
  }
  const parts = {
    get hasNext() {
      // The items of an array need no waiting.
      if (isList) ready ??= iterator.next() as IteratorResult<T>
      return ready?.done === false
    },
    more: () => (ready?.done ? undefined : read()),
    next: async () => {
      const index = position++
      const item = ready!.value
      ready = undefined
      await turn()
      results[index] = await fn(item, index, { signal: controller.signal, slots: slots.shared })
    },
  }
  const stop = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    await untilAborted(signal, () => runInSlots(parts, { limit, slots, controller }))
  } finally {
    signal?.removeEventListener('abort', stop)
    if (!ready?.done) void close(iterator)
  }
  return results
}

/** Closes an iterator. Ignores a failure, because no reader is left to receive it. */
async function close(iterator: Iterator<unknown> | AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.()
  } catch {}
}
