/**
 * @module
 * A model that repeats failed calls.
 */

import { isInstance } from '@x/core'
import { checkGiven, milliseconds, type OptionTable } from '@x/core/options'
import type { BaseLLM, EmbedOptions, RepeatOptions } from '@x/core-model'
import { RetryPolicy, repeatOptions } from '@x/core-model/async'
import { BaseEmbedding } from './embedding/base-embedding.ts'
import type { LLM } from './llm/llm.ts'
import { type Ask, LLMWrapper, lastOf, type ModelAnswer, once, type PassedCall } from './llm/llm-wrapper.ts'
import { type Cancellable, limited } from './llm/time-limit.ts'

/** Options of {@link withRetry}. */
interface RetryOptions extends RepeatOptions {
  /**
   * Time limit of one attempt in milliseconds; for a stream, of each piece. `timeoutMs` of a call of a language model has priority.
   * @defaultValue no limit
   */
  timeoutMs?: number | null | undefined
}

/**
 * Wraps a language model or an embedding model: the returned model repeats failed calls, and limits their time.
 *
 * The delay before a repetition is `retryAfterMs` of the provider plus up to 10 %. Otherwise it is random, between 50 % and 100 % of a
 * limit that doubles each time. A stream is repeated only before the first piece of its text, its reasoning or its calls; of strings to
 * embed, the batch that failed. An abort ends calls and delays at once.
 * @throws {ModelValidationError} if an option is unknown or out of range.
 * @example
 * const busy = new ModelCallError('model: busy', { kind: 'overloaded' })
 * const llm = withRetry(new ScriptedLLM({ answers: [busy, 'Paris'] }), { baseDelayMs: 1 })
 * String(await llm.complete('Capital of France?')) // => 'Paris'
 */
export function withRetry(llm: BaseLLM, options?: RetryOptions): LLM
export function withRetry(embedModel: BaseEmbedding, options?: RetryOptions): BaseEmbedding
export function withRetry(model: BaseLLM | BaseEmbedding, options: RetryOptions = {}): LLM | BaseEmbedding {
  if (isInstance(model, BaseEmbedding)) return new RetryEmbedding(model, options)
  checkGiven('withRetry', { model }, 'a model', 'metadata')
  return new RetryLLM(model, options)
}

const retryOptions: OptionTable<RetryOptions> = { ...repeatOptions, timeoutMs: milliseconds(1, 'or null') }

/** The attempts of the calls of one model. */
class Attempts {
  private readonly policy: RetryPolicy
  private readonly timeoutMs: number | null

  constructor(options: RetryOptions) {
    this.policy = new RetryPolicy('withRetry', options, retryOptions)
    this.timeoutMs = options.timeoutMs ?? null
  }

  /** Yields the answers of a call. It is repeated until `hasContent` returns true for one of them. */
  async *of<T, O extends Cancellable & { timeoutMs?: number | null | undefined }>(
    call: O,
    ask: (options: O) => AsyncIterable<T>,
    hasContent: (answer: T) => boolean,
  ): AsyncGenerator<T, void, undefined> {
    const { timeoutMs = this.timeoutMs, ...options } = call
    const what = `The model took more than ${timeoutMs} ms.`
    const wait = this.policy.waits(call.signal)
    for (;;) {
      let hasStarted = false
      try {
        for await (const answer of limited(options as unknown as O, timeoutMs, what, ask)) {
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

class RetryLLM extends LLMWrapper {
  static override className(): string {
    return 'RetryLLM'
  }

  /** Agents do not repeat the calls of a model that has this field. */
  readonly retry: Attempts

  constructor(wrapped: BaseLLM, options: RetryOptions) {
    super(wrapped)
    this.retry = new Attempts(options)
  }

  /** @internal */
  protected override passOn<T extends ModelAnswer>({ options }: PassedCall, ask: Ask<T>): AsyncIterable<T> {
    return this.retry.of(options, (own) => ask(this.wrapped, own), hasContent)
  }
}

class RetryEmbedding extends BaseEmbedding {
  static override className(): string {
    return 'RetryEmbedding'
  }

  private readonly wrapped: BaseEmbedding
  private readonly retry: Attempts

  constructor(wrapped: BaseEmbedding, options: RetryOptions) {
    super({ modelName: wrapped.modelName, embedBatchSize: wrapped.embedBatchSize })
    this.wrapped = wrapped
    this.retry = new Attempts(options)
  }

  override get provider(): string | null {
    return this.wrapped.provider
  }

  override get endpoint(): LLM['endpoint'] {
    return this.wrapped.endpoint
  }

  protected override queryRequest(query: string, options: EmbedOptions): Promise<number[]> {
    return this.repeat(options, (own) => this.wrapped.getQueryEmbedding(query, own))
  }

  protected override textRequest(text: string, options: EmbedOptions): Promise<number[]> {
    return this.repeat(options, (own) => this.wrapped.getTextEmbedding(text, own))
  }

  protected override textsRequest(texts: readonly string[], options: EmbedOptions): Promise<number[][]> {
    return this.repeat(options, (own) => this.wrapped.getTextEmbeddingBatch(texts, own))
  }

  protected override queriesRequest(queries: readonly string[], options: EmbedOptions): Promise<number[][]> {
    return this.repeat(options, (own) => this.wrapped.getQueryEmbeddingBatch(queries, own))
  }

  private repeat<T>(options: EmbedOptions, request: (options: EmbedOptions) => Promise<T>): Promise<T> {
    return lastOf(
      this.retry.of(
        options,
        (own) => once(request(own)),
        () => true,
      ),
    )
  }
}

/** Whether a piece of a stream contains something of the answer, instead of data about it alone. */
function hasContent(answer: ModelAnswer): boolean {
  if (!('message' in answer)) return answer.text !== ''
  const { content, additionalKwargs, parts } = answer.message
  return Boolean(content?.length || additionalKwargs['tool_calls'] || additionalKwargs['reasoning'] || parts?.length)
}
