import { AnswerBuilder, type CallOptions, ChatMessage, ChatResponse, LLMMetadata } from '@x/core-model'
import { describe, expect, it, vi } from 'vitest'
import { ModelCallError } from './model-call-error.ts'
import type { ModelErrorFacts } from './model-call-error-of.ts'
import { type AnswerReader, ChatLLM, ProviderLLM, type ProviderLLMOptions } from './provider-llm.ts'

type Piece = string | Error | null
const question = [new ChatMessage({ content: 'Q' })]

/** A provider whose answers are these words; `stop` ends an answer. */
class Words extends ProviderLLM<Piece> {
  readonly metadata = new LLMMetadata({ modelName: 'words', isChatModel: true })
  left = 0
  readonly words: Piece[]
  readonly isComplete: boolean
  constructor(words: Piece[], isComplete = false, options: ProviderLLMOptions = {}) {
    super(options)
    this.words = words
    this.isComplete = isComplete
  }

  protected override async *pieces(_messages?: readonly ChatMessage[], _options?: CallOptions) {
    try {
      for (const word of this.words) {
        if (word instanceof Error) throw word
        yield word
      }
    } finally {
      this.left++
    }
  }

  protected override newReader(): AnswerReader<Piece> {
    const answer = new AnswerBuilder()
    return {
      answer,
      raw: { from: 'words' },
      ...(this.isComplete && { isComplete: true }),
      addPiece: (word) => (word === 'stop' || word === 'failed' ? answer.finish(word) : answer.addText(String(word))),
    }
  }

  protected override errorFacts(_error: unknown, { temperature }: CallOptions): ModelErrorFacts {
    return { where: `at ${temperature}`, kind: 'auth', secrets: ['K-1234'] }
  }
}

/** A provider that never answers. */
class Silent extends Words {
  signal: AbortSignal | undefined
  constructor(options: ProviderLLMOptions) {
    super([], false, options)
  }
  protected override async *pieces(_messages?: unknown, { signal }: CallOptions = {}) {
    this.signal = signal
    await new Promise(() => {})
    yield ''
  }
}

async function streamed(llm: Words, options: CallOptions = {}): Promise<(string | null)[]> {
  const deltas: (string | null)[] = []
  for await (const { delta } of llm.streamChat(question, options)) deltas.push(delta)
  return deltas
}

describe('ProviderLLM', () => {
  it('answers whole and in pieces, with the data of the provider', async () => {
    const response = await new Words(['a', 'b', 'stop']).chat(question)
    expect([String(response), response.raw]).toEqual(['ab', { from: 'words' }])
    expect(await streamed(new Words(['a', '', 'b', 'stop']))).toEqual(['a', 'b', ''])
    for await (const { raw } of new Words(['a', 'stop']).streamChat(question)) expect(raw).toEqual({ from: 'words' })
  })

  it('says whether the answer is streamed, and passes messages on as they are unless a surrogate has no pair', async () => {
    const requests: unknown[][] = []
    class Noting extends Words {
      protected override async *pieces(
        ...request: [messages?: readonly ChatMessage[], options?: CallOptions, isStream?: boolean]
      ) {
        requests.push([request[0], request[2]])
        yield 'stop'
      }
    }
    await new Noting([]).chat(question)
    await streamed(new Noting([]))
    await new Noting([]).chat([...question, new ChatMessage({ content: 'a\ud800' })])
    expect(requests.map(([, isStream]) => isStream)).toEqual([false, true, false])
    const [same, , changed] = requests.map(([messages]) => messages as ChatMessage[])
    expect(same![0]).toBe(question[0])
    expect([changed![0] === question[0], changed![1]!.content]).toEqual([true, 'a\uFFFD'])
  })

  it('is stopped although the library ends the answer without an error', async () => {
    const controller = new AbortController()
    class Ending extends Words {
      protected override async *pieces() {
        yield 'a'
        controller.abort('enough')
        yield 'stop'
      }
    }
    await expect(new Ending([]).chat(question, { signal: controller.signal })).rejects.toBe('enough')
  })

  it.each([true, false])(
    'explains every error with the facts of the adapter, without secrets (stream: %s)',
    async (isStream) => {
      const ask = (piece: Error) => {
        const llm = new Words(['a', piece])
        return isStream ? streamed(llm, { temperature: 1 }) : llm.chat(question, { temperature: 1 })
      }
      const broken = new Error('broken, K-1234')
      await expect(ask(broken)).rejects.toMatchObject({
        code: 'model_call',
        kind: 'auth',
        message: 'at 1: broken, [secret]',
        cause: { message: 'broken, [secret]' },
      })
      const known = new ModelCallError('known', { kind: 'rate_limit' })
      await expect(ask(known)).rejects.toBe(known)
    },
  )

  it('explains what its reader throws', async () => {
    class Unreadable extends Words {
      protected override newReader() {
        const reader = super.newReader()
        return { ...reader, addPiece: () => (undefined as never as string).trim() }
      }
    }
    await expect(new Unreadable(['a']).chat(question)).rejects.toMatchObject({ code: 'model_call' })
    const unnamed = Object.assign(new Words([new Error('broken')]), { errorFacts: () => ({}) })
    await expect(unnamed.chat(question)).rejects.toThrow('words: broken')
  })

  it('refuses an answer whose finish reason is an error, whole and streamed', async () => {
    const expected = { code: 'model_call', kind: 'overloaded', retryable: true }
    await expect(new Words(['a', 'failed']).chat(question)).rejects.toMatchObject(expected)
    await expect(streamed(new Words(['a', 'failed']))).rejects.toMatchObject(expected)
  })

  it('fails when no piece arrives in time, and ends the request', async () => {
    const llm = new Silent({ idleMs: 20 })
    const start = performance.now()
    await expect(streamed(llm)).rejects.toMatchObject({ kind: 'timeout', retryable: true, message: /20 ms/ })
    expect(performance.now() - start).toBeLessThan(2000)
    expect(llm.signal?.aborted).toBe(true)
    expect(() => new Silent({ idleMs: 1 })).not.toThrow()
    expect(() => new Silent({ idleMs: 0 })).toThrow(expect.objectContaining({ code: 'model_validation' }))
    expect(() => new Silent({ idleMs: 1 })).not.toThrow()
  })

  it('waits for a piece for two minutes by default', async () => {
    vi.useFakeTimers()
    try {
      const failed = vi.fn()
      void streamed(new Silent({})).catch(failed)
      await vi.advanceTimersByTimeAsync(119_999)
      expect(failed).not.toHaveBeenCalled()
      await vi.advanceTimersByTimeAsync(1)
      expect(failed).toHaveBeenCalledWith(expect.objectContaining({ kind: 'timeout' }))
    } finally {
      vi.useRealTimers()
    }
  })

  it('ignores signs of life but for the time limit', async () => {
    expect(await streamed(new Words([null, 'a', null, 'stop']))).toEqual(['a', ''])
  })

  it('throws the reason of an abort', async () => {
    const signal = AbortSignal.abort('enough')
    await expect(new Words([new Error('aborted')]).chat(question, { signal })).rejects.toBe('enough')
    const controller = new AbortController()
    const read = async () => {
      for await (const _ of new Words(['a', 'b']).streamChat(question, { signal: controller.signal }))
        controller.abort('enough')
    }
    await expect(read()).rejects.toBe('enough')
  })

  it('refuses a stream that ends before the model was done, unless the adapter says that it is complete', async () => {
    await expect(streamed(new Words(['a']))).rejects.toMatchObject({ code: 'model_call', kind: 'connection' })
    expect(await streamed(new Words(['a'], true))).toEqual(['a'])
    expect(String(await new Words(['a']).chat(question))).toBe('a')
  })

  it('ends the request when the reader leaves', async () => {
    const llm = new Words(['a', 'b', 'stop'])
    for await (const _ of llm.streamChat(question)) break
    expect(llm.left).toBe(1)
  })
})

/** Repeats the last message, and records the options. */
class Echo extends ChatLLM {
  readonly metadata = new LLMMetadata({ modelName: 'echo', isChatModel: true })
  readonly seen: CallOptions[] = []

  protected override async chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse> {
    this.seen.push(options)
    const { role, content } = messages[0]!
    return new ChatResponse({ message: new ChatMessage({ role: 'assistant', content: `${role}: ${content}` }) })
  }

  protected override async *streamChatRequest(messages: readonly ChatMessage[], options: CallOptions) {
    const { message } = await this.chatRequest(messages, options)
    for (const delta of String(message.content).split(' ')) yield new ChatResponse({ message, delta })
  }
}

describe('ChatLLM', () => {
  it('completes a prompt as a chat with one user message', async () => {
    const llm = new Echo()
    expect(await llm.complete('Hello')).toMatchObject({ text: 'user: Hello', delta: null })
    expect(
      await llm.predict({
        getTemplate: () => '',
        format: () => '',
        formatMessages: () => [new ChatMessage({ content: 'Hi' })],
      }),
    ).toBe('user: Hi')
  })

  it('streams completions', async () => {
    const deltas: unknown[] = []
    for await (const { delta } of new Echo().streamComplete('Hello')) deltas.push(delta)
    expect(deltas).toEqual(['user:', 'Hello'])
  })

  it('passes the options of the call to the chat request, without `formatted`', async () => {
    const llm = new Echo()
    await llm.complete('Hello', { formatted: true, temperature: 0 })
    expect(llm.seen).toEqual([{ temperature: 0 }])
  })
})
