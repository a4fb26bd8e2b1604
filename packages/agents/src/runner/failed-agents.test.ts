import { ChatMemoryBuffer } from '@x/core-model/memory'
import { expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { journal } from '../journal.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import type { ToolAgent } from '../tool/agent-calls.ts'
import { AgentTool } from '../tool/agent-tool.ts'
import { FunctionTool } from '../tool/function-tool.ts'

const look = FunctionTool.fromDefaults({ name: 'look', schema: {}, fn: () => 'seen' })

/** An agent whose expert asks its model once and calls a tool, and then fails: it has reached its limit. */
function world() {
  const llm = functionCallingLlm([[toolCall('a', 'ask', { input: 'Look!' })], 'Done.'])
  const expertLlm = functionCallingLlm([[toolCall('l', 'look', {})]])
  const store = new MemoryTaskStore()
  const process = (isSaving: (type: string) => boolean = () => true) => {
    const expert = FunctionCallingAgent.fromTools({ llm: expertLlm, tools: [look], maxIterations: 1 })
    return FunctionCallingAgent.fromTools({
      llm,
      tools: [new AgentTool({ agent: expert, name: 'ask' })],
      taskStore: journal({
        append: (id, entries, revision) => {
          if (entries.some((entry) => !isSaving((entry as { type: string }).type))) throw new Error('killed')
          return store.append(id, entries, revision)
        },
        load: (id) => store.load(id),
        list: (filter) => store.list(filter),
        delete: (id) => store.delete(id),
      }),
    })
  }
  return process
}

it('the usage of an agent that failed counts once, also if the step of its call is repeated', async () => {
  const expected = (await world()().chat('Go!')).usage
  expect(expected).toMatchObject({ modelCalls: 3, toolCalls: 2 })
  const process = world()
  let isAlive = true
  const mortal = process((type) => type !== 'step' || isAlive)
  await mortal.createTask('Go!', { taskId: 't' })
  isAlive = false
  await expect(mortal.runTask('t')).rejects.toThrow('killed')
  isAlive = true
  // Another process, and the same one.
  for (const agent of [process(), mortal]) {
    const { usage, sources } = await agent.chat('Go!', { taskId: 't' })
    expect(usage).toEqual(expected)
    expect(sources[0]).toMatchObject({ isError: true })
  }
})

it('the usage of an agent that failed counts in a repeated step of the same process', async () => {
  const process = world()
  let isAlive = true
  const agent = process((type) => type !== 'step' || isAlive)
  await agent.createTask('Go!', { taskId: 't' })
  isAlive = false
  await expect(agent.runTask('t')).rejects.toThrow('killed')
  isAlive = true
  expect((await agent.runTask('t')).usage).toMatchObject({ modelCalls: 3, toolCalls: 2 })
})

it('an agent of your own that fails need not return its task', async () => {
  const agent: ToolAgent = {
    memory: ChatMemoryBuffer.fromDefaults(),
    createTask: async (_input, { taskId }) => ({ taskId }),
    resumeTask: async () => null,
    getTask: () => undefined,
    runTask: async () => {
      throw new Error('no answer')
    },
    deleteTask: async () => {},
    getPendingApprovals: () => [],
    approve: async () => {},
    reject: async () => {},
    edit: async () => {},
  }
  const ask = new AgentTool({ agent })
  await expect(ask.call({ input: 'Go!' })).rejects.toMatchObject({ code: 'tool_execution' })
})
