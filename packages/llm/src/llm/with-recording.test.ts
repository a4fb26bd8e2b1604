import { ChatMessage, ChatResponse } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { type ScriptedAnswer, ScriptedLLM } from '../testing/scripted-llm.ts'
import { withRetry } from '../with-retry.ts'
import { ModelCallError } from './model-call-error.ts'
import { type RecordedModelCall, withRecording } from './with-recording.ts'

const message = (content: string) => ({ role: 'assistant', content, additional_kwargs: {} })
const question = [new ChatMessage({ content: 'Hi' })]

async function readAll(pieces: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of pieces);
}

/** A recorded model with these answers. */
function recorded(...answers: ScriptedAnswer[]) {
  const calls: RecordedModelCall[] = []
  return { calls, llm: withRecording(new ScriptedLLM({ answers }), calls) }
}

describe('withRecording', () => {
  it('refuses a function, which could not receive the answer', () => {
    expect(() => withRecording(new ScriptedLLM(), (() => {}) as never)).toThrow(
      'withRecording.calls: expected an array',
    )
  })

  it('records chats and completions as plain JSON, without signal and headers', async () => {
    const { calls, llm } = recorded('a', 'b')
    const { signal } = new AbortController()
    const options = {
      temperature: 0,
      parentId: 'p',
      signal,
      headers: { key: 'secret' },
      custom: { fn() {}, deep: [1] },
    }
    expect(String(await llm.chat(question, options))).toBe('a')
    await llm.complete('Hi')
    expect(calls).toEqual([
      {
        kind: 'chat',
        messages: [{ role: 'user', content: 'Hi', additional_kwargs: {} }],
        options: { temperature: 0, custom: { deep: [1] } },
        responses: [{ message: message('a'), raw: null, delta: null, additional_kwargs: {} }],
      },
      {
        kind: 'complete',
        prompt: 'Hi',
        options: {},
        responses: [{ text: 'b', raw: null, delta: null, additional_kwargs: {} }],
      },
    ])
    expect(JSON.parse(JSON.stringify(calls))).toStrictEqual(calls)
  })

  it('records the pieces of a stream that were read', async () => {
    const { calls, llm } = recorded(['a', 'b'], ['c', 'd'], ['e'])
    await readAll(llm.streamChat(question))
    for await (const _ of llm.streamComplete('Hi')) break
    llm.streamChat(question)
    expect(calls.map(({ kind, responses }) => [kind, responses.map(({ delta }) => delta)])).toEqual([
      ['stream_chat', ['a', 'b']],
      ['stream_complete', ['c']],
    ])
  })

  it('records failures and throws them unchanged', async () => {
    const busy = new ModelCallError('busy', { kind: 'overloaded' })
    const { calls, llm } = recorded(busy, new RangeError('odd'), ['a', busy])
    await expect(llm.chat(question)).rejects.toBe(busy)
    await expect(llm.complete('Hi')).rejects.toThrow('odd')
    const throwing = new ScriptedLLM({
      answers: () => {
        throw 'gone'
      },
    })
    const thrown: RecordedModelCall[] = []
    await expect(withRecording(throwing, thrown).complete('Hi')).rejects.toBe('gone')
    expect(thrown[0]!.error).toEqual({ name: 'Error', message: 'gone' })
    await expect(readAll(llm.streamChat(question))).rejects.toBe(busy)
    expect(calls.map(({ error, responses }) => [error, responses.length])).toStrictEqual([
      [{ name: 'ModelCallError', message: 'busy', code: 'model_call' }, 0],
      [{ name: 'RangeError', message: 'odd' }, 0],
      [{ name: 'ModelCallError', message: 'busy', code: 'model_call' }, 1],
    ])
  })

  it('records every attempt inside withRetry', async () => {
    const { calls, llm } = recorded(new ModelCallError('busy', { kind: 'overloaded' }), 'a')
    await withRetry(llm, { baseDelayMs: 0 }).chat(question)
    expect(calls.map(({ error }) => error?.code)).toEqual(['model_call', undefined])
  })

  it('omits raw answers without a JSON form', async () => {
    const raw: Record<string, unknown> = { id: 1 }
    const circular: Record<string, unknown> = {}
    circular['self'] = circular
    const calls: RecordedModelCall[] = []
    for (const each of [raw, circular]) {
      const inner = new ScriptedLLM()
      const chat = async () => ChatResponse.construct({ message: new ChatMessage({ content: 'a' }), raw: each })
      await withRecording(Object.assign(inner, { chat }), calls).chat(question)
    }
    expect(calls.map(({ responses }) => responses[0]!['raw'])).toEqual([{ id: 1 }, null])
  })
})
