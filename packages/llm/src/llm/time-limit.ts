/**
 * @module
 * Time limits of attempts, and of the pieces of streams.
 */
import type { EmbedOptions } from '@x/core-model'
import { startTimer, untilAborted } from '@x/core-model/async'
import { ModelCallError } from './model-call-error.ts'

/** The options of a call that can be cancelled: of a language model, or of an embedding model. */
export type Cancellable = Pick<EmbedOptions, 'signal'>

/** The time limit of one attempt. The signal of its options aborts with the caller's signal, and when a piece of work takes too long. */
class TimeLimit<O extends Cancellable> {
  readonly options: O
  private readonly controller = new AbortController()
  private readonly timeoutMs: number | null
  private readonly what: string
  private readonly outer: AbortSignal | undefined
  private readonly onAbort = () => this.controller.abort(this.outer?.reason)

  /** @param what - the message of the error. */
  constructor(options: O, timeoutMs: number | null, what: string) {
    this.timeoutMs = timeoutMs
    this.what = what
    this.outer = options.signal
    this.options = { ...options, signal: this.controller.signal }
    if (this.outer?.aborted) this.onAbort()
    else this.outer?.addEventListener('abort', this.onAbort)
  }

  /** Calls `work` with a new time limit and returns its result. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { timeoutMs, controller, what } = this
    const stop = startTimer(timeoutMs, () => controller.abort(new ModelCallError(what, { kind: 'timeout' })))
    try {
      return await untilAborted(controller.signal, work)
    } finally {
      stop()
    }
  }

  /** Removes the listener from the caller's signal. */
  release(): void {
    this.outer?.removeEventListener('abort', this.onAbort)
  }
}

/**
 * Yields the pieces of a stream, each within a time limit.
 * @param start - starts the stream, with options whose signal aborts when the caller's does, or a piece takes too long.
 */
export async function* limited<T, O extends Cancellable>(
  options: O,
  limitMs: number | null,
  what: string,
  start: (options: O) => AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  const limit = new TimeLimit(options, limitMs, what)
  let pieces: AsyncIterator<T> | undefined
  let isReading = true
  try {
    pieces = start(limit.options)[Symbol.asyncIterator]()
    const stream = pieces
    for (;;) {
      isReading = true
      const next = await limit.run(() => stream.next())
      isReading = false
      if (next.done) return
      yield next.value
    }
  } finally {
    limit.release()
    // A reader that stops also stops the model. While a piece is awaited, the end of the model may never come.
    const end = close(pieces)
    if (!isReading) await end
  }
}

async function close(pieces: AsyncIterator<unknown> | undefined): Promise<void> {
  try {
    await pieces?.return?.()
  } catch {}
}
