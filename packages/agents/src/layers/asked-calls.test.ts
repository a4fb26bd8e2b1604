import { toolCallsOf } from '@x/core-model'
import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { journal } from '../journal.ts'
import { outcomeOf } from '../runner/outcome.ts'
import { decide } from '../small/decide.ts'
import { toolLoop } from '../small/tool-loop.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { AgentTool } from '../tool/agent-tool.ts'
import type { AsyncBaseTool } from '../tool/base-tool.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import type { RepairToolCall } from '../tool/tool-call-options.ts'
import { ToolMetadata } from '../tool/tool-metadata.ts'
import type { ToolSchema } from '../tool/tool-schema.ts'
import { agentTools } from './agent-tools.ts'
import { approvals } from './approvals.ts'
import { budget } from './budget.ts'
import { lenientArguments } from './calls.ts'

const ran: string[] = []
beforeEach(() => {
  ran.length = 0
})
const schema = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] } as const
const fn = ({ to }: { to: string }) => {
  ran.push(`pay ${to}`)
  return `paid ${to}`
}
const look = FunctionTool.fromDefaults({
  name: 'look',
  schema,
  fn: ({ to }) => {
    ran.push(`look ${to}`)
    return `saw ${to}`
  },
})
const ways: Record<string, () => AsyncBaseTool> = {
  'needsApproval: true': () => FunctionTool.fromDefaults({ name: 'pay', schema, needsApproval: true, fn }),
  'a function': () => FunctionTool.fromDefaults({ name: 'pay', schema, needsApproval: () => true, fn }),
  'an external tool': () => FunctionTool.external({ name: 'pay', schema }),
  'a tool that does not check its arguments': () => ({
    metadata: new ToolMetadata({ name: 'pay', description: '', fnSchema: schema }),
    takesArguments: true,
    needsApproval: true,
    call: () => {
      ran.push('unchecked')
      throw new Error('it ran')
    },
  }),
}

describe.each(Object.keys(ways))('with %s', (way) => {
  const make = (calls: readonly object[], repairToolCall?: RepairToolCall) =>
    FunctionCallingAgent.fromTools({
      llm: functionCallingLlm([calls as never, 'done']),
      tools: [ways[way]!(), look],
      repairToolCall,
    })

  it.each(['{"wrong":1}', '{"to":{}}', '{"to"', 'nonsense', '', '{"to":"Ann"}{"to":"Bob"}', '[]'])(
    'nobody is asked about the arguments %j',
    async (args) => {
      const { sources } = await make([toolCall('a', 'pay', args)]).chat('Pay!')
      expect(sources).toMatchObject([{ isError: true, content: expect.stringMatching(/^Error: To/) }])
      expect(ran).toEqual([])
    },
  )

  it('the question has the arguments as they were read, and so has the conversation', async () => {
    const agent = make([toolCall('a', 'pay', "{'to': 'Ann',}")])
    expect(await outcomeOf(agent.chat('Pay!'))).toMatchObject({ calls: [{ id: 'a', arguments: { to: 'Ann' } }] })
  })

  it('the question and the conversation have what the tool receives, if a name is there twice', async () => {
    const agent = make([toolCall('a', 'pay', '{"to":"\\",\\"Bob:","x":[{"a":1}],"to" :"Ann"}')])
    const read = { to: 'Ann', x: [{ a: 1 }] }
    expect(await outcomeOf(agent.chat('Pay!', { taskId: 't' }))).toMatchObject({
      calls: [{ id: 'a', arguments: read }],
    })
    await agent.reject('t', 'a', 'no')
    await agent.runTask('t')
    expect(toolCallsOf(agent.chatHistory[1]!)[0]!.arguments).toBe(JSON.stringify(read))
  })

  it.each(['{"to":"Ann: \\"to\\":","list":[{"a":"x"},{"a":"y:"}]}', '{ "to" : "Ann" }'])(
    'the question has the text of the model, if it says what the tool receives: %s',
    async (args) => {
      const outcome = await outcomeOf(make([toolCall('a', 'pay', args)]).chat('Pay!'))
      expect(outcome).toMatchObject({ calls: [{ id: 'a', arguments: args }] })
    },
  )

  it('the question has the arguments that repairToolCall has made', async () => {
    let repairs = 0
    const agent = make([toolCall('a', 'pay', '{"whom":"Ann"}')], ({ call }) => {
      repairs++
      return { ...call, arguments: '{"to":"Ann"}' }
    })
    const outcome = await outcomeOf(agent.chat('Pay!', { taskId: 't' }))
    expect(outcome).toMatchObject({ calls: [{ id: 'a', arguments: { to: 'Ann' } }] })
    await agent.reject('t', 'a', 'no')
    await agent.runTask('t')
    expect(JSON.stringify(agent.chatHistory[1]!.additionalKwargs)).toContain('Ann')
    expect(repairs).toBe(1)
  })

  it('a call that repairToolCall cannot correct is not asked about, and repaired once', async () => {
    let repairs = 0
    const agent = make([toolCall('a', 'pay', '{"whom":"Ann"}')], () => {
      repairs++
      return null
    })
    expect(await outcomeOf(agent.chat('Pay!'))).toMatchObject({ status: 'done' })
    expect(repairs).toBe(1)
    expect(ran).toEqual([])
  })

  it('the other calls of the turn run at once, and only once', async () => {
    const calls = [
      toolCall('a', 'look', { to: 'x' }),
      toolCall('b', 'pay', { to: 'Ann' }),
      toolCall('c', 'look', { to: 'y' }),
    ]
    const store = new MemoryTaskStore()
    const newAgent = (turns: never) =>
      FunctionCallingAgent.fromTools({
        llm: functionCallingLlm(turns),
        tools: [ways[way]!(), look],
        taskStore: journal(store),
      })
    const agent = newAgent([calls, 'done'] as never)
    const events: string[] = []
    await expect(
      (async () => {
        for await (const event of agent.runEvents('Pay!', { taskId: 't' }))
          events.push('callId' in event ? `${event.type} ${event.callId}` : event.type)
      })(),
    ).resolves.toBeUndefined()
    expect(ran).toEqual(['look x', 'look y'])
    expect(events.filter((type) => /^(tool|approval)/.test(type))).toEqual([
      'tool_call a',
      'tool_call c',
      'tool_result a',
      'tool_result c',
      'approval_required',
    ])
    expect(agent.getPendingApprovals('t')).toMatchObject([{ id: 'b' }])
    expect(agent.getTask('t').extraState).toMatchObject({ n_function_calls: 2, usage: { toolCalls: 2 } })
    const next = newAgent(['done'] as never)
    await next.resumeTask('t')
    if (way === 'an external tool') await next.provideResult('t', 'b', 'paid Ann')
    else await next.reject('t', 'b', 'no')
    const answer = await next.runTask('t')
    expect(ran).toEqual(['look x', 'look y'])
    expect(answer.sources.map(({ content }) => content)).toEqual(['saw x', expect.any(String), 'saw y'])
    const ids = next.chatHistory.flatMap(({ additionalKwargs }) => additionalKwargs['tool_call_id'] ?? [])
    expect(ids).toEqual(['a', 'b', 'c'])
  })
})

it('a free call with arguments that cannot be read fails beside a call that waits', async () => {
  const calls = [toolCall('a', 'look', '{"to": "' as never), toolCall('b', 'pay', { to: 'Ann' })]
  const agent = FunctionCallingAgent.fromTools({
    llm: functionCallingLlm([calls, 'done']),
    tools: [ways['needsApproval: true']!(), look],
  })
  expect(await outcomeOf(agent.chat('Pay!', { taskId: 't' }))).toMatchObject({
    status: 'waiting',
    calls: [{ id: 'b' }],
  })
  await agent.approve('t', 'b')
  expect((await agent.runTask('t')).sources.map(({ isError }) => isError)).toEqual([true, false])
})

it('a free call that fails for good ends the step before anybody is asked', async () => {
  const broken = FunctionTool.fromDefaults({
    name: 'broken',
    schema: {},
    fn: () => {
      throw Object.assign(new Error('power cut'), { fatal: true })
    },
  })
  const calls = [toolCall('a', 'pay', { to: 'Ann' }), toolCall('b', 'broken', {})]
  const agent = FunctionCallingAgent.fromTools({
    llm: functionCallingLlm([calls, 'done']),
    tools: [ways['needsApproval: true']!(), broken],
  })
  await expect(agent.chat('Pay!', { taskId: 't' })).rejects.toThrow('power cut')
  expect(agent.getPendingApprovals('t')).toEqual([])
})

it('calls of the agent and of an agent behind a tool are asked about together', async () => {
  const inner = FunctionCallingAgent.fromTools({
    llm: functionCallingLlm([[toolCall('i', 'pay', { to: 'Bob' })], 'inner done']),
    tools: [ways['needsApproval: true']!()],
  })
  const calls = [
    toolCall('a', 'sub', { input: 'x' }),
    toolCall('b', 'pay', { to: 'Ann' }),
    toolCall('c', 'look', { to: 'x' }),
  ]
  const agent = FunctionCallingAgent.fromTools({
    llm: functionCallingLlm([calls, 'done']),
    tools: [new AgentTool({ agent: inner, name: 'sub', description: '' }), ways['needsApproval: true']!(), look],
  })
  const asked: string[][] = []
  for await (const event of agent.runEvents('Pay!', { taskId: 't' }))
    if (event.type === 'approval_required') asked.push(event.calls.map(({ id }) => id))
  expect(asked).toEqual([['a/i', 'b']])
  for (const { id } of agent.getPendingApprovals('t')) await agent.approve('t', id)
  const answer = await agent.runTask('t')
  expect(answer.sources.map(({ content }) => content)).toEqual(['inner done', 'paid Ann', 'saw x'])
  expect(ran.sort()).toEqual(['look x', 'pay Ann', 'pay Bob'])
})

it('toolLoop asks in the same way', async () => {
  const calls = [
    toolCall('a', 'pay', '{"to":1' as never),
    toolCall('b', 'pay', "{'to':'Ann'}" as never),
    toolCall('c', 'look', { to: 'x' }),
  ]
  const llm = functionCallingLlm([calls, 'done'])
  const layers = [approvals(), agentTools(), budget(), lenientArguments()]
  const events: string[] = []
  const loop = toolLoop({ llm, tools: [ways['needsApproval: true']!(), look], layers })
  const waiting = await loop.run('Pay!', { onEvent: ({ type }) => void events.push(type) })
  expect(waiting.pending.filter(({ decision }) => decision === null)).toMatchObject([
    { id: 'b', arguments: { to: 'Ann' } },
  ])
  expect(events.filter((type) => type === 'approval_required')).toHaveLength(1)
  expect(ran).toEqual(['look x'])
  await decide(loop, waiting.task, 'b', { decision: 'approve' })
  const { sources, usage } = await loop.resume(waiting.task)
  expect(sources.map(({ isError }) => isError)).toEqual([true, false, false])
  expect(ran).toEqual(['look x', 'pay Ann'])
  expect(usage?.toolCalls).toBe(3)
})

it('a call of a tool that accepts what cannot be checked is asked about', async () => {
  const odd = { type: 'object', properties: { to: { type: 'string', pattern: '(a)\\1' } } }
  const tool = FunctionTool.fromDefaults({
    name: 'pay',
    schema: odd,
    unchecked: 'accept',
    needsApproval: true,
    fn: () => 'paid',
  })
  const llm = functionCallingLlm([[toolCall('a', 'pay', { to: 'Ann' })], 'done'])
  const outcome = await outcomeOf(FunctionCallingAgent.fromTools({ llm, tools: [tool] }).chat('Pay!'))
  expect(outcome).toMatchObject({ status: 'waiting', calls: [{ id: 'a' }] })
})

const ask = FunctionTool.external({ name: 'ask', schema: { type: 'object', properties: { question: {} } } })
const broken = [toolCall('a', 'ask', '{"question": ')]

function agent(turns: Parameters<typeof functionCallingLlm>[0], repairToolCall?: RepairToolCall, wire = true) {
  return FunctionCallingAgent.fromTools({
    llm: functionCallingLlm(turns, wire),
    tools: [ask],
    repairToolCall,
    taskStore: journal(),
  })
}

const refused = expect.stringMatching(/^Error: Tool arguments: expected/)

it('a call for a result from outside does not wait if its arguments cannot be read', async () => {
  const own = agent([broken, [toolCall('b', 'ask', { question: 'Why?' })], 'Done.'])
  const { taskId, calls } = await own.chat('Go!').catch((error) => error)
  expect(calls).toMatchObject([{ id: 'b', awaits: 'result' }])
  await own.provideResult(taskId, 'b', 'because')
  const { response, sources } = await own.runTask(taskId)
  expect(response).toBe('Done.')
  expect(sources.map(({ content }) => content)).toEqual([refused, 'because'])
})

it('a call for a result from outside asks with the repaired arguments', async () => {
  const own = agent([broken, 'Done.'], ({ call }) => ({ ...call, arguments: { question: 'Why?' } }))
  const { taskId, calls } = await own.chat('Go!').catch((error) => error)
  expect(calls).toMatchObject([{ id: 'a', arguments: { question: 'Why?' }, awaits: 'result' }])
  await own.provideResult(taskId, 'a', 'because')
  expect(String(await own.runTask(taskId))).toBe('Done.')
  expect(JSON.stringify(own.chatHistory[1])).toContain('Why?')
})

it('the result of a call that waits with such arguments does not end the task', async () => {
  const own = agent([[toolCall('a', 'ask', { question: 'Why?' })], 'Done.'])
  const { taskId } = await own.chat('Go!').catch((error) => error)
  const saved = JSON.stringify(own.saveTask(taskId)).replaceAll('\\"Why?\\"}', '')
  const next = agent(['Done.'], undefined, false)
  await next.loadTask(JSON.parse(saved))
  await next.provideResult(taskId, 'a', 'because')
  const { response, sources } = await next.runTask(taskId)
  expect(response).toBe('Done.')
  expect(sources.map(({ content }) => content)).toEqual([refused])
})

const number = { type: 'object', properties: { limit: { type: 'number' } } } as const
const withDefault = z.object({ limit: z.number().default(99_999) })
const doubled = z.object({ limit: z.string().transform((text) => 2 * Number(text)) })

function world(schema: ToolSchema, args: object | string) {
  const ran: unknown[] = []
  const fn = (given: unknown) => void ran.push(given)
  // For the library of a schema that has no JSON Schema.
  const parameters = { type: 'object' }
  const pay = FunctionTool.fromDefaults({ name: 'pay', schema, parameters, needsApproval: true, fn })
  const turns = [[toolCall('a', 'pay', args)], 'done']
  return { ran, pay, agent: FunctionCallingAgent.fromTools({ llm: functionCallingLlm(turns), tools: [pay] }) }
}

describe('a question has the arguments with which the tool runs', () => {
  it.each([
    ['a default value', withDefault, {}, { limit: 99_999 }],
    ['a converted string', number, { limit: '99999' }, { limit: 99_999 }],
    ['an argument that the schema does not know', withDefault, { limit: 1, other: 2 }, { limit: 1 }],
    [
      'a value of the library',
      z.object({ at: z.coerce.date() }),
      { at: '2026-11-29' },
      { at: '2026-11-29T00:00:00.000Z' },
    ],
    [
      'a default that is another one each time',
      z.object({ key: z.string().default(() => `${Math.random()}`) }),
      {},
      null,
    ],
  ])('with %s', async (_, schema, given, expected) => {
    const { agent, ran } = world(schema, given)
    expect(await outcomeOf(agent.chat('Pay!', { taskId: 't' }))).toMatchObject({ status: 'waiting' })
    const [call] = agent.getPendingApprovals('t')
    if (expected) expect(call?.arguments).toEqual(expected)
    expect(call?.runsWith).toBeUndefined()
    await agent.approve('t', 'a', { approvalId: call!.approval!.id })
    await agent.runTask('t')
    expect(JSON.stringify(ran)).toBe(JSON.stringify([call?.arguments]))
    const [said] = toolCallsOf(agent.chatHistory[1]!)
    expect(said!.arguments).toBe(JSON.stringify(call?.arguments))
  })

  it('and beside them what a transform makes of them', async () => {
    const { agent, ran } = world(doubled, { limit: '5' })
    await outcomeOf(agent.chat('Pay!', { taskId: 't' }))
    expect(agent.getPendingApprovals('t')).toMatchObject([{ runsWith: { limit: 10 } }])
    await agent.approve('t', 'a')
    await agent.runTask('t')
    expect(ran).toEqual([{ limit: 10 }])
  })

  it('and a call waits again if the tool would make something else of them', async () => {
    let factor = 2
    const { agent, ran } = world(z.object({ limit: z.string().transform((text) => factor * Number(text)) }), {
      limit: '5',
    })
    await outcomeOf(agent.chat('Pay!', { taskId: 't' }))
    await agent.approve('t', 'a')
    factor = 20
    await outcomeOf(agent.runTask('t'))
    expect(agent.getPendingApprovals('t')).toMatchObject([
      { problem: 'The arguments have changed.', runsWith: { limit: 100 } },
    ])
    await agent.approve('t', 'a')
    await agent.runTask('t')
    expect(ran).toEqual([{ limit: 100 }])
  })
})

describe('an edit that must be exact', () => {
  it.each([
    [withDefault, {}, '{"limit":99999}', { limit: 7 }],
    [number, { limit: '7' }, '{"limit":7}', { limit: 7 }],
    [doubled, { limit: '7' }, '{"limit":14}', undefined],
  ])(
    'is refused if the tool would run with other arguments, and the call still waits: %#',
    async (schema, edit, shown, valid) => {
      const { agent, ran } = world(schema, { limit: schema === doubled ? '5' : 5 })
      await outcomeOf(agent.chat('Pay!', { taskId: 't' }))
      const refused = agent.edit('t', 'a', edit, { exact: true })
      await expect(refused).rejects.toMatchObject({ code: 'tool_input', message: expect.stringContaining(shown) })
      expect(agent.getPendingApprovals('t')).toHaveLength(1)
      if (!valid) return
      await agent.edit('t', 'a', valid, { exact: true })
      await agent.runTask('t')
      expect(ran).toEqual([valid])
    },
  )

  it('is checked by the agent behind a tool as well', async () => {
    const { agent, ran } = world(withDefault, { limit: 5 })
    const boss = FunctionCallingAgent.fromTools({
      llm: functionCallingLlm([[toolCall('b', 'accountant', { input: 'Pay!' })], 'done']),
      tools: [new AgentTool({ agent, name: 'accountant' })],
    })
    await outcomeOf(boss.chat('Pay!', { taskId: 't' }))
    const { id } = boss.getPendingApprovals('t')[0]!
    await boss.edit('t', id, {}, { exact: true }).catch(() => {})
    await outcomeOf(boss.runTask('t'))
    expect(boss.getPendingApprovals('t')).toHaveLength(1)
    expect(ran).toEqual([])
  })
})
