import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { journal } from '../journal.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { sealOf } from './approval-record.ts'
import { MemoryTaskStore } from './memory-task-store.ts'
import type { JournalEntry } from './saved-task.ts'

/** An agent that pays the amounts of its model, and records the payments. */
function payingAgent(turns: Parameters<typeof functionCallingLlm>[0]) {
  const paid: number[] = []
  const pay = FunctionTool.fromDefaults({
    name: 'pay',
    schema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    needsApproval: true,
    fn: ({ n }) => {
      paid.push(n)
      return `paid ${n}`
    },
  })
  const taskStore = new MemoryTaskStore()
  const agent = FunctionCallingAgent.fromTools({
    llm: functionCallingLlm(turns),
    tools: [pay],
    taskStore: journal(taskStore),
  })
  return { agent, paid, taskStore }
}

const payment = (n: number) => [toolCall('p', 'pay', { n })]

describe('a decision', () => {
  it('can be made while the event is handled', async () => {
    const { agent, paid } = payingAgent([payment(1), 'Done.'])
    let taskId = ''
    for await (const event of agent.runEvents('Pay!')) {
      if (event.type !== 'approval_required') continue
      taskId = event.taskId
      await agent.approve(taskId, event.calls[0]!.id)
    }
    expect(String(await agent.runTask(taskId))).toBe('Done.')
    expect(paid).toEqual([1])
  })

  it('throws immediately for a call that was not reported', async () => {
    const { agent } = payingAgent([payment(1), 'Done.'])
    const { taskId } = await agent.createTask('Pay!')
    const running = agent.runStep(taskId)
    await expect(agent.approve(taskId, 'p')).rejects.toMatchObject({ code: 'task_busy' })
    await running
    await expect(agent.approve(taskId, 'other')).rejects.toMatchObject({ code: 'approval' })
  })

  it('is in the journal, with `by`', async () => {
    const { agent, taskStore } = payingAgent([payment(1), 'Done.'])
    const { taskId, calls } = await agent.chat('Pay!').catch((error) => error)
    await agent.approve(taskId, calls[0].id, { by: 'ann' })
    const entries = taskStore.load(taskId) as JournalEntry[]
    expect(entries.at(-1)).toMatchObject({ type: 'decision', decision: 'approve', by: 'ann', call_id: calls[0].id })
  })

  it('allows later calls of the tool in this task if it contains `always`, also after loading', async () => {
    const turns = [payment(1), payment(2), payment(3), 'Done.']
    const { agent, paid, taskStore } = payingAgent(turns)
    const { taskId, calls } = await agent.chat('Pay!').catch((error) => error)
    await agent.approve(taskId, calls[0].id, { always: true })
    await agent.runStep(taskId)
    const again = FunctionCallingAgent.fromTools({
      llm: functionCallingLlm(turns.slice(1)),
      tools: await agent.agentWorker.getTools('Pay!'),
      taskStore: journal(taskStore),
    })
    await again.resumeTask(taskId)
    expect(String(await again.runTask(taskId))).toBe('Done.')
    expect(paid).toEqual([1, 2, 3])
  })
})

describe('an edited call', () => {
  it('is shown in the conversation with the edited arguments', async () => {
    const { agent, paid } = payingAgent([payment(1000), 'Done.'])
    const { taskId, calls } = await agent.chat('Pay!').catch((error) => error)
    await agent.edit(taskId, calls[0].id, { n: 5 })
    await agent.runTask(taskId)
    expect(paid).toEqual([5])
    const shown = JSON.stringify(agent.chatHistory)
    expect(shown).toContain('\\"n\\":5')
    expect(shown).not.toContain('1000')
  })

  it('still waits if the arguments do not match the schema', async () => {
    const { agent, paid } = payingAgent([payment(1), 'Done.'])
    const { taskId, calls } = await agent.chat('Pay!').catch((error) => error)
    const before = JSON.stringify(agent.saveTask(taskId))
    await expect(agent.edit(taskId, calls[0].id, { n: 'all' })).rejects.toMatchObject({ code: 'tool_input' })
    expect(JSON.stringify(agent.saveTask(taskId))).toBe(before)
    await agent.edit(taskId, calls[0].id, { n: 2 })
    await agent.runTask(taskId)
    expect(paid).toEqual([2])
  })
})

describe('a result from outside', () => {
  it.each([false, true])('replaces the call of the tool; as an error: %s', async (isError) => {
    const { agent, paid } = payingAgent([payment(1), 'Done.'])
    const { taskId, calls } = await agent.chat('Pay!').catch((error) => error)
    await agent.provideResult(taskId, calls[0].id, 'paid by the client', { isError })
    const { sources } = await agent.runTask(taskId)
    expect(sources).toMatchObject([{ content: expect.stringContaining('paid by the client'), isError }])
    expect(paid).toEqual([])
    await expect(agent.provideResult(taskId, calls[0].id, 'again')).rejects.toMatchObject({ code: 'approval' })
  })
})

it.each([32, 64, 65, 200])('a seal is HMAC-SHA256, with a secret of %i bytes', (length) => {
  const secret = Uint8Array.from({ length }, (_, i) => (i * 7) % 256)
  for (const value of ['', 'ä漢😀', { b: [1, null], a: 'x' }]) {
    const text = typeof value === 'string' ? JSON.stringify(value) : '{"a":"x","b":[1,null]}'
    expect(sealOf(value, secret)).toBe(createHmac('sha256', secret).update(text).digest('hex'))
  }
})
