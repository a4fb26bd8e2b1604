import { describe, expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { journal } from '../journal.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { MemoryTaskStore } from './memory-task-store.ts'

/** An agent whose tools record their effects with their keys. */
function world(turns: Parameters<typeof functionCallingLlm>[0]) {
  const effects: string[] = []
  const tool = (name: string, needsApproval: boolean) =>
    FunctionTool.fromDefaults({
      name,
      needsApproval,
      schema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
      fn: ({ to }, { idempotencyKey }) => {
        effects.push(`${idempotencyKey} ${to}`)
        return 'done'
      },
    })
  const agent = FunctionCallingAgent.fromTools({
    llm: functionCallingLlm(turns),
    tools: [tool('note', false), tool('pay', true)],
    taskStore: journal(new MemoryTaskStore()),
  })
  return { agent, effects }
}

const note = (to: string) => [toolCall('n', 'note', { to })]
const pay = (to: string) => [toolCall('p', 'pay', { to })]

describe('a fork', () => {
  it('uses no key twice if steps before a waiting call were undone', async () => {
    const { agent, effects } = world([note('a'), note('b'), note('c'), pay('d'), note('e'), note('f'), 'Done.'])
    await agent.createTask('Go!', { taskId: 't' })
    for (let i = 0; i < 2; i++) {
      await agent.runStep('t')
      await agent.undoStep('t')
    }
    await agent.runStep('t')
    await agent.runStep('t')
    await agent.forkTask('t', { taskId: 'fork' })
    const [call] = agent.getPendingApprovals('fork')
    await agent.approve('fork', call!.id)
    await agent.runTask('fork')
    const own = effects.filter((effect) => effect.startsWith('fork/'))
    expect(own).toHaveLength(3)
    expect(new Set(own.map((effect) => effect.split(' ')[0])).size).toBe(3)
  })

  it('does not allow a tool that was allowed after its last step', async () => {
    const { agent, effects } = world([pay('a'), pay('b'), 'Done.', pay('c')])
    await agent.createTask('Go!', { taskId: 't' })
    await agent.runStep('t')
    const [call] = agent.getPendingApprovals('t')
    await agent.approve('t', call!.id, { always: true })
    await agent.runTask('t')
    expect(effects).toHaveLength(2)
    await agent.forkTask('t', { taskId: 'fork', atStep: 1 })
    await agent.approve('fork', call!.id)
    await expect(agent.runTask('fork')).rejects.toMatchObject({ code: 'approval_required' })
    expect(effects).toHaveLength(3)
  })

  it('allows a tool that was allowed before its last step', async () => {
    const { agent, effects } = world([pay('a'), note('b'), 'Done.', pay('c'), 'Done.'])
    await agent.createTask('Go!', { taskId: 't' })
    await agent.runStep('t')
    const [call] = agent.getPendingApprovals('t')
    await agent.approve('t', call!.id, { always: true })
    await agent.runTask('t')
    await agent.forkTask('t', { taskId: 'fork', atStep: 2 })
    await agent.runTask('fork')
    expect(effects.at(-1)).toMatch(/^fork.* c$/)
  })
})
