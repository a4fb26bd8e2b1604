import { ChatMessage, LLMMetadata } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { thrownBy } from '../../../tools/thrown.ts'
import { ScriptedLLM } from './testing/scripted-llm.ts'
import { TableEmbedding } from './testing/table-embedding.ts'

async function all<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const piece of pieces) found.push(piece)
  return found
}

describe('ScriptedLLM', () => {
  it('returns the scripted strings, messages, empty answers, pieces and errors in order', async () => {
    const error = new Error('down')
    const message = new ChatMessage({ role: 'assistant', content: 'm', additionalKwargs: { tool: 1 } })
    const llm = new ScriptedLLM({ answers: ['a', null, message, ['x', 'y'], error] })
    const chat = async () => (await llm.chat([])).message
    expect([(await chat()).content, (await chat()).content, await chat(), (await chat()).content]).toEqual([
      'a',
      null,
      message,
      'xy',
    ])
    await expect(chat()).rejects.toBe(error)
    llm.assertDone()
  })

  it('keeps tool calls in streams', async () => {
    const message = new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool: 1 } })
    const [piece] = await all(new ScriptedLLM({ answers: [message] }).streamChat([]))
    expect(piece?.message.additionalKwargs).toEqual({ tool: 1 })
  })

  it('stays pending, waits, and fails in the middle of a stream', async () => {
    const never = new Promise<string>(() => {})
    const llm = new ScriptedLLM({
      answers: [never, Promise.resolve('later'), ['a', Promise.resolve('b'), new Error('cut')]],
    })
    expect(await Promise.race([llm.chat([]), Promise.resolve('pending')])).toBe('pending')
    expect((await llm.chat([])).message.content).toBe('later')
    const texts: string[] = []
    const read = async () => {
      for await (const { delta } of llm.streamChat([])) texts.push(delta!)
    }
    await expect(read()).rejects.toThrow('cut')
    expect(texts).toEqual(['a', 'b'])
  })

  it('streams messages as pieces', async () => {
    const call = new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls: [1] } })
    const found = await all(new ScriptedLLM({ answers: [['Wait', call]] }).streamChat([]))
    expect(found.map(({ delta }) => delta)).toEqual(['Wait', ''])
    expect(found.map(({ message }) => message.additionalKwargs)).toEqual([{}, { tool_calls: [1] }])
    expect(found.at(-1)!.message.content).toBe('Wait')
  })

  it('answers any number of requests by a function of the messages', async () => {
    const llm = new ScriptedLLM({ answers: (messages) => `${messages.length}: ${messages.at(-1)?.content}` })
    const question = [new ChatMessage({ role: 'system', content: 's' }), new ChatMessage({ content: 'pear' })]
    expect((await llm.chat(question)).message.content).toBe('2: pear')
    expect(String(await llm.complete('plum'))).toBe('1: plum')
    const pieces = await all(llm.streamChat(question))
    expect(pieces.map(({ delta }) => delta)).toEqual(['2: pear'])
    expect(llm.calls.map(({ kind }) => kind)).toEqual(['chat', 'complete', 'stream_chat'])
    llm.assertDone()
  })

  it('throws for a request beyond the script, and for unused answers', async () => {
    const llm = new ScriptedLLM({ answers: ['a'] })
    expect(llm.answersLeft).toBe(1)
    expect(thrownBy(() => llm.assertDone())).toMatchObject({
      code: 'unexpected_call',
      message: 'ScriptedLLM: 1 answers were not used.',
    })
    await llm.complete('p')
    llm.assertDone()
    await expect(llm.chat([])).rejects.toMatchObject({
      code: 'unexpected_call',
      message: 'ScriptedLLM: call 2 (chat) is beyond the script.',
    })
    await expect(all(llm.streamComplete('p'))).rejects.toMatchObject({ code: 'unexpected_call' })
    expect(llm.calls.map(({ kind }) => kind)).toEqual(['complete', 'chat', 'stream_complete'])
  })

  it('records messages as they were at the call', async () => {
    const message = new ChatMessage({ content: 'before' })
    const llm = new ScriptedLLM({ answers: ['a'] })
    await llm.chat([message])
    message.content = 'after'
    expect(llm.calls[0]?.messages?.[0]).toMatchObject({ content: 'before' })
  })

  it('records the signal of each request', async () => {
    const llm = new ScriptedLLM({ answers: ['a', ['b']] })
    const stop = new AbortController()
    await llm.complete('q')
    const read = async () => {
      for await (const _ of llm.streamChat('q', { signal: stop.signal })) stop.abort()
    }
    await expect(read()).rejects.toMatchObject({ name: 'AbortError' })
    expect(llm.signals.map((signal) => signal?.aborted)).toEqual([undefined, true])
  })

  it('stops a stream whose signal aborts before the next piece', async () => {
    const streams = [
      (llm: ScriptedLLM, signal: AbortSignal) => llm.streamChat('q', { signal }),
      (llm: ScriptedLLM, signal: AbortSignal) => llm.streamComplete('q', { signal }),
    ]
    for (const stream of streams) {
      const stop = new AbortController()
      const left = new Error('left')
      const deltas: (string | null)[] = []
      const read = async () => {
        for await (const { delta } of stream(new ScriptedLLM({ answers: [['a', 'b', 'c']] }), stop.signal)) {
          deltas.push(delta)
          stop.abort(left)
        }
      }
      await expect(read()).rejects.toBe(left)
      expect(deltas).toEqual(['a'])
    }
  })

  it('has the metadata that it was constructed with', () => {
    expect(new ScriptedLLM().metadata).toMatchObject({ isChatModel: true, modelName: 'scripted' })
    const metadata = new LLMMetadata()
    expect(new ScriptedLLM({ metadata }).metadata).toBe(metadata)
  })
})

describe('TableEmbedding', () => {
  it('looks up texts and queries, and copies the vectors', async () => {
    const vector = [1]
    const model = new TableEmbedding({ texts: { a: vector }, queries: { toString: [2] } })
    const found = await model.getTextEmbedding('a')
    found.push(9)
    expect(vector).toEqual([1])
    expect(await model.getQueryEmbedding('toString')).toEqual([2])
    expect(await new TableEmbedding({ texts: { a: [1] } }).getQueryEmbedding('a')).toEqual([1])
  })

  it('throws for a string that is not in the table, and throws the errors in the table', async () => {
    const error = new Error('down')
    const model = new TableEmbedding({ texts: { bad: error } })
    await expect(model.getTextEmbedding('toString')).rejects.toMatchObject({
      code: 'unexpected_call',
      message: 'TableEmbedding: the table contains no vector for "toString".',
    })
    await expect(model.getTextEmbeddingBatch(['bad'])).rejects.toBe(error)
  })
})

describe('ScriptedLLM with delayMs and usage', () => {
  const question = [new ChatMessage({ content: 'What is a pear?' })]
  const tool_calls = [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } }]
  const calls = new ChatMessage({ role: 'assistant', content: 'I look.', additionalKwargs: { tool_calls } })
  const streamed = async (llm: ScriptedLLM) => {
    const found = []
    for await (const response of llm.streamChat(question)) found.push(response)
    return found
  }

  it('streams word by word, the calls with the last word', async () => {
    const found = await streamed(new ScriptedLLM({ answers: [calls], delayMs: 0 }))
    expect(found.map(({ delta }) => delta)).toEqual(['I ', 'look.'])
    expect(found.map(({ message }) => message.content)).toEqual(['I ', 'I look.'])
    expect(found.map(({ message }) => message.additionalKwargs)).toEqual([{}, { tool_calls }])
  })

  it('keeps null, an empty string, white space and errors', async () => {
    const llm = new ScriptedLLM({ answers: [null, '', ['  a ', null, ' b']], delayMs: 0 })
    expect((await streamed(llm)).map(({ delta }) => delta)).toEqual([''])
    expect((await streamed(llm)).map(({ delta }) => delta)).toEqual([''])
    expect((await streamed(llm)).map(({ delta }) => delta)).toEqual(['  ', 'a ', null, ' ', 'b'])
    await expect(streamed(new ScriptedLLM({ answers: [['a', new Error('down')]], delayMs: 0 }))).rejects.toThrow('down')
  })

  it('ends with the signal while it waits', async () => {
    const controller = new AbortController()
    const llm = new ScriptedLLM({ answers: ['late', 'late'], delayMs: 1_000_000 })
    const first = llm.streamChat(question, { signal: controller.signal })[Symbol.asyncIterator]().next()
    const second = llm.chat(question, { signal: controller.signal })
    const later = new Promise((resolve) => setTimeout(resolve, 5, 'pending'))
    expect(await Promise.race([first, second, later])).toBe('pending')
    const ends = Promise.all([expect(first).rejects.toThrow('left'), expect(second).rejects.toThrow('left')])
    controller.abort(new Error('left'))
    await ends
  })

  it('reports tokens at the end', async () => {
    const usage = { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 }
    const llm = new ScriptedLLM({ answers: ['A fruit.', 'A fruit.'], delayMs: 0, usage: true })
    expect((await streamed(llm)).map(({ delta, raw }) => [delta, raw])).toEqual([
      ['A ', null],
      ['fruit.', null],
      [null, { usage }],
    ])
    expect((await llm.chat(question)).raw).toEqual({ usage })
    expect((await new ScriptedLLM({ answers: ['A fruit.'] }).chat(question)).raw).toBeNull()
  })

  it('refuses a wrong delay', () => {
    expect(() => new ScriptedLLM({ delayMs: -1 })).toThrow('ScriptedLLM.delayMs')
    expect(() => new ScriptedLLM({ delayMs: 0 })).not.toThrow()
    expect(() => new ScriptedLLM({ usage: 1 as never })).toThrow('ScriptedLLM.usage')
  })
})
