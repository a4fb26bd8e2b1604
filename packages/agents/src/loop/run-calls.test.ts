import { type CallOptions, ChatMessage, ChatResponse, LLMMetadata } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { functionCallingLlm, scriptedToolModel, toolCall, toolCalls } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { AgentChatResponse } from '../answer/agent-chat-response.ts'
import { journal, journalPort } from '../journal.ts'
import { toolLoop } from '../small/tool-loop.ts'
import type { AgentEvent } from '../task/agent-event.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { FunctionTool } from '../tool/function-tool.ts'

const schema = { type: 'object', properties: { n: { type: 'integer' } } } as const

async function eventsOf(agent: FunctionCallingAgent): Promise<AgentEvent[]> {
  const events: AgentEvent[] = []
  for await (const event of agent.runEvents('x')) events.push(event)
  return events
}

describe('the events of tools', () => {
  it('contain the progress as JSON, between the call and the result', async () => {
    const work = FunctionTool.fromDefaults({
      name: 'work',
      schema,
      fn: (_args, { onProgress }) => {
        onProgress?.({ done: 1, at: new Date(0) })
        onProgress?.(undefined)
        return 'ok'
      },
    })
    const llm = scriptedToolModel([toolCalls(toolCall('a', 'work', {})), 'done'])
    const events = await eventsOf(FunctionCallingAgent.fromTools({ llm, tools: [work] }))
    expect(events.filter(({ type }) => type.startsWith('tool_'))).toMatchObject([
      { type: 'tool_call', callId: 'a', toolName: 'work', arguments: {} },
      { type: 'tool_progress', callId: 'a', toolName: 'work', progress: { done: 1, at: '1970-01-01T00:00:00.000Z' } },
      { type: 'tool_progress', callId: 'a', toolName: 'work', progress: null },
      { type: 'tool_result', callId: 'a', toolName: 'work', content: 'ok', isError: false, output: 'ok' },
    ])
  })

  it('contain arguments in the same form, even if they cannot be parsed', async () => {
    const calls = [toolCall('a', 'work', '{"n": 1,}'), toolCall('b', 'work', '{"n": ')]
    const work = FunctionTool.fromDefaults({ name: 'work', schema, fn: () => 'ok' })
    const llm = scriptedToolModel([toolCalls(...calls), 'done'])
    const events = await eventsOf(FunctionCallingAgent.fromTools({ llm, tools: [work] }))
    expect(events.filter(({ type }) => type === 'tool_call')).toMatchObject([
      { arguments: { n: 1 } },
      { arguments: {}, invalidArguments: '{"n": ' },
    ])
  })

  it('show all digits of integers beyond 2^53', async () => {
    const received: unknown[] = []
    const cancel = FunctionTool.fromDefaults({
      name: 'cancel',
      schema: { type: 'object' },
      fn: (args) => {
        received.push(args)
        throw new Error('busy')
      },
    })
    const text = '{"order": 1234567890123456789}'
    const object = { order: 1234567890123456789n }
    const calls = [
      toolCall('a', 'cancel', text),
      toolCall('b', 'cancel', text),
      { ...toolCall('c', 'cancel', ''), arguments: object as never },
    ]
    const llm = scriptedToolModel([...calls.map((call) => toolCalls(call)), 'done'])
    const events = await eventsOf(FunctionCallingAgent.fromTools({ llm, tools: [cancel] }))
    expect(received).toEqual([object, object, object])
    const shown = events.flatMap((event) => (event.type === 'tool_call' ? [event.arguments] : []))
    expect(shown).toEqual([1, 2, 3].map(() => ({ order: '1234567890123456789' })))
  })

  it('contain the output only if it has a JSON form', async () => {
    const circular: Record<string, unknown> = {}
    circular['self'] = circular
    const outputs: [string, () => unknown, unknown][] = [
      ['data', () => ({ a: [1] }), { a: [1] }],
      ['answer', () => new AgentChatResponse({ response: 'four' }), 'four'],
      ['big', () => ({ n: 2n ** 64n }), { n: '18446744073709551616' }],
      ['circular', () => circular, null],
    ]
    const tools = outputs.map(([name, fn]) => FunctionTool.fromDefaults({ name, schema, fn }))
    const llm = scriptedToolModel([toolCalls(...outputs.map(([name]) => toolCall(name, name, {}))), 'done'])
    const events = await eventsOf(FunctionCallingAgent.fromTools({ llm, tools }))
    const results = events.flatMap((event) => (event.type === 'tool_result' ? [event.output] : []))
    expect(results).toEqual(outputs.map(([, , output]) => output))
  })
})

it('passes the id of the run to models and tools, for platforms without async context', async () => {
  const ids: Record<string, unknown> = {}
  const work = FunctionTool.fromDefaults({
    name: 'work',
    schema,
    fn: (_args, { parentId }) => {
      ids['tool'] = parentId
      return 'ok'
    },
  })
  const replies = [toolCalls(toolCall('a', 'work', {})), new ChatMessage({ role: 'assistant', content: 'done' })]
  const llm = {
    metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }),
    chat: async (_messages: unknown, options: CallOptions) => {
      ids['model'] = options.parentId
      return new ChatResponse({ message: replies.shift()! })
    },
  } as never
  await FunctionCallingAgent.fromTools({ llm, tools: [work] }).chat('x')
  expect(ids).toEqual({ model: expect.any(String), tool: expect.any(String) })
})

/** The tools `wait` and `alone`, which note when they begin and end. `wait` takes the longer the earlier it was requested. */
function world() {
  const log: string[] = []
  let running = 0
  let most = 0
  const tool = (name: string, sequential: boolean) =>
    FunctionTool.fromDefaults({
      name,
      sequential,
      schema: { type: 'object', properties: { i: { type: 'integer' } }, required: ['i'] } as const,
      fn: async ({ i }, { onProgress }) => {
        most = Math.max(most, ++running)
        log.push(`begin ${i}`)
        await onProgress?.(i)
        await new Promise((resolve) => setTimeout(resolve, 20 - 4 * i))
        log.push(`end ${i}`)
        running--
        return `${i}`
      },
    })
  return { log, tools: [tool('wait', false), tool('alone', true)], most: () => most }
}

const turn = (...names: string[]) => names.map((name, i) => toolCall(`c${i}`, name, { i }))

it('calls of a turn run at the same time, and results, sources and events have their order', async () => {
  const { tools, most, log } = world()
  const agent = FunctionCallingAgent.fromTools({
    llm: functionCallingLlm([turn('wait', 'wait', 'wait'), 'done']),
    tools,
  })
  const events: string[] = []
  for await (const event of agent.runEvents('Go!'))
    if (event.type === 'tool_call' || event.type === 'tool_result') events.push(`${event.type} ${event.callId}`)
  expect(most()).toBe(3)
  expect(log.slice(3)).toEqual(['end 2', 'end 1', 'end 0'])
  expect(events).toEqual([0, 1, 2].map((i) => `tool_call c${i}`).concat([0, 1, 2].map((i) => `tool_result c${i}`)))
  expect(agent.chatHistory.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual(['0', '1', '2'])
})

it('a call of a sequential tool runs alone, in its place', async () => {
  const { tools, log } = world()
  const names = ['wait', 'wait', 'alone', 'alone', 'wait']
  const { sources } = await toolLoop({ llm: functionCallingLlm([turn(...names), 'done']), tools }).run('Go!')
  expect(log).toEqual([
    ...['begin 0', 'begin 1', 'end 1', 'end 0'],
    ...['begin 2', 'end 2', 'begin 3', 'end 3', 'begin 4', 'end 4'],
  ])
  expect(sources.map(String)).toEqual(['0', '1', '2', '3', '4'])
})

it.each([
  ['a task store', 3, () => ({ taskStore: journal(new MemoryTaskStore()) })],
  ['an engine', 1, () => ({ durable: journalPort((_, call) => call()) })],
  ['an engine and a limit of its own', 2, () => ({ durable: journalPort((_, call) => call()), maxToolConcurrency: 2 })],
  ['a limit', 1, () => ({ maxToolConcurrency: 1 })],
])('with %s, %i calls run at the same time', async (_, expected, options) => {
  const { tools, most } = world()
  const llm = functionCallingLlm([turn('wait', 'wait', 'wait'), 'done'])
  await FunctionCallingAgent.fromTools({ llm, tools, ...options() }).chat('Go!')
  expect(most()).toBe(expected)
})

it('the results of the calls beside one that ends the run are reported', async () => {
  const { tools } = world()
  const broken = FunctionTool.fromDefaults({
    name: 'broken',
    schema: {},
    fn: () => {
      throw Object.assign(new Error('power cut'), { fatal: true })
    },
  })
  const llm = functionCallingLlm([[toolCall('b', 'broken', {}), ...turn('wait', 'wait')]])
  const events: string[] = []
  const onEvent = (event: { type: string; callId?: string }) => void events.push(`${event.type} ${event.callId}`)
  const loop = toolLoop({ llm, tools: [...tools, broken] })
  await expect(loop.run('Go!', { onEvent })).rejects.toThrow('power cut')
  expect(events.filter((event) => event.startsWith('tool_result'))).toEqual(['tool_result c0', 'tool_result c1'])
})
