import { expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { journal } from '../journal.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { AgentTool } from './agent-tool.ts'
import { FunctionTool } from './function-tool.ts'

const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
const payment = (id: string) => [toolCall(id, 'pay', {})]

/** Agents behind each other, each with the tool `pay`: the first one pays after the others. */
function world(levels: number) {
  const store = new MemoryTaskStore()
  const expertLlm = functionCallingLlm([payment('x'), payment('y'), 'Paid.'])
  const between = functionCallingLlm([[toolCall('b', 'ask', { input: 'Pay!' })], 'Passed on.'])
  const llm = functionCallingLlm([[toolCall('a', 'ask', { input: 'Pay!' })], payment('z'), 'Done.'])
  return () => {
    let agent: FunctionCallingAgent = FunctionCallingAgent.fromTools({ llm: expertLlm, tools: [pay] })
    const ask = () => new AgentTool({ agent, name: 'ask' })
    for (let i = 2; i < levels; i++) agent = FunctionCallingAgent.fromTools({ llm: between, tools: [pay, ask()] })
    return FunctionCallingAgent.fromTools({ llm, tools: [pay, ask()], taskStore: journal(store) })
  }
}

it.each([2, 3])('`always` is about the tool of the agent that made the call, behind %i levels', async (levels) => {
  const process = world(levels)
  const first = process()
  const { taskId, calls } = await first.chat('Go!').catch((error) => error)
  expect(calls).toHaveLength(1)
  await first.approve(taskId, calls[0].id, { always: true })
  const next = process()
  await next.resumeTask(taskId)
  // The second payment of the expert needs no approval, the one of the calling agent does.
  await expect(next.runTask(taskId)).rejects.toMatchObject({ calls: [{ id: 'z' }] })
})
