import { ChatMessage, ChatResponse, type Dict, LLMMetadata } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { scriptedToolModel, toolCall, toolCalls } from '../../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../../agent/function-calling-agent.ts'
import type { AgentEvent } from '../../task/agent-event.ts'
import { FunctionTool } from '../../tool/function-tool.ts'

const search = FunctionTool.fromDefaults({
  name: 'search',
  schema: { type: 'object', properties: { q: { type: 'string' } } },
  fn: ({ q = 'nothing' }) => ({ found: q }),
})

const TALK = ['Let me', ' search.', toolCalls(toolCall('c1', 'search', { q: 'tea' }), toolCall('c2', 'search', {}))]
const ANSWER = ['It is', ' tea.']

/** A model whose stream has exactly these chunks, in each turn. */
function chunkModel(turns: readonly { delta?: string; kwargs?: Dict; message?: Dict; raw?: Dict | null }[][]) {
  let turn = 0
  return {
    metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }),
    async *streamChat() {
      let content = ''
      for (const { delta = '', kwargs = {}, message = {}, raw = null } of turns[turn++]!) {
        content += delta
        const reply = new ChatMessage({ role: 'assistant', content, additionalKwargs: message })
        yield new ChatResponse({ message: reply, delta, additionalKwargs: kwargs, raw })
      }
    },
  } as never
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

describe('a model that talks before it calls tools', () => {
  it('streams the text of the last turn', async () => {
    const agent = FunctionCallingAgent.fromTools({ llm: scriptedToolModel([TALK, ANSWER]), tools: [search] })
    const answer = await agent.streamChat('x')
    expect(await all(answer)).toEqual(ANSWER)
    await answer.done
    expect(answer.response).toBe('It is tea.')
    expect(answer.sources.map(String)).toEqual(['{"found":"tea"}', '{"found":"nothing"}'])
    expect(agent.chatHistory.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'user: x',
      // The scripted model sends only what is new in its last piece.
      'assistant: Let me search.',
      'tool: {"found":"tea"}',
      'tool: {"found":"nothing"}',
      'assistant: It is tea.',
    ])
  })

  it.each([true, false])('reports the text of each turn as events of its step, with stream: %s', async (stream) => {
    const agent = FunctionCallingAgent.fromTools({ llm: scriptedToolModel([TALK, ANSWER]), tools: [search] })
    const events = await all(agent.runEvents('x', { stream }))
    const steps = new Map<string, string>()
    for (const event of events)
      if (event.type === 'text_delta') steps.set(event.stepId, (steps.get(event.stepId) ?? '') + event.delta)
    expect([...steps.values()]).toEqual(['Let me search.', 'It is tea.'])
    const types = events.map(({ type }) => type).filter((type) => type !== 'text_delta')
    expect(types).toEqual(
      'step_start usage tool_call tool_call tool_result tool_result step_end step_start usage step_end task_end'.split(
        ' ',
      ),
    )
    expect(events.filter(({ type }) => type === 'tool_call' || type === 'tool_result')).toMatchObject([
      { callId: 'c1', toolName: 'search', arguments: { q: 'tea' } },
      { callId: 'c2', toolName: 'search', arguments: {} },
      { callId: 'c1', toolName: 'search', content: '{"found":"tea"}', isError: false, output: { found: 'tea' } },
      { callId: 'c2', toolName: 'search', content: '{"found":"nothing"}' },
    ])
    expect(events.at(-1)).toMatchObject({ answer: { text: 'It is tea.', usage: { modelCalls: 2, toolCalls: 2 } } })
  })
})

describe('events', () => {
  const turns = [
    [
      { kwargs: { reasoning_delta: 'I need' } },
      { kwargs: { reasoning_delta: ' tea.' }, message: { reasoning_content: 'I need tea.' } },
      { kwargs: { tool_call_deltas: [{ index: 0, id: 'c1', name: 'search', arguments: '{"q":' }] } },
      {
        kwargs: { tool_call_deltas: [{ index: 0, id: null, name: null, arguments: '"tea"}' }] },
        message: { reasoning_content: 'I need tea.', tool_calls: [toolCall('c1', 'search', { q: 'tea' })] },
        raw: { usage: { prompt_tokens: 10, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 8 } } },
      },
    ],
    [{ delta: 'Tea.', raw: { usage: { prompt_tokens: 20, completion_tokens: 2 } } }],
  ]
  const run = (): Promise<AgentEvent[]> =>
    all(FunctionCallingAgent.fromTools({ llm: chunkModel(turns), tools: [search] }).runEvents('x'))

  it('contain the reasoning, the input of tools and the usage of each call', async () => {
    const events = await run()
    const of = <T extends AgentEvent['type']>(type: T) =>
      events.filter((event): event is AgentEvent & { type: T } => event.type === type)
    expect(of('reasoning_delta').map(({ delta }) => delta)).toEqual(['I need', ' tea.'])
    expect(of('reasoning').map(({ text }) => text)).toEqual(['I need tea.'])
    expect(of('tool_input_delta').map(({ callId, toolName, delta }) => [callId, toolName, delta])).toEqual([
      ['c1', 'search', '{"q":'],
      ['c1', 'search', '"tea"}'],
    ])
    expect(of('usage').map(({ call, total }) => [call?.inputTokens, total.totalTokens])).toEqual([
      [10, 14],
      [20, 36],
    ])
    expect(of('task_end')[0]!.answer.usage).toEqual({
      modelCalls: 2,
      toolCalls: 1,
      inputTokens: 30,
      outputTokens: 6,
      cachedInputTokens: 8,
      reasoningTokens: 0,
      totalTokens: 36,
    })
  })

  it('are plain JSON with camelCase keys', async () => {
    const events = await run()
    expect(JSON.parse(JSON.stringify(events))).toEqual(events)
    const keys = new Set(JSON.stringify(events).match(/"[A-Za-z_]+":/g))
    expect([...keys].filter((key) => key.includes('_'))).toEqual([])
  })
})

it('contain no reasoning and no images as text, even for chunks without a delta', async () => {
  const hm = { type: 'reasoning' as const, text: 'Hm.' }
  const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA' } }
  const chunks = [[hm], [hm, image], [hm, image, { type: 'text' as const, text: 'Tea.' }]]
  const llm = {
    metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }),
    async *streamChat() {
      for (const content of chunks)
        yield new ChatResponse({ message: new ChatMessage({ role: 'assistant', content }), delta: null })
    },
  } as never
  const agent = FunctionCallingAgent.fromTools({ llm })
  const texts = (await all(agent.runEvents('x'))).filter(({ type }) => type === 'text_delta')
  expect(texts).toMatchObject([{ delta: 'Tea.' }])
})

it('streams the answer immediately if the agent has no tools', async () => {
  const agent = FunctionCallingAgent.fromTools({ llm: scriptedToolModel([['one', new Promise<never>(() => {})]]) })
  const answer = await agent.streamChat('x')
  expect((await answer[Symbol.asyncIterator]().next()).value).toBe('one')
})

it('keeps the additional data of an answer whose text is trimmed', async () => {
  const last = new ChatMessage({ role: 'assistant', content: 'tea.\n', additionalKwargs: { citations: [1] } })
  const agent = FunctionCallingAgent.fromTools({ llm: scriptedToolModel([['It is ', last]]) })
  await (await agent.streamChat('x')).done
  expect(agent.chatHistory.at(-1)).toMatchObject({ content: 'It is tea.', additionalKwargs: { citations: [1] } })
})

describe('a reader that stops', () => {
  /** A model that writes for ever, and reports when it was stopped. */
  function endless() {
    const state = { pieces: 0, stopped: false }
    const llm = {
      metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }),
      async *streamChat() {
        try {
          for (;;) {
            state.pieces++
            yield new ChatResponse({ message: new ChatMessage({ role: 'assistant', content: 'a' }), delta: 'a' })
            await new Promise((resolve) => setImmediate(resolve))
          }
        } finally {
          state.stopped = true
        }
      },
    } as never
    return { state, agent: FunctionCallingAgent.fromTools({ llm }) }
  }
  const settled = () => new Promise((resolve) => setTimeout(resolve, 20))

  it('stops the model', async () => {
    const { state, agent } = endless()
    const answer = await agent.streamChat('x')
    for await (const _ of answer) break
    await expect(answer.done).rejects.toMatchObject({ code: 'abort' })
    await settled()
    expect(state.stopped).toBe(true)
    expect(agent.chatHistory).toEqual([])
    expect(agent.getUpcomingSteps(agent.listTasks()[0]!.taskId)).toHaveLength(1)
  })

  it('stops the model through a ReadableStream', async () => {
    const { state, agent } = endless()
    const reader = (await agent.streamChat('x')).toReadableStream().getReader()
    await reader.read()
    await reader.cancel()
    await settled()
    expect(state.stopped).toBe(true)
  })

  it('does not stop the model while others read, or if asked to keep reading', async () => {
    const { state, agent } = endless()
    const answer = await agent.streamChat('x')
    const other = answer[Symbol.asyncIterator]()
    await other.next()
    for await (const _ of answer) break
    await settled()
    expect(state.stopped).toBe(false)
    answer.keepsReading = true
    await other.return(undefined)
    await settled()
    expect(state.stopped).toBe(false)
    answer.cancel(new Error('enough'))
    await expect(answer.done).rejects.toMatchObject({ code: 'abort', cause: { message: 'enough' } })
  })
})

it('an agent without tools streams the answer of a ScriptedLLM', async () => {
  const llm = new ScriptedLLM({
    answers: ['whole'],
    metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }),
  })
  expect(await all(await FunctionCallingAgent.fromTools({ llm }).streamChat('x'))).toEqual(['whole'])
})
