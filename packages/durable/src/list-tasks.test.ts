import { FunctionTool, journal, MemoryTaskStore, ReActAgent } from '@x/agents'
import { ScriptedLLM } from '@x/llm/testing'
import { expect, it } from 'vitest'
import type { TaskRun } from './durable-tasks.ts'
import { findTask, listTasks } from './list-tasks.ts'
import { StoredTasks } from './stored-tasks.ts'

const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 }

it('lists tasks with their questions, states, turns and origins, whoever runs them', async () => {
  const store = new MemoryTaskStore()
  const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
  const llm = new ScriptedLLM({ answers: ['Answer: four', 'Thought: pay\nAction: pay\nAction Input: {}'] })
  const agent = ReActAgent.fromTools({ llm, tools: [pay], taskStore: journal(store) })
  const before = Date.now()
  await agent.chat('2 + 2?', { taskId: 'sum' })
  await agent.chat('Pay!', { taskId: 'rent' }).catch(() => {})
  await agent.forkTask('rent', { taskId: 'copy', atStep: 1 })
  await new StoredTasks({ store }).submit([{ type: 'text', text: 'Later.' }], { taskId: 'later' })
  const tasks = await listTasks(store)
  const at = expect.any(Number)
  expect(tasks.toSorted((a, b) => a.taskId.localeCompare(b.taskId))).toEqual([
    { taskId: 'copy', input: 'Pay!', status: 'waiting', turns: 1, usage, forkedFrom: 'rent', isSubmitted: false, at },
    { taskId: 'later', input: 'Later.', status: 'queued', turns: 0, usage, forkedFrom: null, isSubmitted: true, at },
    { taskId: 'rent', input: 'Pay!', status: 'waiting', turns: 1, usage, forkedFrom: null, isSubmitted: false, at },
    { taskId: 'sum', input: '2 + 2?', status: 'finished', turns: 1, usage, forkedFrom: null, isSubmitted: false, at },
  ])
  for (const task of tasks) expect(task.at).toBeGreaterThanOrEqual(before)
  expect(await findTask(store, 'rent')).toMatchObject({
    rows: [{ kind: 'input' }, {}, {}, {}],
    waiting: [{ name: 'pay' }],
  })
  expect(await findTask(store, 'none')).toBe(null)
})

it('every entry of the record of a submitted task has its time', async () => {
  const store = new MemoryTaskStore()
  const llm = new ScriptedLLM({ answers: ['Answer: four'] })
  const agent = ({ taskStore }: TaskRun) => ReActAgent.fromTools({ llm, taskStore })
  const tasks = new StoredTasks({ store, agent })
  await tasks.start()
  await tasks.submit('2 + 2?', { taskId: 'sum' })
  await tasks.answer('sum')
  await tasks.stop()
  const entries = (await store.load('submitted/sum')) as { type: string; at: number }[]
  expect(entries.map(({ type }) => type)).toEqual(['submitted', 'started', 'answered', 'finalized'])
  const times = entries.map(({ at }) => at)
  expect(times).toEqual(times.map(() => expect.any(Number)))
})
