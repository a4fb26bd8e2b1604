/**
 * @module
 * A limit of requests and tokens per minute that agents share.
 */
import { callback, checkOptions, type OptionTable, wholeNumber } from '@x/core/options'
import { chatTokens, isToolkitError } from '@x/core-model'
import { pause, raceAbort } from '@x/core-model/async'
import type { Layer } from '../loop/layer.ts'
import { replyUsage } from './replies.ts'

/** Options of {@link rateLimit}. */
interface RateLimitOptions {
  /** The most requests that start within 60 seconds, at least 1. @defaultValue no limit */
  requestsPerMinute?: number | undefined
  /**
   * The most tokens of requests and replies within 60 seconds, at least 1. The tokens of a request are estimated when it starts, and
   * corrected when the model reports them. A request with more tokens than this waits until nothing else counts.
   * @defaultValue no limit
   */
  tokensPerMinute?: number | undefined
  /** The most requests that run at the same time, at least 1. @defaultValue no limit */
  concurrentRequests?: number | undefined
  /** Returns the time, in milliseconds. @defaultValue performance.now */
  now?: (() => number) | undefined
  /** Waits. Must reject when the signal aborts. @defaultValue a timer */
  sleep?: ((ms: number, signal: AbortSignal | undefined) => Promise<void>) | undefined
}

const OPTIONS: OptionTable<RateLimitOptions> = {
  requestsPerMinute: wholeNumber(1),
  tokensPerMinute: wholeNumber(1),
  concurrentRequests: wholeNumber(1),
  now: callback,
  sleep: callback,
}

const MINUTE = 60_000

/**
 * Creates a rate limit: a layer to pass to all agents and loops that share the limit of a provider. Their model calls start in the order in
 * which they were made, and wait while a minute is full or too many run. If the provider refuses a call with `retryAfterMs` of at most a
 * minute, all wait that long; nobody waits for a longer one, like `retries`: the calls are made, and refused. Each attempt of a repeated
 * call counts.
 * @throws {ModelValidationError} if options are unknown or out of range.
 * @example
 * const limit = rateLimit({ requestsPerMinute: 500, tokensPerMinute: 200_000 })
 * const one = reactLoop({ llm: new ScriptedLLM({ answers: ['Answer: 1'] }), layers: [limit] })
 * const two = reactLoop({ llm: new ScriptedLLM({ answers: ['Answer: 2'] }), layers: [limit] })
 * const answers = await Promise.all([one.run('Count!'), two.run('Count!')])
 * answers.map(({ text }) => text) // => ['1', '2']
 */
export function rateLimit(options: RateLimitOptions): Layer {
  checkOptions('rateLimit', options, OPTIONS)
  const rate = new Rate(options)
  return {
    name: 'rateLimit',
    rank: 77,
    model: (next) => async (request, scope) => {
      const tokens = options.tokensPerMinute === undefined ? 0 : chatTokens(request.messages)
      const started = await rate.start(tokens, scope.signal)
      try {
        const reply = await next(request, scope)
        started.tokens = replyUsage(reply)?.totalTokens ?? tokens + chatTokens([reply.message])
        return reply
      } catch (error) {
        const { retryAfterMs } = isToolkitError(error, 'model_call') ? error : { retryAfterMs: null }
        if (retryAfterMs !== null && retryAfterMs <= MINUTE) rate.stopFor(retryAfterMs)
        throw error
      } finally {
        rate.end()
      }
    },
  }
}

/** A request that has started. */
interface Started {
  at: number
  tokens: number
}

class Rate {
  private readonly requests: number
  private readonly tokens: number
  private readonly most: number
  private readonly now: () => number
  private readonly sleep: NonNullable<RateLimitOptions['sleep']>
  /** The requests of the last minute, the oldest first. */
  private started: Started[] = []
  private running = 0
  /** Starts the request that waits for the end of another one. */
  private wake = () => {}
  private stoppedUntil = Number.NEGATIVE_INFINITY
  /** Resolves when the last request in the queue has started, or was cancelled. */
  private queue: Promise<unknown> = Promise.resolve()

  constructor({ requestsPerMinute, tokensPerMinute, concurrentRequests, now, sleep }: RateLimitOptions) {
    this.requests = requestsPerMinute ?? Number.POSITIVE_INFINITY
    this.tokens = tokensPerMinute ?? Number.POSITIVE_INFINITY
    this.most = concurrentRequests ?? Number.POSITIVE_INFINITY
    this.now = now ?? (() => performance.now())
    this.sleep = sleep ?? pause
  }

  /** Resolves when a request may start. */
  async start(tokens: number, signal: AbortSignal | undefined): Promise<Started> {
    const starting = this.queue.then(() => this.startNow(tokens, signal))
    this.queue = starting.catch(() => {})
    try {
      return await raceAbort(starting, signal)
    } catch (error) {
      // A request that was cancelled at the moment when it could start.
      void starting.then(
        () => this.end(),
        () => {},
      )
      throw error
    }
  }

  /** Ends a request that has started. */
  end(): void {
    this.running--
    this.wake()
  }

  stopFor(ms: number): void {
    this.stoppedUntil = Math.max(this.stoppedUntil, this.now() + ms)
  }

  private async startNow(tokens: number, signal: AbortSignal | undefined): Promise<Started> {
    for (;;) {
      signal?.throwIfAborted()
      const ms = this.delay(tokens)
      if (ms > 0) await this.sleep(ms, signal)
      else if (this.running >= this.most) await this.endOfOne(signal)
      else break
    }
    this.running++
    const started = { at: this.now(), tokens }
    this.started.push(started)
    return started
  }

  private async endOfOne(signal: AbortSignal | undefined): Promise<void> {
    const end = new Promise<void>((resolve) => {
      this.wake = resolve
    })
    await raceAbort(end, signal)
  }

  /** Returns the time until a request may start, as far as is known now, in milliseconds. */
  private delay(tokens: number): number {
    const now = this.now()
    this.started = this.started.filter(({ at }) => at > now - MINUTE)
    const { started } = this
    let first = Math.max(0, started.length + 1 - this.requests)
    let used = started.slice(first).reduce((sum, one) => sum + one.tokens, tokens)
    while (first < started.length && used > this.tokens) used -= started[first++]!.tokens
    const free = first === 0 ? now : started[first - 1]!.at + MINUTE
    return Math.max(free, this.stoppedUntil) - now
  }
}
