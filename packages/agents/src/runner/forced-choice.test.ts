import { expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { journal } from '../journal.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { FunctionTool } from '../tool/function-tool.ts'

const note = FunctionTool.fromDefaults({ name: 'note', schema: {}, fn: () => 'noted' })
const turns = [[toolCall('a', 'note', {})], 'Done.'] as const

function world(defaultToolChoice?: 'required') {
  const llm = functionCallingLlm(turns)
  const store = new MemoryTaskStore()
  const agent = () =>
    FunctionCallingAgent.fromTools({ llm, tools: [note], defaultToolChoice, taskStore: journal(store) })
  return { agent, choices: () => llm.calls.map(({ options }) => options?.['toolChoice']) }
}

it('a task that continues after a restart does not force a tool again', async () => {
  for (const [own, given] of [
    ['required', {}],
    [undefined, { toolChoice: 'required' }],
  ] as const) {
    const { agent, choices } = world(own)
    const first = agent()
    await first.createTask('Go!', { taskId: 't' })
    await first.runStep('t', { toolChoice: 'required' })
    const answer = await agent().chat('Go!', { taskId: 't', ...given })
    expect(answer.response).toBe('Done.')
    expect(choices()).toEqual(['required', 'auto'])
  }
})

it('a task that has not begun has the choice of its message', async () => {
  const { agent, choices } = world()
  const first = agent()
  await first.createTask('Go!', { taskId: 't' })
  await agent().chat('Go!', { taskId: 't', toolChoice: 'required' })
  expect(choices()).toEqual(['required', 'auto'])
})

it('runTask forces the choice of its caller in its first step, whenever that is', async () => {
  const { agent, choices } = world()
  const own = agent()
  await own.createTask('Go!', { taskId: 't' })
  await own.runStep('t')
  await own.runTask('t', { toolChoice: 'none' })
  expect(choices()).toEqual(['auto', 'none'])
})
