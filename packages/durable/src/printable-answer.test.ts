import { AgentChatResponse, FunctionTool, MemoryTaskStore } from '@x/agents'
import { ScriptedLLM } from '@x/llm/testing'
import { expect, it } from 'vitest'
import { durableAgent, StoredTasks } from './index.ts'

it('prints an answer of a task and its sources as an agent does, and writes the same JSON', async () => {
  const look = FunctionTool.fromDefaults({ name: 'look', schema: {}, fn: () => '3 pears' })
  const llm = new ScriptedLLM({ answers: ['Thought: look\nAction: look\nAction Input: {}', 'Answer: Three.'] })
  const tasks = new StoredTasks({ store: new MemoryTaskStore(), agent: durableAgent(() => ({ llm, tools: [look] })) })
  await tasks.start()
  const id = await tasks.submit('How many?')
  const answer = await tasks.answer(id)
  expect(`${answer}`).toBe('Three.')
  expect(answer.sources.map(String)).toEqual(['3 pears'])
  expect(Object.keys(answer).sort()).toEqual(['response', 'source_nodes', 'sources', 'usage'])
  expect(String(AgentChatResponse.fromDict(answer))).toBe('Three.')
  expect(JSON.parse(JSON.stringify(answer))).toEqual(JSON.parse(JSON.stringify(await tasks.answer(id))))
  expect(JSON.stringify(answer)).not.toContain('toString')
  await tasks.stop()
})
