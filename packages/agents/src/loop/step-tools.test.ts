import { describe, expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { journal } from '../journal.ts'
import type { Journal } from '../task/journal.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import type { PrepareStep } from './hooks.ts'

const schema = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] } as const
const paid: string[] = []
const pay = FunctionTool.fromDefaults({
  name: 'pay',
  schema,
  needsApproval: true,
  fn: ({ to }) => {
    paid.push(to)
    return `paid ${to}`
  },
})
const note = FunctionTool.fromDefaults({ name: 'note', schema, fn: ({ to }) => `noted ${to}` })
const human = FunctionTool.external({ name: 'human', schema })

/** An agent without tools in its options; prepareStep adds some to the first step. */
function preparing(options: { taskStore?: Journal; prepareStep?: PrepareStep; calls?: string[] } = {}) {
  const { calls = ['note', 'pay'], ...given } = options
  const turn = calls.map((name) => toolCall(name, name, { to: 'ann' }))
  const asked: [number, string[]][] = []
  const prepareStep: PrepareStep = ({ stepNumber, waited }) => {
    asked.push([stepNumber, waited.map(({ name }) => name)])
    return stepNumber === 1 ? { tools: [pay, note, human] } : null
  }
  paid.length = 0
  const llm = functionCallingLlm([turn, 'Done.'])
  return { agent: FunctionCallingAgent.fromTools({ llm, prepareStep, ...given }), asked }
}

const waits = { code: 'approval_required' }

describe('a call of a tool that only prepareStep provides', () => {
  it('waits for approval, and runs with the tools of its step', async () => {
    const { agent, asked } = preparing()
    const { taskId } = await agent.createTask('x')
    await expect(agent.runTask(taskId)).rejects.toMatchObject(waits)
    await agent.approve(taskId, 'pay')
    const answer = await agent.runTask(taskId)
    expect(answer.sources.map(String)).toEqual(['noted ann', 'paid ann'])
    expect(asked).toEqual([
      [1, []],
      [1, ['note', 'pay']],
      [3, []],
    ])
  })

  it('waits for an external result, for which the tool is not needed', async () => {
    const { agent, asked } = preparing({ calls: ['human'] })
    const { taskId } = await agent.createTask('x')
    await expect(agent.runTask(taskId)).rejects.toMatchObject(waits)
    await agent.provideResult(taskId, 'human', 'yes')
    expect((await agent.runTask(taskId)).sources.map(String)).toEqual(['yes'])
    expect(asked.map(([step]) => step)).toEqual([1, 3])
  })

  it('has its edited arguments checked by its tool where it runs, also after a restart', async () => {
    const taskStore = new MemoryTaskStore()
    const { taskId } = await preparing({ taskStore: journal(taskStore) }).agent.createTask('x')
    const first = preparing({ taskStore: journal(taskStore) }).agent
    await first.resumeTask(taskId)
    await expect(first.runTask(taskId)).rejects.toMatchObject(waits)
    const second = FunctionCallingAgent.fromTools({
      llm: functionCallingLlm(['Done.']),
      taskStore: journal(taskStore),
      prepareStep: ({ stepNumber }) => (stepNumber === 1 ? { tools: [note, pay] } : null),
    })
    await second.resumeTask(taskId)
    await second.edit(taskId, 'pay', { to: 5 })
    await expect(second.runTask(taskId)).rejects.toMatchObject(waits)
    expect(paid).toEqual([])
    expect(second.getPendingApprovals(taskId)).toMatchObject([
      { id: 'pay', arguments: { to: 5 }, problem: expect.stringContaining('to: expected a string, received 5') },
    ])
    await second.edit(taskId, 'pay', { to: 'bob' })
    await second.runTask(taskId)
    expect(paid).toEqual(['bob'])
  })

  it('throws ApprovalError while its tool is missing, and continues when the tool exists again', async () => {
    let isGone = false
    const prepareStep: PrepareStep = () => (isGone ? null : { tools: [pay, note] })
    const { agent } = preparing({ prepareStep })
    const { taskId } = await agent.createTask('x')
    await expect(agent.runTask(taskId)).rejects.toMatchObject(waits)
    await agent.approve(taskId, 'pay')
    isGone = true
    await expect(agent.runTask(taskId)).rejects.toMatchObject({
      code: 'approval',
      message: expect.stringMatching(/call "pay" was approved, but its tool "pay" does not exist.*step 1/),
    })
    isGone = false
    expect((await agent.runTask(taskId)).response).toBe('Done.')
    expect(paid).toEqual(['ann'])
  })

  it('can be rejected without its tool', async () => {
    const { agent } = preparing({ calls: ['pay'] })
    const { taskId } = await agent.createTask('x')
    await expect(agent.runTask(taskId)).rejects.toMatchObject(waits)
    await agent.reject(taskId, 'pay', 'too much')
    expect((await agent.runTask(taskId)).sources[0]!.content).toContain('too much')
  })
})

it.each([{ tols: [] }, { tools: 'none' }, { messages: 'x' }, 5, 'none', []])(
  'a prepared step %j is refused instead of offering all tools',
  async (prepared) => {
    const llm = functionCallingLlm([[toolCall('note', 'note', { to: 'ann' })], 'Done.'])
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [note], prepareStep: () => prepared as never })
    await expect(agent.once('x')).rejects.toMatchObject({
      code: 'model_validation',
      message: expect.stringContaining('prepareStep'),
    })
  },
)
