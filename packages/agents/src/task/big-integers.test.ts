/// <reference types="node" />

import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ScriptedLLM } from '@x/llm/testing'
import { FileTaskStore } from '@x/storage/node'
import { expect, it } from 'vitest'
import { ReActAgent } from '../agent/react-agent.ts'
import { journal } from '../journal.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { MemoryTaskStore } from './memory-task-store.ts'

const tool = FunctionTool.fromDefaults({
  name: 'last',
  description: 'Returns the last message.',
  schema: { type: 'object', properties: {} },
  fn: () => ({ id: 1234567890123456789n, size: 1e17 }),
})
const answers = ['Thought: Look.\nAction: last\nAction Input: {}', 'Thought: Done.\nAnswer: 1']

it.each([
  ['memory', async () => new MemoryTaskStore()],
  ['a file', async () => new FileTaskStore(await mkdtemp(join(tmpdir(), 'tasks-')))],
])('a task saved in %s keeps integers beyond 2^53 and large floats', async (_, makeStore) => {
  const taskStore = await makeStore()
  const llm = new ScriptedLLM({ answers })
  const agent = ReActAgent.fromTools({ llm, tools: [tool], taskStore: journal(taskStore) })
  const { taskId } = await agent.createTask('Which?')
  await agent.runStep(taskId)

  const again = ReActAgent.fromTools({ llm, tools: [tool], taskStore: journal(taskStore) })
  await again.resumeTask(taskId)
  const answer = await again.runTask(taskId)
  expect(answer.sources[0]).toMatchObject({
    content: '{"id":1234567890123456789,"size":1e+17}',
    rawOutput: { id: 1234567890123456789n, size: 1e17 },
  })
})

it('the event of a call that waits is JSON, with the digits of an integer beyond 2^53 as a string', async () => {
  const pay = FunctionTool.fromDefaults({
    name: 'pay',
    schema: { type: 'object', properties: { account: {} } },
    needsApproval: true,
    fn: ({ account }) => `paid to ${account}`,
  })
  const turn = 'Thought: Pay.\nAction: pay\nAction Input: {"account": 1234567890123456789}'
  const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: [turn, 'Answer: Paid.'] }), tools: [pay] })
  const lines = async (input: string) => {
    const shown: string[] = []
    for await (const event of agent.runEvents(input, { taskId: 't' }))
      if (event.type === 'approval_required') shown.push(JSON.stringify(event.calls.map((call) => call.arguments)))
    return shown
  }
  expect(await lines('Pay!')).toEqual(['[{"account":"1234567890123456789"}]'])
  // A task that still waits reports it again.
  expect(await lines('')).toEqual(['[{"account":"1234567890123456789"}]'])
  await agent.approve('t', agent.getPendingApprovals('t')[0]!.id)
  expect((await agent.runTask('t')).sources.map(String)).toEqual(['paid to 1234567890123456789'])
})
