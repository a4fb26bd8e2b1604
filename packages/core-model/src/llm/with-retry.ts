/**
 * @module
 * A model that repeats failed calls.
 */

import { untilAborted } from '../abort.ts'
import type { BaseLLM, CallOptions, CompleteOptions } from '../contracts/llm.ts'
import { ConfigurationError } from '../errors.ts'
import type { ChatMessage } from '../messages/chat-message.ts'
import type { ChatResponse, CompletionResponse } from '../messages/responses.ts'
import { isToolkitError } from '../toolkit-errors.ts'
import type { LLM } from './llm.ts'
import { LLMWrapper } from './llm-wrapper.ts'
import { ModelCallError } from './model-call-error.ts'

/** One repetition. */
export interface RetryAttempt {
  /** The number of the attempt that failed; the first one is 1. */
  attempt: number
  /** Why it failed. */
  error: unknown
  /** How long the wrapper waits before the next attempt, in milliseconds. */
  delayMs: number
}

/** How failed calls are repeated. */
export interface RetryOptions {
  /** How often a call is made at most, the first time included; at least 1. @defaultValue 3 */
  maxAttempts?: number | undefined
  /** The longest wait before the first repetition, in milliseconds; it doubles each time. @defaultValue 500 */
  baseDelayMs?: number | undefined
  /** The longest wait, in milliseconds. A provider that asks for more time ends the attempts. @defaultValue 60000 */
  maxDelayMs?: number | undefined
  /**
   * How long one attempt may take, in milliseconds; of a stream, how long each piece may take. `timeoutMs` of a call wins.
   * @defaultValue no limit
   */
  timeoutMs?: number | null | undefined
  /** Whether a failed attempt is repeated. @defaultValue errors of this family that are `retryable` */
  shouldRetry?: ((error: unknown) => boolean) | undefined
  /** Receives each repetition before the wait. */
  onRetry?: ((attempt: RetryAttempt) => void) | undefined
  /** A number from 0 up to 1, for the jitter. @defaultValue Math.random */
  random?: (() => number) | undefined
  /** Waits; rejects when the signal aborts. @defaultValue a timer */
  sleep?: ((ms: number, signal: AbortSignal | undefined) => Promise<void>) | undefined
}

/** Whether an error says that the same operation may succeed later. */
export function isRetryable(error: unknown): boolean {
  return isToolkitError(error) && error.retryable
}

/**
 * A model that repeats failed calls of another one, and limits their time.
 *
 * The wait before a repetition is random, between half and all of a limit that doubles each time, or what the provider asks for
 * (`retryAfterMs`) when that is longer. A stream is repeated only before its first piece. An abort ends calls and waits at once.
 * @throws {ConfigurationError} when an option is out of range.
 * @example
 * const busy = new ModelCallError('model: busy', { kind: 'overloaded' })
 * const llm = withRetry(new ScriptedLLM({ answers: [busy, 'Paris'] }), { baseDelayMs: 1 })
 * String(await llm.complete('Capital of France?')) // => 'Paris'
 */
export function withRetry(llm: BaseLLM, options: RetryOptions = {}): LLM {
  return new RetryLLM(llm, options)
}

class RetryLLM extends LLMWrapper {
  static override className(): string {
    return 'RetryLLM'
  }

  readonly retry: Required<Omit<RetryOptions, 'onRetry'>> & Pick<RetryOptions, 'onRetry'>

  constructor(wrapped: BaseLLM, options: RetryOptions) {
    super(wrapped)
    this.retry = {
      maxAttempts: atLeast(1, 'maxAttempts', options.maxAttempts ?? 3),
      baseDelayMs: atLeast(0, 'baseDelayMs', options.baseDelayMs ?? 500),
      maxDelayMs: atLeast(0, 'maxDelayMs', options.maxDelayMs ?? 60_000),
      timeoutMs: options.timeoutMs == null ? null : atLeast(1, 'timeoutMs', options.timeoutMs),
      shouldRetry: options.shouldRetry ?? isRetryable,
      random: options.random ?? Math.random,
      sleep: options.sleep ?? sleep,
      onRetry: options.onRetry,
    }
  }

  protected override chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse> {
    return this.repeated(options, (own) => super.chatRequest(messages, own))
  }

  protected override completeRequest(prompt: string, options: CompleteOptions): Promise<CompletionResponse> {
    return this.repeated(options, (own) => super.completeRequest(prompt, own))
  }

  protected override streamChatRequest(
    messages: readonly ChatMessage[],
    options: CallOptions,
  ): AsyncIterable<ChatResponse> {
    return this.repeatedStream(options, (own) => super.streamChatRequest(messages, own))
  }

  protected override streamCompleteRequest(
    prompt: string,
    options: CompleteOptions,
  ): AsyncIterable<CompletionResponse> {
    return this.repeatedStream(options, (own) => super.streamCompleteRequest(prompt, own))
  }

  private async repeated<T>(options: CallOptions, request: (options: CallOptions) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const limit = new TimeLimit(options, this.retry.timeoutMs)
      try {
        return await limit.run(() => request(limit.options))
      } catch (error) {
        await this.wait(error, attempt, options.signal)
      } finally {
        limit.release()
      }
    }
  }

  private async *repeatedStream<T>(
    options: CallOptions,
    request: (options: CallOptions) => AsyncIterable<T>,
  ): AsyncGenerator<T, void, undefined> {
    for (let attempt = 1; ; attempt++) {
      const limit = new TimeLimit(options, this.retry.timeoutMs)
      let hasStarted = false
      let pieces: AsyncIterator<T> | undefined
      try {
        pieces = request(limit.options)[Symbol.asyncIterator]()
        const stream = pieces
        for (;;) {
          const next = await limit.run(() => stream.next())
          if (next.done) return
          hasStarted = true
          yield next.value
        }
      } catch (error) {
        if (hasStarted) throw error
        await this.wait(error, attempt, options.signal)
      } finally {
        limit.release()
        // A reader that leaves stops the model; one that fails to stop is not waited for.
        void close(pieces)
      }
    }
  }

  /** Waits before the next attempt, or throws if no attempt is left. */
  private async wait(error: unknown, attempt: number, signal: AbortSignal | undefined): Promise<void> {
    const { maxAttempts, baseDelayMs, maxDelayMs, shouldRetry, random, sleep, onRetry } = this.retry
    if (signal?.aborted || attempt >= maxAttempts || !shouldRetry(error)) throw error
    const limit = Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1))
    const asked = (isToolkitError(error, 'model_call') && error.retryAfterMs) || 0
    if (asked > maxDelayMs) throw error
    const delayMs = Math.max(asked, limit / 2 + (limit / 2) * random())
    onRetry?.({ attempt, error, delayMs })
    await sleep(delayMs, signal)
  }
}

/** The time limit of one attempt. The signal of its options aborts with the caller's signal, and when a piece of work takes too long. */
class TimeLimit {
  readonly options: CallOptions
  private readonly controller = new AbortController()
  private readonly timeoutMs: number | null
  private readonly outer: AbortSignal | undefined
  private readonly onAbort = () => this.controller.abort(this.outer?.reason)
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor({ timeoutMs, ...options }: CallOptions, byDefault: number | null) {
    this.timeoutMs = timeoutMs ?? byDefault
    this.outer = options.signal
    this.options = { ...options, signal: this.controller.signal }
    if (this.outer?.aborted) this.onAbort()
    else this.outer?.addEventListener('abort', this.onAbort, { once: true })
  }

  /** The result of `work`, for which the time starts anew. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { timeoutMs, controller } = this
    if (timeoutMs !== null) {
      const error = new ModelCallError(`The model took more than ${timeoutMs} ms.`, { kind: 'timeout' })
      this.timer = setTimeout(() => controller.abort(error), timeoutMs)
    }
    try {
      return await untilAborted(controller.signal, work)
    } finally {
      clearTimeout(this.timer)
    }
  }

  /** Lets go of the caller's signal. */
  release(): void {
    this.outer?.removeEventListener('abort', this.onAbort)
  }
}

async function close(pieces: AsyncIterator<unknown> | undefined): Promise<void> {
  try {
    await pieces?.return?.()
  } catch {}
}

async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}

function atLeast(least: number, name: string, value: number): number {
  if (typeof value === 'number' && value >= least) return value
  throw new ConfigurationError(`withRetry.${name}: expected a number of at least ${least}, received ${String(value)}.`)
}
