/**
 * @module
 * A model that falls back to other models.
 */

import { isToolkitError } from '@x/core'
import { callback, checkGiven, checkOption, checkOptions, type OptionTable } from '@x/core/options'
import { errorMessage } from '@x/core/values'
import type { BaseLLM } from '@x/core-model'
import type { LLM } from './llm.ts'
import { type Ask, LLMWrapper, type ModelAnswer, type PassedCall } from './llm-wrapper.ts'
import { ModelCallError } from './model-call-error.ts'

/** Options of {@link withFallback}. */
interface FallbackOptions {
  /** Whether to call the next model after an error. @defaultValue true for each {@link ModelCallError} except kind `bad_request` */
  shouldFallBack?: ((error: unknown) => boolean | Promise<boolean>) | undefined
  /** Receives the error of a model before the next one is called. */
  onFallback?: ((error: unknown, next: BaseLLM) => void) | undefined
}

/**
 * Returns a model that calls the first model, and each further one if the previous one fails. If the last one fails too, it throws an error
 * like that of the last one, with the messages of all; the errors are those of its `cause`, an `AggregateError`. A stream falls back only
 * before its first piece. Metadata and prompt functions are those of the first model; the answer of another one has its name as
 * `additionalKwargs.model`.
 * @example
 * const down = new ModelCallError('a: no connection', { kind: 'connection' })
 * const llm = withFallback([new ScriptedLLM({ answers: [down] }), new ScriptedLLM({ answers: ['Paris'] })])
 * String(await llm.complete('Capital of France?')) // => 'Paris'
 */
export function withFallback(llms: readonly [BaseLLM, ...BaseLLM[]], options: FallbackOptions = {}): LLM {
  checkOption('withFallback', 'llms', llms, (value) =>
    Array.isArray(value) && value.length > 0 ? undefined : 'an array of at least one model',
  )
  checkGiven('withFallback', { ...llms }, 'a model', 'metadata')
  return new FallbackLLM(llms, options)
}

const fallbackOptions: OptionTable<FallbackOptions> = { shouldFallBack: callback, onFallback: callback }

class FallbackLLM extends LLMWrapper {
  static override className(): string {
    return 'FallbackLLM'
  }

  readonly llms: readonly BaseLLM[]
  readonly fallback: FallbackOptions

  constructor(llms: readonly [BaseLLM, ...BaseLLM[]], fallback: FallbackOptions) {
    super(llms[0])
    checkOptions('withFallback', fallback, fallbackOptions)
    this.llms = llms
    this.fallback = fallback
  }

  /** @internal */
  protected override async *passOn<T extends ModelAnswer>(
    { options }: PassedCall,
    ask: Ask<T>,
  ): AsyncGenerator<T, void, undefined> {
    const { shouldFallBack = isWorthAnotherModel, onFallback } = this.fallback
    const failed: unknown[] = []
    for (const [index, llm] of this.llms.entries()) {
      let hasStarted = false
      try {
        for await (const answer of ask(llm, options)) {
          hasStarted = true
          yield index === 0 ? answer : answeredBy(llm, answer)
        }
        return
      } catch (error) {
        const next = this.llms[index + 1]
        failed.push(error)
        if (hasStarted || next === undefined || options.signal?.aborted || !(await shouldFallBack(error)))
          throw errorOfAll(failed, error)
        await onFallback?.(error, next)
      }
    }
  }
}

/** Returns an answer that says which model gave it: the metadata are those of the first one. */
function answeredBy<T extends ModelAnswer>({ metadata: { modelName } }: BaseLLM, answer: T): T {
  return answer.copy({ update: { additionalKwargs: { model: modelName, ...answer.additionalKwargs } } }) as T
}

/** Returns the last error, with the others if it says that a call failed. */
function errorOfAll(failed: readonly unknown[], last: unknown): unknown {
  if (failed.length === 1 || !isToolkitError(last, 'model_call')) return last
  const { kind, status, retryAfterMs } = last
  const retryable = failed.some((error) => isToolkitError(error, 'model_call') && error.retryable)
  const cause = new AggregateError(failed)
  const message = `${failed.length} models failed: ${failed.map(errorMessage).join('; ')}`
  return new ModelCallError(message, { kind, status, retryAfterMs, retryable, cause })
}

function isWorthAnotherModel(error: unknown): boolean {
  return isToolkitError(error, 'model_call') && error.kind !== 'bad_request'
}
