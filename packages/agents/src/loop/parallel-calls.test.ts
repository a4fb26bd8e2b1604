import { expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { journal, journalPort } from '../journal.ts'
import { toolLoop } from '../small/tool-loop.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { FunctionTool } from '../tool/function-tool.ts'

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
