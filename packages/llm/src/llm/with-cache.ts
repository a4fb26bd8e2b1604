/**
 * @module
 * A model that caches its answers.
 */

import { checkGiven } from '@x/core/options'
import type { AnswerCache, BaseLLM } from '@x/core-model'
import { ChatResponse, CompletionResponse } from '@x/core-model'
import { untilAborted } from '@x/core-model/async'
import { sha256 } from '@x/core-model/data'
import type { LLM } from './llm.ts'
import { type Ask, LLMWrapper, type ModelAnswer, type PassedCall } from './llm-wrapper.ts'

/** The options that do not change the answer of a call. */
const nonKeyOptions: readonly string[] = ['signal', 'parentId', 'timeoutMs', 'headers', 'formatted']

/** What an answer of a cache has cost. */
const NO_USAGE = { input_tokens: 0, output_tokens: 0, total_tokens: 0 }

/**
 * Returns a model that answers repeated calls from a cache. Calls are the same if model name, messages or prompt, and options (except
 * signal, headers and time limit) are equal. `raw` is not cached. A cached stream is one piece, and the usage of
 * a cached answer is 0. Failed calls and streams that were not
 * read to the end are not cached. Errors of the cache are thrown unchanged.
 * @param cache - stores the answers. @defaultValue a new `Map`
 * @example
 * const llm = withCache(new ScriptedLLM({ answers: ['Paris'] }))
 * String(await llm.complete('Capital of France?')) // => 'Paris'
 * String(await llm.complete('Capital of France?')) // => 'Paris'
 */
export function withCache(llm: BaseLLM, cache: AnswerCache = new Map<string, string>()): LLM {
  checkGiven('withCache', { llm }, 'a model', 'metadata')
  return new CachedLLM(llm, cache)
}

class CachedLLM extends LLMWrapper {
  static override className(): string {
    return 'CachedLLM'
  }

  readonly cache: AnswerCache

  constructor(wrapped: BaseLLM, cache: AnswerCache) {
    super(wrapped)
    this.cache = cache
  }

  /** @internal */
  protected override async *passOn<T extends ModelAnswer>(
    call: PassedCall,
    ask: Ask<T>,
  ): AsyncGenerator<T, void, undefined> {
    const [kind, isStream] = [call.kind.replace('stream_', ''), call.kind.startsWith('stream_')]
    const key = this.keyOf(kind, call)
    const kept = await untilAborted(call.options.signal, () => this.cache.get(key))
    if (typeof kept === 'string') {
      const answer = (kind === 'chat' ? ChatResponse.fromJson(kept) : CompletionResponse.fromJson(kept)) as T
      const additionalKwargs = { ...answer.additionalKwargs, usage: NO_USAGE }
      yield answer.copy({ update: { additionalKwargs, ...(isStream && { delta: String(answer) }) } }) as T
      return
    }
    let last: T | undefined
    for await (const answer of super.passOn(call, ask)) yield (last = answer)
    // Without `raw`, which may be a live object, and without the last piece of the text.
    if (last) await this.cache.set(key, last.toJson({ exclude: ['raw', 'delta'] }))
  }

  private keyOf(kind: string, { messages, prompt, options }: PassedCall): string {
    const own = Object.entries(options).filter(([name, value]) => value !== undefined && !nonKeyOptions.includes(name))
    const sorted = Object.fromEntries(own.sort(([a], [b]) => (a < b ? -1 : 1)))
    const call = [kind, this.metadata.modelName, messages ?? prompt, sorted]
    return sha256(JSON.stringify(call, withOwnForm))
  }
}

/** Returns a form of values that JSON does not distinguish. */
function withOwnForm(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { bigint: `${value}` }
  if (value instanceof Map) return { map: [...value] }
  return value instanceof Set ? { set: [...value] } : value
}
