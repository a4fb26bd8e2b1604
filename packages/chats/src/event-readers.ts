/**
 * @module
 * Readers of events that are there, and of events that come.
 */
import type { AgentEvent } from '@x/agents'
import { errorEvent } from '@x/agents/protocol'
import { isToolkitError } from '@x/core-model'

/** Yields what is there, then what comes. */
export async function* concat<T>(first: readonly T[], rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield* first
  yield* rest
}

export async function* nothing(): AsyncGenerator<never> {}

/** Returns two readers of the same events. The second one reads what the first one has read. */
export function tee<T>(source: AsyncIterable<T>): [AsyncIterable<T>, AsyncIterable<T>] {
  const passed: T[] = []
  let wake = () => {}
  let end: { error?: unknown } | undefined
  async function* first() {
    try {
      for await (const item of source) {
        passed.push(item)
        wake()
        yield item
      }
      end = {}
    } catch (error) {
      end = { error }
      throw error
    } finally {
      end ??= {}
      wake()
    }
  }
  async function* second() {
    for (;;) {
      while (passed.length > 0) yield passed.shift()!
      if (end && 'error' in end) throw end.error
      if (end) return
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return [first(), second()]
}

/** The lines of a stream; behind those of one whose process has ended, the lines of an error. */
export async function* orError(
  lines: AsyncIterable<string>,
  linesOf: (event: AsyncIterable<AgentEvent>) => AsyncIterable<string>,
) {
  try {
    yield* lines
  } catch (error) {
    if (!isToolkitError(error, 'abort')) throw error
    const failed = errorEvent(null, error) as Extract<AgentEvent, { type: 'error' }>
    yield* linesOf(concat([{ ...failed, error: { ...failed.error, code: 'interrupted', retryable: true } }], nothing()))
  }
}
