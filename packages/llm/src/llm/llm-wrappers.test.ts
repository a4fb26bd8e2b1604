import type { BaseLLM, CallOptions, EmbedOptions, RetryAttempt } from '@x/core-model'
import { CallbackManager, ChatMessage, ChatResponse, LLMMetadata, usageOf } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { describe, expect, it, vi } from 'vitest'
import { type BaseEmbedding, BatchEmbedding } from '../embedding/base-embedding.ts'
import type { BaseEmbeddingOptions } from '../generated/base-embedding.ts'
import { type ScriptedAnswer, ScriptedLLM } from '../testing/scripted-llm.ts'
import { withRetry } from '../with-retry.ts'
import { ModelCallError } from './model-call-error.ts'
import { withCache } from './with-cache.ts'
import { withFallback } from './with-fallback.ts'

const busy = () => new ModelCallError('busy', { kind: 'overloaded' })
const question = [new ChatMessage({ content: 'Capital of France?' })]

/** A model whose requests stay pending until they are aborted. It records the abort. */
class SilentLLM extends ScriptedLLM {
  readonly reasons: unknown[] = []
  readonly firstPieces: number

  constructor(firstPieces = 0) {
    super()
    this.firstPieces = firstPieces
  }

  protected override chatRequest(_messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse> {
    return this.silence(options)
  }

  protected override async *streamChatRequest(_messages: readonly ChatMessage[], options: CallOptions) {
    for (let i = 0; i < this.firstPieces; i++)
      yield new ChatResponse({ message: new ChatMessage({ content: 'a' }), delta: 'a' })
    yield await this.silence(options)
  }

  private silence({ signal }: CallOptions): Promise<ChatResponse> {
    return new Promise((_, reject) =>
      signal?.addEventListener('abort', () => {
        this.reasons.push(signal.reason)
        reject(signal.reason)
      }),
    )
  }
}

async function pieces(stream: AsyncIterable<ChatResponse>): Promise<string[]> {
  const found: string[] = []
  for await (const { delta } of stream) found.push(delta ?? '')
  return found
}

/** Embeds one string as its length, after as many failures as `failures` has. */
class BusyEmbedding extends BatchEmbedding {
  readonly requests: (readonly string[])[] = []
  readonly failures: (Error | 'silent')[]

  constructor(failures: (Error | 'silent')[] = [], options: BaseEmbeddingOptions = {}) {
    super({ embedBatchSize: 2, modelName: 'lengths', ...options })
    this.failures = failures
  }

  override get endpoint() {
    return { address: 'localhost', port: 1 }
  }

  protected override async textsRequest(texts: readonly string[], { signal, onUsage }: EmbedOptions) {
    this.requests.push(texts)
    const failure = this.failures.shift()
    if (failure === 'silent')
      await new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)))
    else if (failure) throw failure
    onUsage?.(texts.length)
    return texts.map(({ length }) => [length])
  }

  protected override async queriesRequest(queries: readonly string[], options: EmbedOptions) {
    await this.textsRequest(queries, options)
    return queries.map(({ length }) => [-length])
  }
}

describe('withRetry of an embedding model', () => {
  it('repeats the request that failed, and no batch that is embedded', async () => {
    const inner = new BusyEmbedding()
    const embedding: BaseEmbedding = withRetry(inner, { baseDelayMs: 0, maxAttempts: 2 })
    inner.failures.push(busy())
    expect(await embedding.getQueryEmbedding('ab')).toEqual([-2])
    expect(await embedding.getQueryEmbeddingBatch(['a'])).toEqual([[-1]])
    expect(await embedding.getTextEmbedding('ab')).toEqual([2])
    inner.requests.length = 0
    const tokens: number[] = []
    const vectors = embedding.getTextEmbeddingBatch(['a', 'bb', 'ccc', 'dddd', 'e'], {
      showProgress: true,
      onProgress: ({ done }) => void (done === 2 && inner.failures.push(busy())),
      onUsage: (count) => void tokens.push(count),
    })
    expect(await vectors).toEqual([[1], [2], [3], [4], [1]])
    expect(inner.requests).toEqual([['a', 'bb'], ['ccc', 'dddd'], ['ccc', 'dddd'], ['e']])
    expect(tokens).toEqual([2, 2, 1])
    inner.failures.push(busy(), busy())
    await expect(embedding.getTextEmbedding('a')).rejects.toMatchObject({ kind: 'overloaded' })
    inner.failures.push(new Error('broken'))
    await expect(embedding.getTextEmbedding('a')).rejects.toThrow('broken')
  })

  it('has the name, the batch size and the server of the model', () => {
    const { modelName, embedBatchSize, endpoint, provider } = withRetry(new BusyEmbedding())
    expect({ modelName, embedBatchSize, endpoint, provider }).toEqual({
      modelName: 'lengths',
      embedBatchSize: 2,
      endpoint: { address: 'localhost', port: 1 },
      provider: null,
    })
  })

  it('limits the time of an attempt, and ends with the signal of the caller', async () => {
    const inner = new BusyEmbedding(['silent'])
    const embedding = withRetry(inner, { timeoutMs: 5, baseDelayMs: 0 })
    expect(await embedding.getTextEmbedding('a')).toEqual([1])
    expect(inner.requests).toHaveLength(2)
    inner.failures.push('silent')
    const stop = new AbortController()
    const vector = withRetry(inner).getTextEmbedding('a', { signal: stop.signal })
    setTimeout(() => stop.abort(new Error('stopped')), 5)
    await expect(vector).rejects.toThrow('stopped')
    expect(inner.requests).toHaveLength(3)
  })

  it('reports one event per call of the wrapper, and one per request of the model', async () => {
    const handler = new RecordingCallbackHandler()
    const inner = new BusyEmbedding([busy()], { callbackManager: new CallbackManager([handler]) })
    await withRetry(inner, { baseDelayMs: 0 }).getTextEmbedding('a')
    expect(handler.events.filter(({ phase }) => phase === 'start')).toHaveLength(2)
  })
})

describe('withRetry', () => {
  it('refuses what is no model, as other wrappers do', () => {
    for (const value of [undefined, 'gpt-5', {}])
      for (const wrap of [withRetry, withCache, (llm: never) => withFallback([new ScriptedLLM(), llm])])
        expect(() => wrap(value as never)).toThrow(expect.objectContaining({ code: 'model_validation' }))
  })

  it('repeats calls that fail with a retryable error, at most maxAttempts times', async () => {
    const inner = new ScriptedLLM({ answers: [busy(), busy(), 'Paris', busy(), busy(), busy()] })
    const llm = withRetry(inner, { baseDelayMs: 0 })
    expect(String(await llm.chat(question))).toBe('Paris')
    await expect(llm.chat(question)).rejects.toMatchObject({ kind: 'overloaded' })
    expect(inner.calls).toHaveLength(6)
  })

  it('repeats a stream that broke before the first piece with content', async () => {
    const inner = new ScriptedLLM({
      answers: [
        [null, busy()],
        ['Pa', 'ris'],
        ['Lon', busy()],
      ],
    })
    const llm = withRetry(inner, { baseDelayMs: 0 })
    expect((await pieces(llm.streamChat(question))).join('')).toBe('Paris')
    await expect(pieces(llm.streamChat(question))).rejects.toMatchObject({ kind: 'overloaded' })
    expect(inner.calls).toHaveLength(3)
  })

  it('does not repeat other errors', async () => {
    for (const error of [new TypeError('x'), new ModelCallError('no', { kind: 'auth' })]) {
      const inner = new ScriptedLLM({ answers: [error, 'never'] })
      await expect(withRetry(inner).chat(question)).rejects.toBe(error)
    }
  })

  it('waits longer each time, with jitter, and as long as the provider asks', async () => {
    const slow = new ModelCallError('slow down', { kind: 'rate_limit', retryAfterMs: 700 })
    const inner = new ScriptedLLM({ answers: [busy(), busy(), slow, 'Paris'] })
    const attempts: RetryAttempt[] = []
    const waits: number[] = []
    const llm = withRetry(inner, {
      maxAttempts: 4,
      baseDelayMs: 100,
      random: () => 0.5,
      sleep: async (ms) => void waits.push(ms),
      onRetry: (attempt) => attempts.push(attempt),
    })
    await llm.chat(question)
    expect(waits).toEqual([75, 150, 735])
    expect(attempts.map(({ attempt, delayMs }) => [attempt, delayMs])).toEqual([
      [1, 75],
      [2, 150],
      [3, 735],
    ])
  })

  it('waits before a stream as long as the provider asks, not longer each time', async () => {
    const slow = new ModelCallError('slow down', { kind: 'rate_limit', retryAfterMs: 20 })
    const inner = new ScriptedLLM({ answers: [slow, slow, slow, ['Pa', 'ris']] })
    const waits: number[] = []
    const sleep = async (ms: number) => void waits.push(ms)
    const llm = withRetry(inner, { maxAttempts: 4, random: () => 0, sleep })
    expect(await pieces(llm.streamChat(question))).toEqual(['Pa', 'ris'])
    expect(waits).toEqual([20, 20, 20])
  })

  it('throws at once if the provider requires a longer delay than maxDelayMs', async () => {
    const later = new ModelCallError('tomorrow', { kind: 'rate_limit', retryAfterMs: 86_400_000 })
    const inner = new ScriptedLLM({ answers: [later, 'never'] })
    await expect(withRetry(inner).chat(question)).rejects.toBe(later)
  })

  it('repeats a stream before its first piece, never after it', async () => {
    const before = new ScriptedLLM({ answers: [busy(), ['Pa', 'ris']] })
    expect(await pieces(withRetry(before, { baseDelayMs: 0 }).streamChat(question))).toEqual(['Pa', 'ris'])
    const after = new ScriptedLLM({ answers: [['Pa', busy()], 'never'] })
    await expect(pieces(withRetry(after).streamChat(question))).rejects.toMatchObject({ kind: 'overloaded' })
    expect(after.answersLeft).toBe(1)
  })

  it.each([
    ['a call', { tool_calls: [{ id: 'c', type: 'function', function: { name: 'f' } }] }],
    ['reasoning', { reasoning: [{ type: 'reasoning', text: 'Hm.' }] }],
  ])('repeats no stream after %s', async (_, additionalKwargs) => {
    const piece = new ChatMessage({ role: 'assistant', content: null, additionalKwargs })
    const inner = new ScriptedLLM({ answers: [[piece, busy()], 'never'] })
    await expect(pieces(withRetry(inner).streamChat(question))).rejects.toMatchObject({ kind: 'overloaded' })
    expect(inner.answersLeft).toBe(1)
  })

  it('repeats the stream of a completion before its first text, never after it', async () => {
    const inner = new ScriptedLLM({ answers: [[null, busy()], ['Pa', busy()], 'never'] })
    const read = async () => {
      for await (const _ of withRetry(inner, { baseDelayMs: 0 }).streamComplete('Capital?'));
    }
    await expect(read()).rejects.toMatchObject({ kind: 'overloaded' })
    expect(inner.answersLeft).toBe(1)
  })

  it('ends an attempt that takes too long with a timeout, aborts the request, and repeats', async () => {
    const inner = new SilentLLM()
    const llm = withRetry(inner, { timeoutMs: 5, maxAttempts: 2, baseDelayMs: 0 })
    await expect(llm.chat(question)).rejects.toMatchObject({ kind: 'timeout', retryable: true })
    expect(inner.reasons).toHaveLength(2)
  })

  it('does not end an attempt whose limit is longer than the longest timer', async () => {
    for (const timeoutMs of [Number.POSITIVE_INFINITY, 2 ** 40]) {
      const controller = new AbortController()
      const answer = withRetry(new SilentLLM(), { timeoutMs, maxAttempts: 1 }).chat(question, {
        signal: controller.signal,
      })
      const first = await Promise.race([
        answer.catch(() => 'rejected'),
        new Promise((resolve) => setTimeout(resolve, 20)),
      ])
      controller.abort()
      expect(first).toBeUndefined()
    }
  })

  it('limits the time of each piece of a stream; the limit of a call has priority', async () => {
    const inner = new SilentLLM(1)
    const stream = withRetry(inner, { timeoutMs: 60_000 }).streamChat(question, { timeoutMs: 5 })
    await expect(pieces(stream)).rejects.toMatchObject({ kind: 'timeout' })
    expect(inner.reasons).toHaveLength(1)
  })

  it('does not limit the time of the reader between two pieces', async () => {
    const deltas: (string | null)[] = []
    const llm = withRetry(new ScriptedLLM({ answers: [['a', 'b']] }), { timeoutMs: 30, maxAttempts: 1 })
    for await (const { delta } of llm.streamChat(question)) {
      deltas.push(delta)
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
    expect(deltas).toEqual(['a', 'b'])
  })

  it('waits until the model has ended the stream that its reader leaves', async () => {
    const log: string[] = []
    class Closing extends ScriptedLLM {
      protected override async *streamChatRequest() {
        try {
          for (;;) yield new ChatResponse({ message: question[0]!, delta: 'a' })
        } finally {
          await new Promise((resolve) => setTimeout(resolve, 5))
          log.push('closed')
        }
      }
    }
    for await (const _ of withRetry(new Closing()).streamChat(question)) break
    log.push('left')
    expect(log).toEqual(['closed', 'left'])
  })

  it('rejects with the reason of the signal during a call and during a wait', async () => {
    const reason = new Error('enough')
    const silent = new SilentLLM()
    const during = new AbortController()
    setTimeout(() => during.abort(reason), 2)
    await expect(withRetry(silent).chat(question, { signal: during.signal })).rejects.toBe(reason)
    const controller = new AbortController()
    const inner = new ScriptedLLM({ answers: [busy(), 'never'] })
    const llm = withRetry(inner, { baseDelayMs: 60_000, onRetry: () => controller.abort(reason) })
    await expect(llm.chat(question, { signal: controller.signal })).rejects.toBe(reason)
    expect(inner.answersLeft).toBe(1)
  })

  it('stops the model and removes its listener when the reader of a stream stops', async () => {
    const inner = new SilentLLM(3)
    const { signal } = new AbortController()
    const add = vi.fn(signal.addEventListener.bind(signal))
    const remove = vi.fn(signal.removeEventListener.bind(signal))
    Object.assign(signal, { addEventListener: add, removeEventListener: remove })
    for await (const _ of withRetry(inner).streamChat(question, { signal })) break
    expect(remove.mock.calls.length).toBe(add.mock.calls.length)
  })

  it('throws for options out of range', () => {
    for (const options of [{ maxAttempts: 0 }, { maxAttempts: Number.NaN }, { baseDelayMs: -1 }, { timeoutMs: 0 }])
      expect(() => withRetry(new ScriptedLLM(), options)).toThrow(expect.objectContaining({ code: 'model_validation' }))
    expect(() => withRetry(new ScriptedLLM(), { maxAttempts: 1, baseDelayMs: 0, timeoutMs: 1 })).not.toThrow()
    expect(() => withRetry(new ScriptedLLM(), { maxAttempt: 1 } as never)).toThrow(
      'withRetry.maxAttempt: unknown option; did you mean maxAttempts?',
    )
    expect(() => withFallback([] as never)).toThrow('withFallback.llms: expected an array of at least one model')
    expect(() => withFallback([new ScriptedLLM()], { shouldFallback: () => true } as never)).toThrow(
      'withFallback.shouldFallback: unknown option; did you mean shouldFallBack?',
    )
  })

  it('has the metadata and the system prompt of the model, and emits one event per call', async () => {
    const handler = new RecordingCallbackHandler()
    const inner = new ScriptedLLM({ answers: [busy(), 'Paris'], systemPrompt: 'Be brief.' })
    const llm = withRetry(inner, { baseDelayMs: 0 })
    llm.callbackManager = new CallbackManager([handler])
    expect(llm.metadata).toBe(inner.metadata)
    expect(llm.systemPrompt).toBe('Be brief.')
    expect(llm.endpoint).toBeNull()
    const endpoint = { address: 'localhost', port: 1 }
    expect(withRetry({ metadata: inner.metadata, endpoint } as unknown as BaseLLM).endpoint).toEqual(endpoint)
    expect(withRetry({ metadata: inner.metadata } as BaseLLM).endpoint).toBeNull()
    await llm.chat(question)
    expect(handler.summary().map(([phase, type]) => [phase, type])).toEqual([
      ['start', 'llm'],
      ['end', 'llm'],
    ])
  })
})

describe('withFallback', () => {
  it('calls the next model if one fails, and throws the errors of all if the last one fails', async () => {
    const last = new ModelCallError('too long', { kind: 'context_length', status: 413 })
    const errors: unknown[] = []
    const llm = withFallback(
      [
        new ScriptedLLM({ answers: [busy(), busy()] }),
        new ScriptedLLM({ answers: [new ModelCallError('key', { kind: 'auth' }), 'Paris'] }),
        new ScriptedLLM({ answers: [last] }),
      ],
      { onFallback: (error) => errors.push(error) },
    )
    const error = await llm.chat(question).catch((thrown: unknown) => thrown)
    expect(errors).toHaveLength(2)
    expect(error).toBeInstanceOf(ModelCallError)
    expect(error).toMatchObject({
      message: '3 models failed: busy; key; too long',
      kind: 'context_length',
      status: 413,
      retryable: true,
      cause: { errors: [...errors, last] },
    })
    expect(String(await llm.chat(question))).toBe('Paris')
  })

  it('throws bad requests and other errors immediately', async () => {
    for (const error of [new TypeError('bug'), new ModelCallError('bad', { kind: 'bad_request' })]) {
      const next = new ScriptedLLM({ answers: ['never'] })
      await expect(withFallback([new ScriptedLLM({ answers: [error] }), next]).chat(question)).rejects.toBe(error)
    }
  })

  it('calls no further model after an abort', async () => {
    const controller = new AbortController()
    const next = new ScriptedLLM({ answers: ['never'] })
    const llm = withFallback([new SilentLLM(), next], { shouldFallBack: () => true })
    setTimeout(() => controller.abort(new Error('stop')), 2)
    await expect(llm.chat(question, { signal: controller.signal })).rejects.toThrow('stop')
    expect(next.answersLeft).toBe(1)
  })

  it('waits for what shouldFallBack and shouldRetry decide', async () => {
    const next = new ScriptedLLM({ answers: ['never'] })
    const fallback = withFallback([new ScriptedLLM({ answers: [busy()] }), next], { shouldFallBack: async () => false })
    await expect(fallback.chat(question)).rejects.toMatchObject({ kind: 'overloaded' })
    expect(next.answersLeft).toBe(1)
    const once = new ScriptedLLM({ answers: [busy(), 'never'] })
    await expect(withRetry(once, { shouldRetry: async () => false }).chat(question)).rejects.toMatchObject({
      kind: 'overloaded',
    })
    expect(once.answersLeft).toBe(1)
  })

  it('says which model has answered instead of the first', async () => {
    const metadata = new LLMMetadata({ modelName: 'small' })
    const answered = async (first: ScriptedAnswer) => {
      const llm = withFallback([new ScriptedLLM({ answers: [first] }), new ScriptedLLM({ answers: ['b'], metadata })])
      return (await llm.chat(question)).additionalKwargs['model']
    }
    expect([await answered('a'), await answered(busy())]).toEqual([undefined, 'small'])
  })

  it('falls back in a stream only before its first piece', async () => {
    const next = () => new ScriptedLLM({ answers: [['Pa', 'ris']] })
    const before = withFallback([new ScriptedLLM({ answers: [busy()] }), next()])
    expect(await pieces(before.streamChat(question))).toEqual(['Pa', 'ris'])
    const after = withFallback([new ScriptedLLM({ answers: [['x', busy()]] }), next()])
    await expect(pieces(after.streamChat(question))).rejects.toMatchObject({ kind: 'overloaded' })
  })
})

describe('withCache', () => {
  it('answers with a usage of 0, although the kept answer had one', async () => {
    const answer = new ChatResponse({
      message: new ChatMessage({ role: 'assistant', content: 'Paris' }),
      additionalKwargs: { usage: { input_tokens: 7, output_tokens: 3 } },
    })
    const inner = Object.assign(new ScriptedLLM(), { chatRequest: async () => answer })
    const llm = withCache(inner)
    const used = async () => usageOf(await llm.chat(question))
    expect(await used()).toMatchObject({ inputTokens: 7, outputTokens: 3, totalTokens: 10 })
    expect(await used()).toMatchObject({ inputTokens: 0, outputTokens: 0, totalTokens: 0 })
  })

  it('answers the same call from the cache, with and without streaming', async () => {
    const inner = new ScriptedLLM({ answers: [['Pa', 'ris']] })
    const cache = new Map<string, string>()
    const llm = withCache(inner, cache)
    expect(await pieces(llm.streamChat(question))).toEqual(['Pa', 'ris'])
    expect(await pieces(llm.streamChat(question))).toEqual(['Paris'])
    expect(String(await llm.chat(question))).toBe('Paris')
    expect(String(await withCache(new ScriptedLLM(), cache).chat(question))).toBe('Paris')
    expect(cache.size).toBe(1)
  })

  it('answers from the cache whatever the order of the options, as one answer', async () => {
    const llm = withCache(new ScriptedLLM({ answers: ['Paris'] }))
    await llm.chat(question, { temperature: 0, topP: 1 } as CallOptions)
    const again = await llm.chat(question, { topP: 1, seed: undefined, temperature: 0 } as CallOptions)
    expect([String(again), again.delta]).toEqual(['Paris', null])
  })

  it('keeps tool calls and other data of the message', async () => {
    const additionalKwargs = { tool_calls: [{ id: 'a', name: 'add', arguments: '{}' }] }
    const llm = withCache(
      new ScriptedLLM({ answers: [new ChatMessage({ role: 'assistant', content: null, additionalKwargs })] }),
    )
    await llm.chat(question)
    expect((await llm.chat(question)).message).toMatchObject({ content: null, additionalKwargs })
  })

  it('distinguishes messages by every digit of an integer', async () => {
    const llm = withCache(new ScriptedLLM({ answers: ['a', 'b', 'c'] }))
    const ask = async (id: unknown) =>
      String(await llm.chat([new ChatMessage({ content: 'x', additionalKwargs: { id } })]))
    expect(await ask(2n ** 64n)).toBe('a')
    expect(await ask(2n ** 64n + 1n)).toBe('b')
    expect(await ask(`${2n ** 64n}`)).toBe('c')
    expect(await ask(2n ** 64n)).toBe('a')
  })

  it('distinguishes maps and sets by their entries', async () => {
    const llm = withCache(new ScriptedLLM({ answers: ['a', 'b', 'c', 'd'] }))
    const ask = async (bias: unknown) => String(await llm.chat(question, { bias } as CallOptions))
    expect(await ask(new Map([['x', 1]]))).toBe('a')
    expect(await ask(new Map([['x', 2]]))).toBe('b')
    expect(await ask(new Set(['x']))).toBe('c')
    expect(await ask({})).toBe('d')
    expect(await ask(new Map([['x', 2]]))).toBe('b')
  })

  it('calls the model again for a different model, question or option, but not for a different signal', async () => {
    const inner = new ScriptedLLM({ answers: ['a', 'b', 'c'] })
    const llm = withCache(inner)
    const ask = async (content: string, options?: CallOptions) =>
      String(await llm.chat([new ChatMessage({ content })], options))
    expect(await ask('x')).toBe('a')
    expect(await ask('y')).toBe('b')
    expect(await ask('x', { temperature: 1 })).toBe('c')
    expect(await ask('x', { signal: new AbortController().signal, timeoutMs: 9 })).toBe('a')
    expect(await ask('x', { temperature: undefined })).toBe('a')
  })

  it('does not cache failures, or streams that fail or were not read to the end', async () => {
    const inner = new ScriptedLLM({ answers: [busy(), ['a', 'b'], ['a', busy()], 'whole'] })
    const llm = withCache(inner)
    await expect(llm.chat(question)).rejects.toThrow('busy')
    for await (const _ of llm.streamChat(question)) break
    await expect(pieces(llm.streamChat(question))).rejects.toThrow('busy')
    expect(String(await llm.chat(question))).toBe('whole')
  })

  it('caches completions', async () => {
    const llm = withCache(new ScriptedLLM({ answers: ['Paris'] }))
    await llm.complete('Capital?')
    const found: string[] = []
    for await (const { delta } of llm.streamComplete('Capital?')) found.push(delta ?? '')
    expect(found).toEqual(['Paris'])
  })
})
