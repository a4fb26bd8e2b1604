import { expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent, type FunctionCallingAgentOptions } from '../agent/function-calling-agent.ts'
import { journal } from '../journal.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { FunctionTool } from '../tool/function-tool.ts'

const note = FunctionTool.fromDefaults({ name: 'note', schema: {}, fn: () => 'noted' })
const turns = [[toolCall('a', 'note', '{"to": ')], 'Done.'] as const

/** Returns an agent that continues a task whose call an earlier agent, with `repairToolCall`, has refused. */
async function continued(options: Partial<FunctionCallingAgentOptions> = {}) {
  const llm = functionCallingLlm(turns)
  const store = new MemoryTaskStore()
  let isAlive = true
  const mortal = journal({
    append: (id, entries, revision) => {
      if (!isAlive) throw new Error('killed')
      return store.append(id, entries, revision)
    },
    load: (id) => store.load(id),
    list: (filter) => store.list(filter),
    delete: (id) => store.delete(id),
  })
  const repairToolCall = () => {
    isAlive = false
    return null
  }
  const first = FunctionCallingAgent.fromTools({ llm, tools: [note], taskStore: mortal, repairToolCall })
  await expect(first.chat('Go!', { taskId: 't' })).rejects.toThrow('killed')
  return FunctionCallingAgent.fromTools({ llm, tools: [note], taskStore: journal(store), ...options })
}

it('a call that was refused is reported to the model when the agent repairs calls no more', async () => {
  const external = FunctionTool.external({ name: 'ask', schema: {} })
  for (const tools of [[note], [note, external]]) {
    const agent = await continued({ tools })
    const { response, sources } = await agent.chat('', { taskId: 't' })
    expect(response).toBe('Done.')
    expect(sources).toMatchObject([{ isError: true, content: expect.stringContaining('Tool arguments') }])
  }
})

it('such a call ends the run of an agent whose failures do', async () => {
  const agent = await continued({ onToolError: 'raise' })
  await expect(agent.chat('', { taskId: 't' })).rejects.toMatchObject({ code: 'tool_arguments' })
})
