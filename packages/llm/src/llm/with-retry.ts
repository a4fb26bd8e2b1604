/**
 * @module
 * A model that repeats failed calls.
 */

import { milliseconds, type OptionTable } from '@x/core/options'
import type { BaseLLM, RepeatOptions } from '@x/core-model'
import { RetryPolicy, repeatOptions } from '@x/core-model/async'
import type { LLM } from './llm.ts'
import { type Ask, LLMWrapper, type ModelAnswer, type PassedCall } from './llm-wrapper.ts'
import { limited } from './time-limit.ts'

/** Options of {@link withRetry}. */
interface RetryOptions extends RepeatOptions {
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
 * that doubles each time. A stream is repeated only before the first piece of its text, its reasoning or its calls. An abort ends calls and delays at once.
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

  /** @internal */
  protected override async *passOn<T extends ModelAnswer>(
    call: PassedCall,
    ask: Ask<T>,
  ): AsyncGenerator<T, void, undefined> {
    const { timeoutMs = this.timeoutMs, ...options } = call.options
    const what = `The model took more than ${timeoutMs} ms.`
    const wait = this.retry.waits(options.signal)
    for (;;) {
      let hasStarted = false
      try {
        for await (const answer of limited(options, timeoutMs, what, (own) => ask(this.wrapped, own))) {
          hasStarted ||= hasContent(answer)
          yield answer
        }
        return
      } catch (error) {
        if (hasStarted) throw error
        await wait(error)
      }
    }
  }
}

/** Whether a piece of a stream contains something of the answer, instead of data about it alone. */
function hasContent(answer: ModelAnswer): boolean {
  if (!('message' in answer)) return answer.text !== ''
  const { content, additionalKwargs, parts } = answer.message
  return Boolean(content?.length || additionalKwargs['tool_calls'] || additionalKwargs['reasoning'] || parts?.length)
}
