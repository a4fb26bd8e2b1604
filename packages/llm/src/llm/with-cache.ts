/**
 * @module
 * A model that caches its answers.
 */

import type { AnswerCache, BaseLLM, CallOptions, ChatMessage, CompleteOptions } from '@x/core-model'
import { ChatResponse, CompletionResponse } from '@x/core-model'
import { untilAborted } from '@x/core-model/async'
import { sha256 } from '@x/core-model/data'
import type { LLM } from './llm.ts'
import { LLMWrapper } from './llm-wrapper.ts'

/** The options that do not change the answer of a call. */
const nonKeyOptions: readonly string[] = ['signal', 'parentId', 'timeoutMs', 'headers', 'formatted']

/**
 * Returns a model that answers repeated calls from a cache. Calls are the same if model name, messages or prompt, and options (except
 * signal, headers and time limit) are equal. `raw` is not cached. A cached stream is one piece. Failed calls and streams that were not
 * read to the end are not cached. Errors of the cache are thrown unchanged.
 * @param cache - stores the answers. @defaultValue a new `Map`
 * @example
 * const llm = withCache(new ScriptedLLM({ answers: ['Paris'] }))
 * String(await llm.complete('Capital of France?')) // => 'Paris'
 * String(await llm.complete('Capital of France?')) // => 'Paris'
 */
export function withCache(llm: BaseLLM, cache: AnswerCache = new Map<string, string>()): LLM {
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

  protected override async chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse> {
    const key = this.keyOf('chat', messages, options)
    const kept = await this.find(key, options)
    if (kept !== null) return ChatResponse.fromJson(kept)
    const response = await super.chatRequest(messages, options)
    await this.keep(key, write(response))
    return response
  }

  protected override async completeRequest(prompt: string, options: CompleteOptions): Promise<CompletionResponse> {
    const key = this.keyOf('complete', prompt, options)
    const kept = await this.find(key, options)
    if (kept !== null) return CompletionResponse.fromJson(kept)
    const response = await super.completeRequest(prompt, options)
    await this.keep(key, write(response))
    return response
  }

  protected override async *streamChatRequest(
    messages: readonly ChatMessage[],
    options: CallOptions,
  ): AsyncGenerator<ChatResponse, void, undefined> {
    const key = this.keyOf('chat', messages, options)
    const kept = await this.find(key, options)
    if (kept !== null) {
      const response = ChatResponse.fromJson(kept)
      yield response.copy({ update: { delta: response.toString() } })
      return
    }
    let last: ChatResponse | undefined
    for await (const piece of super.streamChatRequest(messages, options)) yield (last = piece)
    if (last) await this.keep(key, write(last))
  }

  protected override async *streamCompleteRequest(
    prompt: string,
    options: CompleteOptions,
  ): AsyncGenerator<CompletionResponse, void, undefined> {
    const key = this.keyOf('complete', prompt, options)
    const kept = await this.find(key, options)
    if (kept !== null) {
      const response = CompletionResponse.fromJson(kept)
      yield response.copy({ update: { delta: response.text } })
      return
    }
    let last: CompletionResponse | undefined
    for await (const piece of super.streamCompleteRequest(prompt, options)) yield (last = piece)
    if (last) await this.keep(key, write(last))
  }

  private keyOf(kind: string, input: unknown, options: CallOptions): string {
    const own = Object.entries(options).filter(([name, value]) => value !== undefined && !nonKeyOptions.includes(name))
    const call = [kind, this.metadata.modelName, input, Object.fromEntries(own.sort(([a], [b]) => (a < b ? -1 : 1)))]
    return sha256(JSON.stringify(call, (_key, value) => (typeof value === 'bigint' ? { bigint: `${value}` } : value)))
  }

  private async find(key: string, { signal }: CallOptions): Promise<string | null> {
    return (await untilAborted(signal, () => this.cache.get(key))) ?? null
  }

  private async keep(key: string, answer: string): Promise<void> {
    await this.cache.set(key, answer)
  }
}

/** Returns the answer as JSON, without `raw` and `delta`. */
function write(response: ChatResponse | CompletionResponse): string {
  return response.toJson({ exclude: ['raw', 'delta'] })
}
