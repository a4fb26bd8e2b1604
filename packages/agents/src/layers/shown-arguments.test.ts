import { toolCallsOf } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { outcomeOf } from '../runner/outcome.ts'
import { AgentTool } from '../tool/agent-tool.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import type { ToolSchema } from '../tool/tool-schema.ts'

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
