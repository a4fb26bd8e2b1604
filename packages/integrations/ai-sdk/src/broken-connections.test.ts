import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createOpenAICompatible as createFor5 } from '@ai-sdk/openai-compatible-for-5'
import { createOpenAICompatible as createFor6 } from '@ai-sdk/openai-compatible-for-6'
import { FunctionCallingAgent } from '@x/agents'
import { ChatMessage, type ChatResponse } from '@x/core-model'
import { withRetry } from '@x/llm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chunk, eventText, LoopbackServer, pieces } from '../../../../tools/loopback-model-server.ts'
import { AiSdkLLM } from './ai-sdk-llm.ts'
import type { AiSdkLanguageModel } from './model-types.ts'

const question = [new ChatMessage({ content: 'Q' })]
const begun = eventText([{ id: 'x', created: 1, model: 'm', ...chunk({ role: 'assistant', content: 'Tea is' }) }], {
  done: false,
})

let server: LoopbackServer
let baseURL: string
beforeEach(async () => {
  server = new LoopbackServer()
  baseURL = await server.start()
})
afterEach(() => server.stop())

const models: Record<string, () => AiSdkLanguageModel> = {
  'AI SDK 5': () => createFor5({ name: 'local', baseURL })('m'),
  'AI SDK 6': () => createFor6({ name: 'local', baseURL })('m'),
  'AI SDK 7': () => createOpenAICompatible({ name: 'local', baseURL })('m'),
  'AI SDK 7, OpenAI': () => createOpenAI({ baseURL, apiKey: 'k' }).chat('m'),
}

async function readAll(model: AiSdkLanguageModel): Promise<void> {
  for await (const _ of new AiSdkLLM({ model }).streamChat(question));
}

const failure = { code: 'model_call', kind: 'connection', retryable: true }

describe.each(Object.entries(models))('with %s', (name, model) => {
  it('a connection that breaks in the middle of a stream or an answer is an error that may be repeated', async () => {
    server.willAnswer(pieces([begun], { end: 'destroy' }), pieces(['{'], { type: 'application/json', end: 'destroy' }))
    await expect(readAll(model())).rejects.toMatchObject(failure)
    await expect(new AiSdkLLM({ model: model() }).chat(question)).rejects.toMatchObject(failure)
  })

  it('so is a stream that ends before the model is done, if the model can tell', async () => {
    server.willAnswer(pieces([begun]))
    const reading = expect(readAll(model()))
    // Models of specification v2 do not say whether the provider reported a reason.
    await (name === 'AI SDK 5' ? reading.resolves.toBeUndefined() : reading.rejects.toMatchObject(failure))
  })
})

/** Data that Anthropic's server sends, of a stream that breaks or not. */
const claude = (...events: object[]) =>
  pieces(events.map((event) => `event: ${Reflect.get(event, 'type')}\ndata: ${JSON.stringify(event)}\n\n`))
const started = {
  type: 'message_start',
  message: { id: 'm', type: 'message', role: 'assistant', model: 'c', content: [], usage: { input_tokens: 3 } },
}
const textOf = (text: string) => [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
  { type: 'content_block_stop', index: 0 },
]
const ended = [
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
]
const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }

describe('with Claude', () => {
  it.each([[[started]], [[started, overloaded]]])(
    'repeats a stream that breaks before its text: %j',
    async (events) => {
      server.willAnswer(claude(...events), claude(started, ...textOf('Fine.'), ...ended))
      const llm = withRetry(new AiSdkLLM({ model: createAnthropic({ baseURL, apiKey: 'k' })('c') }), { baseDelayMs: 0 })
      let text = ''
      for await (const { delta } of llm.streamChat(question)) text += delta
      expect([text, server.requests.length]).toEqual(['Fine.', 2])
    },
  )

  it('repeats a turn of an agent whose stream breaks, with and without text', async () => {
    server.willAnswer(claude(started, ...textOf('Hal'), overloaded), claude(started, overloaded))
    server.willAnswer(claude(started, ...textOf('Fine.'), ...ended))
    const llm = new AiSdkLLM({ model: createAnthropic({ baseURL, apiKey: 'k' })('c') })
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [], retries: { baseDelayMs: 0 } })
    let text = ''
    for await (const event of agent.runEvents('Q')) if (event.type === 'task_end') text = event.answer.text
    expect([text, server.requests.length]).toEqual(['Fine.', 3])
  })

  it('stores text alone as text, without data about the answer', async () => {
    server.willAnswer(claude(started, ...textOf('Fine.'), ...ended))
    let last: ChatResponse | undefined
    const llm = new AiSdkLLM({ model: createAnthropic({ baseURL, apiKey: 'k' })('c') })
    for await (const response of llm.streamChat(question)) last = response
    expect(last!.message.toDict()).toMatchObject({ content: 'Fine.' })
    expect(last!.message.parts).toBeNull()
  })
})

it('an agent continues a turn of Claude that was paused', async () => {
  const paused = [
    { type: 'message_delta', delta: { stop_reason: 'pause_turn' }, usage: { output_tokens: 5 } },
    ended[1]!,
  ]
  server.willAnswer(claude(started, ...textOf('I search'), ...paused), claude(started, ...textOf(' still.'), ...paused))
  server.willAnswer(claude(started, ...textOf(' Done.'), ...ended), claude(started, ...textOf('Yes.'), ...ended))
  const llm = new AiSdkLLM({ model: createAnthropic({ baseURL, apiKey: 'k' })('c') })
  const agent = FunctionCallingAgent.fromTools({ llm, tools: [] })
  const stream = await agent.streamChat('Search!')
  let text = ''
  for await (const piece of stream) text += piece
  expect(text).toBe('I search still. Done.')
  for await (const _ of await agent.streamChat('Sure?'));
  const contents = (n: number) =>
    server.requests[n]!.body.messages.map(({ role, content }: { role: string; content: { text: string }[] }) => [
      role,
      content.map((block) => block.text).join('|'),
    ])
  // The provider trims the last text before it sends it.
  const asked = ['user', 'Search!']
  expect(contents(1)).toEqual([asked, ['assistant', 'I search']])
  expect(contents(2)).toEqual([asked, ['assistant', 'I search|still.']])
  expect(contents(3)).toEqual([asked, ['assistant', 'I search| still.| Done.'], ['user', 'Sure?']])
})
