/**
 * @module
 * A model that repeats failed calls.
 */

import { milliseconds, type OptionTable } from '@x/core/options'
import type { BaseLLM, CallOptions, RepeatOptions } from '@x/core-model'
import { RetryPolicy, repeatOptions, startTimer, untilAborted } from '@x/core-model/async'
import type { LLM } from './llm.ts'
import { LLMWrapper } from './llm-wrapper.ts'
import { ModelCallError } from './model-call-error.ts'

/** Options of {@link withRetry}. */
export interface RetryOptions extends RepeatOptions {
  /**
   * Time limit of one attempt in milliseconds; for a stream, of each piece. `timeoutMs` of a call has priority.
   * @defaultValue no limit
   */
  timeoutMs?: number | null | undefined
}

/**
 * Wraps a model: the returned model repeats failed calls, and limits their time.
 *
 * The delay before a repetition is `retryAfterMs` of the provider plus up to 10 %. Otherwise it is random, between 50 % and 100 % of a limit
 * that doubles each time. A stream is repeated only before its first piece. An abort ends calls and delays at once.
 * @throws {ModelValidationError} if an option is unknown or out of range.
 * @example
 * const busy = new ModelCallError('model: busy', { kind: 'overloaded' })
 * const llm = withRetry(new ScriptedLLM({ answers: [busy, 'Paris'] }), { baseDelayMs: 1 })
 * String(await llm.complete('Capital of France?')) // => 'Paris'
 */
export function withRetry(llm: BaseLLM, options: RetryOptions = {}): LLM {
  return new RetryLLM(llm, options)
}

const retryOptions: OptionTable<RetryOptions> = { ...repeatOptions, timeoutMs: milliseconds(1, 'or null') }

class RetryLLM extends LLMWrapper {
  static override className(): string {
    return 'RetryLLM'
  }

  /** Agents do not repeat the calls of a model that has this field. */
  readonly retry: RetryPolicy
  readonly timeoutMs: number | null

  constructor(wrapped: BaseLLM, options: RetryOptions) {
    super(wrapped)
    this.retry = new RetryPolicy('withRetry', options, retryOptions)
    this.timeoutMs = options.timeoutMs ?? null
  }

  protected override passOn<T>(
    options: CallOptions,
    request: (llm: BaseLLM, options: CallOptions) => Promise<T>,
  ): Promise<T> {
    const attempt = async (): Promise<T> => {
      const limit = new TimeLimit(options, this.timeoutMs)
      try {
        return await limit.run(() => request(this.wrapped, limit.options))
      } finally {
        limit.release()
      }
    }
    return this.retry.repeat(attempt, options.signal)
  }

  protected override async *passOnStream<T>(
    options: CallOptions,
    request: (llm: BaseLLM, options: CallOptions) => AsyncIterable<T>,
  ): AsyncGenerator<T, void, undefined> {
    const wait = this.retry.waits(options.signal)
    for (;;) {
      const limit = new TimeLimit(options, this.timeoutMs)
      let hasStarted = false
      let pieces: AsyncIterator<T> | undefined
      try {
        pieces = request(this.wrapped, limit.options)[Symbol.asyncIterator]()
        const stream = pieces
        for (;;) {
          const next = await limit.run(() => stream.next())
          if (next.done) return
          hasStarted = true
          yield next.value
        }
      } catch (error) {
        if (hasStarted) throw error
        await wait(error)
      } finally {
        limit.release()
        // A reader that stops also stops the model; the end of the model is not awaited.
        void close(pieces)
      }
    }
  }
}

/** The time limit of one attempt. The signal of its options aborts with the caller's signal, and when a piece of work takes too long. */
class TimeLimit {
  readonly options: CallOptions
  private readonly controller = new AbortController()
  private readonly timeoutMs: number | null
  private readonly outer: AbortSignal | undefined
  private readonly onAbort = () => this.controller.abort(this.outer?.reason)

  constructor({ timeoutMs, ...options }: CallOptions, byDefault: number | null) {
    this.timeoutMs = timeoutMs ?? byDefault
    this.outer = options.signal
    this.options = { ...options, signal: this.controller.signal }
    if (this.outer?.aborted) this.onAbort()
    else this.outer?.addEventListener('abort', this.onAbort, { once: true })
  }

  /** Calls `work` with a new time limit and returns its result. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { timeoutMs, controller } = this
    const stop = startTimer(timeoutMs, () =>
      controller.abort(new ModelCallError(`The model took more than ${timeoutMs} ms.`, { kind: 'timeout' })),
    )
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

async function close(pieces: AsyncIterator<unknown> | undefined): Promise<void> {
  try {
    await pieces?.return?.()
  } catch {}
}
