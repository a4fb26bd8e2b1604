import type { StandardSchema } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { expect, it } from 'vitest'
import { scriptedToolModel, toolCall, toolCalls } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { ReActAgent } from '../agent/react-agent.ts'
import { agentTools, approvals, decide, reactLoop } from '../loop.ts'
import { AgentTool } from '../tool/agent-tool.ts'
import { FunctionTool } from '../tool/function-tool.ts'

const schema = { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] } as const

/** A tool that runs an agent, whose payment needs approval. */
function accountant(paid: unknown[], payments: object = schema): AgentTool {
  const pay = FunctionTool.fromDefaults({
    name: 'pay',
    schema: payments as typeof schema,
    needsApproval: true,
    fn: ({ amount }) => {
      paid.push(amount)
      return `paid ${amount}`
    },
  })
  const answers = ['Thought: p\nAction: pay\nAction Input: {"amount": 5}', 'Answer: Paid.']
  const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers }), tools: [pay] })
  return new AgentTool({ agent, name: 'accountant' })
}

const ASK = 'Thought: ask\nAction: accountant\nAction Input: {"input": "Pay 5."}'
const askNative = () => scriptedToolModel([toolCalls(toolCall('a', 'accountant', { input: 'Pay 5.' })), 'Done.'])

it('an edited call of an agent behind a tool does not change the conversation of the caller', async () => {
  const llm = () => new ScriptedLLM({ answers: [ASK, 'Answer: Done.'] })
  const paid: unknown[] = []
  const agent = ReActAgent.fromTools({ llm: llm(), tools: [accountant(paid)] })
  await expect(agent.chat('Go!', { taskId: 'T' })).rejects.toThrow('waits for approval')
  await agent.edit('T', agent.getPendingApprovals('T')[0]!.id, { amount: 7 })
  await agent.chat('', { taskId: 'T' })

  const loop = reactLoop({ llm: llm(), tools: [accountant(paid)], layers: [approvals(), agentTools()] })
  const { task, pending } = await loop.run('Go!')
  const inner = pending.find(({ decision }) => decision === null)!
  await decide(loop, task, inner.id, { decision: 'approve', arguments: { amount: 8 } })
  await loop.resume(task)

  expect(paid).toEqual([7, 8])
  for (const { llm } of [agent.agentWorker, loop]) {
    const sent = (llm as ScriptedLLM).calls[1]!.messages!.map(({ content }) => String(content))
    expect(sent).toContain('Thought: ask\nAction: accountant\nAction Input: {"input":"Pay 5."}')
  }
})

it('an edited call of an agent behind a tool is checked with the schema of its own tool', async () => {
  const paid: unknown[] = []
  const other = { type: 'object', properties: { iban: { type: 'string' } }, required: ['iban'] } as const
  const pay = FunctionTool.fromDefaults({ name: 'pay', schema: other, fn: () => 'paid' })
  const agent = FunctionCallingAgent.fromTools({ llm: askNative(), tools: [pay, accountant(paid)] })
  await expect(agent.chat('Go!', { taskId: 'T' })).rejects.toThrow('waits for approval')
  const { id } = agent.getPendingApprovals('T')[0]!
  await expect(agent.edit('T', id, { amount: 'lots' })).rejects.toMatchObject({ code: 'tool_input' })
  await expect(agent.edit('T', id, { iban: 'DE' })).rejects.toMatchObject({ code: 'tool_input' })
  await agent.edit('T', id, { amount: 7 })
  expect([String(await agent.chat('', { taskId: 'T' })), paid]).toEqual(['Done.', [7]])
})

it('an edited call is shown as its tool reads the arguments', async () => {
  const paid: unknown[] = []
  const pay = FunctionTool.fromDefaults({
    name: 'pay',
    schema,
    needsApproval: true,
    fn: (args) => `paid ${paid.push(args)}`,
  })
  const llm = scriptedToolModel([toolCalls(toolCall('a', 'pay', { amount: 5 })), 'Done.'])
  const agent = FunctionCallingAgent.fromTools({ llm, tools: [pay] })
  await expect(agent.chat('Go!', { taskId: 'T' })).rejects.toThrow('waits for approval')
  await agent.edit('T', 'a', { amount: '30' })
  await agent.runTask('T')
  expect(paid).toEqual([{ amount: 30 }])
  const said = llm.calls[1]!.messages!.find(({ role }) => role === 'assistant')
  expect(JSON.stringify(said)).toContain('{\\"amount\\":30}')
})

it('a call waits again if its agent refuses the edited arguments', async () => {
  const validate = (value: unknown) => {
    const { amount } = value as { amount: number }
    return amount > 100 ? { issues: [{ message: 'too much', path: ['amount'] }] } : { value: { amount } }
  }
  const limited = { '~standard': { version: 1, vendor: 'test', validate, jsonSchema: { input: () => schema } } }
  const paid: unknown[] = []
  const agent = FunctionCallingAgent.fromTools({
    llm: askNative(),
    tools: [accountant(paid, limited as unknown as StandardSchema)],
  })
  await expect(agent.chat('Go!', { taskId: 'T' })).rejects.toThrow('waits for approval')
  const { id } = agent.getPendingApprovals('T')[0]!
  await agent.edit('T', id, { amount: 500 })
  await expect(agent.chat('', { taskId: 'T' })).rejects.toMatchObject({ code: 'approval_required' })
  await agent.edit('T', id, { amount: 50 })
  expect([String(await agent.chat('', { taskId: 'T' })), paid]).toEqual(['Done.', [50]])
})
