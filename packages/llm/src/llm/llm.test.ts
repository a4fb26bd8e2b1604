import type { CallOptions, CompleteOptions, PromptLike } from '@x/core-model'
import {
  BaseOutputParser,
  CallbackManager,
  ChatMessage,
  CompletionResponse,
  LLMMetadata,
  QueryBundle,
} from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { describe, expect, it } from 'vitest'
import { pathsOf } from '../../../../tools/thrown.ts'
import { ScriptedLLM, type ScriptedLLMOptions } from '../testing/scripted-llm.ts'
import { CustomLLM } from './llm.ts'

const completing = new LLMMetadata({ modelName: 'completes' })

function scripted(options: ScriptedLLMOptions = {}) {
  const handler = new RecordingCallbackHandler()
  return { handler, llm: new ScriptedLLM({ callbackManager: new CallbackManager([handler]), ...options }) }
}

/** A prompt with the variable `x`. */
const prompt = (text = 'Say {x}', own: Partial<PromptLike> = {}): PromptLike => {
  const fill = (vars: Readonly<Record<string, unknown>> = {}) => {
    if (vars['x'] === undefined) throw new Error('x is missing')
    return text.replace('{x}', String(vars['x']))
  }
  return {
    getTemplate: () => text,
    format: (vars, { completionToPrompt = (filled: string) => filled } = {}) => completionToPrompt(fill(vars)),
    formatMessages: (vars) => [new ChatMessage({ content: fill(vars) })],
    ...own,
  }
}

class Shout extends BaseOutputParser<unknown> {
  override format(query: string) {
    return `${query} [SHOUT]`
  }
  parse(output: string): unknown {
    if (output === 'nothing') return undefined
    return output.startsWith('{') ? JSON.parse(output) : output.toUpperCase()
  }
}

const user = (content: string) => [new ChatMessage({ content })]
const ends = ({ events }: RecordingCallbackHandler) =>
  events.flatMap((event) => (event.phase === 'end' ? [event.payload] : []))
const summary = (handler: RecordingCallbackHandler) =>
  handler.summary().map(([phase, type, keys]) => `${phase} ${type} ${keys}`)

async function all<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const piece of pieces) found.push(piece)
  return found
}

describe('fields', () => {
  it('contain a callback manager whose handlers can be added later', async () => {
    const llm = new ScriptedLLM({ answers: ['a'] })
    const handler = new RecordingCallbackHandler()
    llm.callbackManager.addHandler(handler)
    await llm.chat('x')
    expect(handler.events.map(({ phase }) => phase)).toContain('end')
    expect(new ScriptedLLM().callbackManager.handlers).toEqual([])
  })

  it('are written without live objects', () => {
    const llm = new ScriptedLLM({
      systemPrompt: 's',
      pydanticProgramMode: 'lm-format-enforcer',
      outputParser: new Shout(),
      completionToPrompt: (text) => text,
    })
    expect(llm.toDict()).toEqual({
      system_prompt: 's',
      pydantic_program_mode: 'lm-format-enforcer',
      class_name: 'ScriptedLLM',
    })
    expect(
      pathsOf(
        () =>
          new ScriptedLLM({
            pydanticProgramMode: 'other' as never,
            outputParser: {} as never,
            messagesToPrompt: 5 as never,
          }),
      ),
    ).toEqual(['messagesToPrompt', 'outputParser', 'pydanticProgramMode'])
  })
})

describe('chat and complete', () => {
  it('send the input unchanged, without system prompt, parser and prompt function', async () => {
    const settings = {
      systemPrompt: 's',
      outputParser: new Shout(),
      completionToPrompt: () => 'x',
      messagesToPrompt: () => 'y',
    }
    const llm = new ScriptedLLM({ answers: ['a', 'b'], ...settings })
    expect((await llm.chat(user('u'), { temperature: 0 })).message.content).toBe('a')
    expect((await llm.complete('p', { top: 1 })).text).toBe('b')
    expect(llm.calls).toEqual([
      { kind: 'chat', messages: [{ role: 'user', content: 'u', additional_kwargs: {} }], options: { temperature: 0 } },
      { kind: 'complete', prompt: 'p', formatted: false, options: { top: 1 } },
    ])
  })

  it('emit one event each, with the call options and the model, but without the signal and headers', async () => {
    const { llm, handler } = scripted({ answers: ['a', 'b'] })
    const messages = user('u')
    const signal = new AbortController().signal
    const response = await llm.chat(messages, { signal, parentId: 'p', headers: { key: 'secret' }, temperature: 0 })
    const completion = await llm.complete('text', { formatted: true })
    const serialized = { model: 'scripted', provider: null, ...llm.toDict() }
    expect(handler.events).toEqual([
      {
        phase: 'start',
        type: 'llm',
        payload: { messages, additional_kwargs: { temperature: 0 }, serialized },
        id: expect.any(String),
        parent: 'p',
      },
      { phase: 'end', type: 'llm', payload: { messages, response }, id: expect.any(String) },
      {
        phase: 'start',
        type: 'llm',
        payload: { formatted_prompt: 'text', additional_kwargs: { formatted: true }, serialized },
        id: expect.any(String),
        parent: 'root',
      },
      { phase: 'end', type: 'llm', payload: { formatted_prompt: 'text', completion }, id: expect.any(String) },
    ])
  })

  it('throw errors of the model unchanged, after the event has ended with them', async () => {
    const error = new RangeError('refused')
    const { llm, handler } = scripted({ answers: [error, error] })
    await expect(llm.chat(user('u'))).rejects.toBe(error)
    await expect(llm.complete('p')).rejects.toBe(error)
    expect(ends(handler)).toEqual([{ exception: error }, { exception: error }])
  })

  it('reject at once when they are aborted, also if the provider does not look at the signal', async () => {
    const { llm } = scripted({ answers: [] })
    const never = () => new Promise<never>(() => {})
    Object.assign(llm, { chatRequest: never, completeRequest: never })
    const aborted = { name: 'TimeoutError' }
    await expect(llm.chat(user('u'), { signal: AbortSignal.timeout(5) })).rejects.toMatchObject(aborted)
    await expect(llm.complete('p', { signal: AbortSignal.timeout(5) })).rejects.toMatchObject(aborted)
    const quiet = { callbackManager: new CallbackManager(), signal: AbortSignal.timeout(5) }
    await expect(llm.chat(user('u'), quiet)).rejects.toMatchObject(aborted)
    const stuck = async function* () {
      yield await never()
    }
    Object.assign(llm, { streamChatRequest: stuck, streamCompleteRequest: stuck })
    await expect(all(llm.streamChat(user('u'), { signal: AbortSignal.timeout(5) }))).rejects.toMatchObject(aborted)
    await expect(all(llm.streamComplete('p', { signal: AbortSignal.timeout(5) }))).rejects.toMatchObject(aborted)
  })

  it('send nothing if the signal has already aborted', async () => {
    const { llm, handler } = scripted({ answers: ['a'] })
    const signal = AbortSignal.abort(new Error('stop'))
    await expect(llm.chat([], { signal })).rejects.toThrow('stop')
    await expect(llm.complete('', { signal })).rejects.toThrow('stop')
    await expect(all(llm.streamChat([], { signal }))).rejects.toThrow('stop')
    await expect(all(llm.streamComplete('', { signal }))).rejects.toThrow('stop')
    await expect(llm.predict(prompt(), { x: 1 }, { signal })).rejects.toThrow('stop')
    expect([llm.calls, handler.events]).toEqual([[], []])
  })
})

describe('the input of a chat', () => {
  it('may be a string, content parts or one message', async () => {
    const { llm, handler } = scripted({ answers: ['a', 'b', 'c'] })
    const parts = [{ type: 'text' as const, text: 'Look:' }]
    await llm.chat('Hi')
    await llm.chat(parts)
    await all(llm.streamChat(new ChatMessage({ role: 'system', content: 'Be brief.' })))
    const sent = [
      { role: 'user', content: 'Hi', additional_kwargs: {} },
      { role: 'user', content: parts, additional_kwargs: {} },
      { role: 'system', content: 'Be brief.', additional_kwargs: {} },
    ]
    expect(llm.calls.map(({ messages }) => messages)).toEqual(sent.map((message) => [message]))
    expect(handler.events[0]).toMatchObject({
      payload: { messages: [sent[0]!.content].map((content) => ({ content })) },
    })
  })

  it('reports to the callback manager of the call instead of that of the model', async () => {
    const { llm, handler } = scripted({ answers: ['a', 'b', 'c', 'd'] })
    const own = new RecordingCallbackHandler()
    const options = { callbackManager: new CallbackManager([own]) }
    await llm.chat('Hi', options)
    await llm.complete('Hi', options)
    await all(llm.streamChat('Hi', options))
    await llm.predict(prompt(), { x: 1 }, options)
    expect(handler.events).toEqual([])
    expect(summary(own).filter((line) => line.startsWith('start'))).toEqual([
      'start llm additional_kwargs,messages,serialized',
      'start llm additional_kwargs,formatted_prompt,serialized',
      'start llm additional_kwargs,messages,serialized',
      'start templating query_wrapper_prompt,system_prompt,template,template_vars',
      'start llm additional_kwargs,messages,serialized',
    ])
    expect(llm.calls.map((call) => call.options)).toEqual([{}, {}, {}, {}])
  })

  it('names the provider of the model in its event', async () => {
    const metadata = new LLMMetadata({ isChatModel: true, modelName: 'm', provider: 'p' })
    const { llm, handler } = scripted({ answers: ['a'], metadata })
    await llm.chat('Hi')
    expect(handler.events[0]).toMatchObject({ payload: { serialized: { model: 'm', provider: 'p' } } })
  })
})

describe('streamChat and streamComplete', () => {
  it('yield the text so far and the new piece, within one event', async () => {
    const { llm, handler } = scripted({
      answers: [
        ['a', null, 'b'],
        ['c', 'd'],
      ],
    })
    const messages = user('u')
    expect((await all(llm.streamChat(messages))).map(({ message, delta }) => [message.content, delta])).toEqual([
      ['a', 'a'],
      ['a', null],
      ['ab', 'b'],
    ])
    expect((await all(llm.streamComplete('p'))).map(({ text, delta }) => [text, delta])).toEqual([
      ['c', 'c'],
      ['cd', 'd'],
    ])
    expect(summary(handler)).toEqual([
      'start llm additional_kwargs,messages,serialized',
      'end llm messages,response',
      'start llm additional_kwargs,formatted_prompt,serialized',
      'end llm completion,formatted_prompt',
    ])
    expect(String(ends(handler)[0]?.['response'])).toBe('ab')
  })

  it('start nothing until they are read', () => {
    const { llm, handler } = scripted({ answers: ['a'] })
    llm.streamChat([])
    expect([llm.calls, handler.events]).toEqual([[], []])
  })

  it('end the event with what has arrived when the reader stops early', async () => {
    const { llm, handler } = scripted({ answers: [['a', 'b', 'c']] })
    for await (const { delta } of llm.streamComplete('p')) if (delta === 'b') break
    expect(ends(handler)).toMatchObject([{ completion: { text: 'ab' } }])
  })

  it('end the stream of the model when the reader stops early, unless it has ended itself', async () => {
    let ended = 0
    class Failing extends ScriptedLLM {
      protected override streamCompleteRequest() {
        const pieces = [new CompletionResponse({ text: 'a', delta: 'a' })]
        const next = async () => {
          if (pieces.length === 0) throw new Error('cut')
          return { value: pieces.shift()! }
        }
        const end = async () => ({ done: true, value: void ended++ })
        return { [Symbol.asyncIterator]: () => ({ next, return: end }) } as never
      }
    }
    for await (const _ of new Failing().streamComplete('Q')) break
    expect(ended).toBe(1)
    const read = async () => {
      for await (const _ of new Failing().streamComplete('Q'));
    }
    await expect(read()).rejects.toThrow('cut')
    expect(ended).toBe(1)
  })

  it('end the event with the error when they fail, also before the first piece', async () => {
    const error = new Error('cut')
    const { llm, handler } = scripted({ answers: [['a', error], [error]] })
    const seen: unknown[] = []
    await expect(
      (async () => {
        for await (const { delta } of llm.streamComplete('p')) seen.push(delta)
      })(),
    ).rejects.toBe(error)
    await expect(all(llm.streamChat([]))).rejects.toBe(error)
    expect(seen).toEqual(['a'])
    expect(ends(handler)).toEqual([{ exception: error }, { exception: error }])
  })

  it('end the event with null if nothing arrived', async () => {
    const { llm, handler } = scripted({ answers: [[]] })
    expect(await all(llm.streamChat([]))).toEqual([])
    expect(ends(handler)).toEqual([{ messages: [], response: null }])
  })
})

describe('predict', () => {
  it('prepends the system prompt, formats and parses with a chat model', async () => {
    const { llm } = scripted({ answers: ['hi'], systemPrompt: 'Be {kind}.', outputParser: new Shout() })
    expect(await llm.predict(prompt(), { x: '{y}' }, { temperature: 1 })).toBe('HI')
    expect(llm.calls).toEqual([
      {
        kind: 'chat',
        messages: [
          { role: 'system', content: 'Be {kind}.', additional_kwargs: {} },
          { role: 'user', content: 'Say {y} [SHOUT]', additional_kwargs: {} },
        ],
        options: { temperature: 1 },
      },
    ])
  })

  it('applies the prompt function, the parser, the system prompt and the wrapper in this order, with a completion model', async () => {
    const llm = new ScriptedLLM({
      answers: ['hi'],
      metadata: completing,
      systemPrompt: 'Sys',
      outputParser: new Shout(),
      completionToPrompt: (text) => `<${text}>`,
      queryWrapperPrompt: prompt('', { format: (vars) => `(${vars?.['query_str']})` }),
    })
    expect(await llm.predict(prompt(), { x: 1 })).toBe('HI')
    expect(llm.calls).toEqual([{ kind: 'complete', prompt: '(Sys\n\n<Say 1> [SHOUT])', formatted: true, options: {} }])
  })

  it('ignores an empty system prompt and needs no parser', async () => {
    const llm = new ScriptedLLM({ answers: [null, 'b'], systemPrompt: '' })
    expect([await llm.predict(prompt(), { x: 1 }), await llm.predict(prompt(), { x: 1 })]).toEqual(['', 'b'])
    expect(llm.calls[0]?.messages).toHaveLength(1)
  })

  it('returns a parsed answer that is not a string as compact JSON', async () => {
    const { llm } = scripted({ answers: ['{"a": [1]}', 'nothing'], outputParser: new Shout() })
    expect(await llm.predict(prompt(), { x: 1 })).toBe('{"a":[1]}')
    expect(await llm.predict(prompt(), { x: 1 })).toBe('null')
  })

  it('formats the prompt before it emits an event', async () => {
    const { llm, handler } = scripted({ answers: ['a'] })
    await expect(llm.predict(prompt(), {})).rejects.toThrow('x is missing')
    expect([handler.events, llm.calls]).toEqual([[], []])
  })

  it('reports the template with the values that were used', async () => {
    const { llm, handler } = scripted({ answers: ['a', 'b'], systemPrompt: 's' })
    await llm.predict(prompt(), { x: 1 })
    await llm.predict(prompt('T', { resolveVars: () => ({ inner: 'mapped' }) }), { x: 1 })
    expect(summary(handler).slice(0, 3)).toEqual([
      'start templating query_wrapper_prompt,system_prompt,template,template_vars',
      'end templating ',
      'start llm additional_kwargs,messages,serialized',
    ])
    const payloads = handler.events.flatMap((event) =>
      event.phase === 'start' && event.type === 'templating' ? [event.payload] : [],
    )
    expect(payloads).toEqual([
      { template: 'Say {x}', template_vars: { x: 1 }, system_prompt: 's', query_wrapper_prompt: null },
      { template: 'T', template_vars: { inner: 'mapped' }, system_prompt: 's', query_wrapper_prompt: null },
    ])
  })
})

describe('a reader that leaves a stream while the model is silent', () => {
  it.each([
    ['streamChat', (llm: ScriptedLLM) => llm.streamChat('q')],
    ['streamComplete', (llm: ScriptedLLM) => llm.streamComplete('q')],
    ['stream', (llm: ScriptedLLM) => llm.stream(prompt(), { x: 1 })],
  ] as const)('cancels the request of %s', async (_, streamOf) => {
    const llm = new ScriptedLLM({ answers: [['a', new Promise(() => {})]] })
    const pieces = streamOf(llm)[Symbol.asyncIterator]()
    await pieces.next()
    pieces.next().catch(() => {})
    expect(llm.signals[0]?.aborted).toBe(false)
    void pieces.return?.()
    expect(llm.signals[0]?.aborted).toBe(true)
  })
})

describe('stream', () => {
  it.each([undefined, completing])(
    'yields each delta, and an empty string for a missing one (%o)',
    async (metadata) => {
      const { llm, handler } = scripted({
        answers: [['a', null, 'b']],
        systemPrompt: 'S',
        ...(metadata && { metadata }),
      })
      expect(await all(llm.stream(prompt(), { x: 1 }, { temperature: 1 }))).toEqual(['a', '', 'b'])
      expect(llm.calls[0]?.options).toEqual({ temperature: 1 })
      expect(handler.summary().map(([phase, type]) => `${phase} ${type}`)).toEqual([
        'start templating',
        'end templating',
        'start llm',
        'end llm',
      ])
      expect(llm.calls[0]).toMatchObject(
        metadata ? { prompt: 'S\n\nSay 1', formatted: true } : { messages: [{ role: 'system' }, { role: 'user' }] },
      )
    },
  )

  it('throws for an output parser before anything is sent', async () => {
    const own = scripted({ answers: ['a'], outputParser: new Shout() })
    const selected = prompt('', { select: () => prompt('', { outputParser: new Shout() }) })
    const { llm } = scripted({ answers: ['a'] })
    await expect(all(own.llm.stream(prompt(), { x: 1 }))).rejects.toMatchObject({ code: 'streaming_parser' })
    await expect(all(llm.stream(prompt('', { outputParser: new Shout() }), { x: 1 }))).rejects.toMatchObject({
      code: 'streaming_parser',
    })
    await expect(all(llm.stream(selected, { x: 1 }))).rejects.toMatchObject({ code: 'streaming_parser' })
    expect([own.llm.calls, own.handler.events, llm.calls]).toEqual([[], [], []])
  })
})

describe('a copy of a model', () => {
  it('has the same client and callbacks', async () => {
    const { llm, handler } = scripted({ answers: ['a', 'b'] })
    const copy = llm.copy({ update: { systemPrompt: 'new' } })
    expect(await copy.predict(prompt(), { x: 1 })).toBe('a')
    expect((await ScriptedLLM.validate(llm).complete('p')).text).toBe('b')
    expect(llm.calls[0]?.messages?.[0]).toMatchObject({ role: 'system', content: 'new' })
    expect(handler.events.length).toBeGreaterThan(4)
    expect(llm.systemPrompt).toBeNull()
  })
})

describe('CustomLLM', () => {
  class Echo extends CustomLLM {
    readonly metadata = completing
    readonly requests: [string, CompleteOptions][] = []
    protected override async completeRequest(text: string, options: CompleteOptions) {
      this.requests.push([text, options])
      return new CompletionResponse({ text: 'echo', additionalKwargs: { a: 1 }, raw: { r: 1 } })
    }
    protected override async *streamCompleteRequest(text: string, options: CallOptions) {
      this.requests.push([text, options])
      yield new CompletionResponse({ text: 'e', delta: 'e' })
      yield new CompletionResponse({ text: 'echo', delta: 'cho' })
    }
  }

  it('answers a chat by completing the rendered messages, in one request and one event', async () => {
    const handler = new RecordingCallbackHandler()
    const llm = new Echo({ callbackManager: new CallbackManager([handler]) })
    const response = await llm.chat(user('u'), { temperature: 0 })
    expect(response.toDict()).toEqual({
      message: { role: 'assistant', content: 'echo', additional_kwargs: { a: 1 } },
      raw: { r: 1 },
      delta: null,
      additional_kwargs: {},
    })
    expect(llm.requests).toEqual([['user: u\nassistant: ', { temperature: 0, formatted: true }]])
    expect(summary(handler)).toEqual(['start llm additional_kwargs,messages,serialized', 'end llm messages,response'])
  })

  it('streams a chat in the same way, with its own renderer', async () => {
    const llm = new Echo({ messagesToPrompt: (messages) => messages.map(String).join('|') })
    expect(
      (await all(llm.streamChat(user('u')))).map(({ message, delta }) => [message.role, message.content, delta]),
    ).toEqual([
      ['assistant', 'e', 'e'],
      ['assistant', 'echo', 'cho'],
    ])
    expect(llm.requests).toEqual([['user: u', { formatted: true, signal: expect.any(AbortSignal) }]])
  })
})

describe('the query component', () => {
  it('refuses an option that it does not have', () => {
    expect(() => new ScriptedLLM().asQueryComponent({ stream: true } as never)).toThrow(
      'asQueryComponent.stream: unknown option; did you mean streaming?',
    )
  })

  it('passes only the signal and the parent event of the run to the model', async () => {
    const { llm, handler } = scripted({ answers: ['a'] })
    const options = {
      signal: new AbortController().signal,
      parentId: 'p',
      order: ['messages'],
      context: { user: 'ann' },
    }
    await llm.asQueryComponent().runComponent({ messages: 'Hi' }, options)
    expect(llm.calls[0]!.options).toEqual({})
    expect(handler.events[0]).toMatchObject({ parent: 'p' })
  })

  it('accepts a string or messages for a chat model, and does not send the system prompt', async () => {
    const llm = new ScriptedLLM({ answers: ['a', 'b'], systemPrompt: 's' })
    const step = llm.asQueryComponent()
    expect([step.inputKeys, step.outputKeys]).toEqual([{ required: ['messages'], optional: [] }, ['output']])
    const { output } = await step.runComponent({ messages: new QueryBundle({ queryStr: 'q' }) })
    await step.runComponent({ messages: [new ChatMessage({ role: 'user', content: 't' })] })
    expect(String(output)).toBe('a')
    expect(llm.calls.map(({ messages }) => messages)).toEqual([
      [{ role: 'user', content: 'q', additional_kwargs: {} }],
      [{ role: 'user', content: 't', additional_kwargs: {} }],
    ])
  })

  it('applies the prompt function to strings and renders messages for a completion model', async () => {
    const llm = new ScriptedLLM({
      answers: ['a', 'b'],
      metadata: completing,
      completionToPrompt: (text) => `<${text}>`,
    })
    const step = llm.asQueryComponent({ partial: { prompt: 'p' } })
    expect(step.freeReqInputKeys).toEqual([])
    await step.runComponent()
    await llm.asQueryComponent().runComponent({ prompt: user('u') })
    expect(llm.calls.map(({ prompt: text, formatted }) => [text, formatted])).toEqual([
      ['<p>', true],
      ['user: u\nassistant: ', true],
    ])
  })

  it('sends an empty array of messages to a chat model', async () => {
    const llm = new ScriptedLLM({ answers: ['a'] })
    await llm.asQueryComponent().runComponent({ messages: [] })
    expect(llm.calls).toMatchObject([{ kind: 'chat', messages: [] }])
  })

  it.each([[['a']], [[new ChatMessage(), 'x']], [null], [{}]])('rejects %j', async (input) => {
    for (const [key, metadata] of [
      ['messages', undefined],
      ['prompt', completing],
    ] as const) {
      const llm = new ScriptedLLM({ ...(metadata && { metadata }) })
      await expect(llm.asQueryComponent().runComponent({ [key]: input })).rejects.toMatchObject({
        code: 'component_input',
        keys: [key],
      })
      expect(llm.calls).toEqual([])
    }
  })

  it.each([5, 10n])('rejects %s as the prompt of a completion model', async (prompt) => {
    const llm = new ScriptedLLM({ metadata: completing })
    await expect(llm.asQueryComponent().runComponent({ prompt })).rejects.toMatchObject({
      code: 'component_input',
      keys: ['prompt'],
      message: expect.stringMatching(/^Input prompt: expected a string or an array of chat messages, received \S+/),
    })
    expect(llm.calls).toEqual([])
  })

  it('streams on request and notifies the callback manager that was passed', async () => {
    const handler = new RecordingCallbackHandler()
    for (const metadata of [undefined, completing]) {
      const llm = new ScriptedLLM({ answers: [['a', 'b']], ...(metadata && { metadata }) })
      const step = llm.asQueryComponent({ streaming: true })
      step.setCallbackManager(new CallbackManager([handler]))
      const { output } = await step.runComponent({ [metadata ? 'prompt' : 'messages']: 'x' })
      expect((await all(output as AsyncIterable<{ delta: string }>)).map(({ delta }) => delta)).toEqual(['a', 'b'])
    }
    expect(handler.summary()).toHaveLength(4)
  })

  it('passes the signal to the model', async () => {
    const llm = new ScriptedLLM({ answers: ['a'] })
    await expect(
      llm.asQueryComponent().runComponent({ messages: 'x' }, { signal: AbortSignal.abort(new Error('stop')) }),
    ).rejects.toThrow('stop')
  })
})

describe('an argument that is wrong', () => {
  const { llm } = scripted({ answers: Array(20).fill('x') })
  const drained = async (pieces: AsyncIterable<unknown>) => {
    for await (const _ of pieces);
  }
  const wrong = [undefined, null, 5, {}, [null], [{}]]
  type Call = [place: string, values: unknown[], call: (value: never) => Promise<unknown>]
  const optionsOf = (name: string, given: unknown[]): Call[] => {
    const call = async (options: unknown) => {
      const answer = (llm as unknown as Record<string, (...given: unknown[]) => object>)[name]!(...given, options)
      return Symbol.asyncIterator in answer ? drained(answer as AsyncIterable<unknown>) : answer
    }
    return [
      [`${name}.options`, [null, 5, 'x'], call],
      [`${name}.signal`, [5, 'x', {}, new AbortController()], (signal) => call({ signal })],
      [`${name}.callbackManager`, [5, 'x', {}, [null]], (callbackManager) => call({ callbackManager })],
    ]
  }
  it.each<Call>([
    ['chat.messages', [...wrong, ['Hi']], (value) => llm.chat(value)],
    ['streamChat.messages', [...wrong, ['Hi']], async (value) => drained(llm.streamChat(value))],
    ['complete.prompt', wrong, (value) => llm.complete(value)],
    ['streamComplete.prompt', wrong, async (value) => drained(llm.streamComplete(value))],
    ['predict.prompt', [...wrong, 'Say {x}'], (value) => llm.predict(value)],
    ['stream.prompt', [...wrong, 'Say {x}'], async (value) => drained(llm.stream(value))],
    ...['chat', 'streamChat', 'complete', 'streamComplete'].flatMap((name) => optionsOf(name, ['Hi'])),
    ...['predict', 'stream'].flatMap((name) => optionsOf(name, [prompt('Say.'), {}])),
  ])('is refused before a request: %s', async (place, values, call) => {
    for (const value of values)
      await expect(call(value as never)).rejects.toMatchObject({
        code: 'model_validation',
        message: expect.stringMatching(`^${place}: expected an? `),
      })
    expect(llm.calls).toEqual([])
  })
})
