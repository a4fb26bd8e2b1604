import { ScriptedLLM } from '@x/llm/testing'
import { expect, it } from 'vitest'
import { ReActAgent } from '../agent/react-agent.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { outcomeOf } from './outcome.ts'

const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
const CALL = 'Thought: pay\nAction: pay\nAction Input: {}'

it('outcomeOf returns the calls that wait, then the answer, and throws other errors', async () => {
  const answers = [CALL, 'Thought: ok\nAnswer: Paid.', new Error('down')]
  const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers }), tools: [pay] })
  const first = await outcomeOf(agent.chat('Pay!', { taskId: 't' }))
  expect(first).toMatchObject({ status: 'waiting', taskId: 't', calls: [{ name: 'pay', decision: null }] })
  if (first.status === 'waiting') await agent.approve(first.taskId, first.calls[0]!.id)
  expect(await outcomeOf(agent.runTask('t'))).toMatchObject({ status: 'done', answer: { response: 'Paid.' } })
  await expect(outcomeOf(agent.chat('Pay!'))).rejects.toThrow('down')
})
