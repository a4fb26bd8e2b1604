import { expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { journal } from '../journal.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import type { RepairToolCall } from '../tool/tool-call-options.ts'

const ask = FunctionTool.external({ name: 'ask', schema: { type: 'object', properties: { question: {} } } })
const broken = [toolCall('a', 'ask', '{"question": ')]

function agent(turns: Parameters<typeof functionCallingLlm>[0], repairToolCall?: RepairToolCall, wire = true) {
  return FunctionCallingAgent.fromTools({
    llm: functionCallingLlm(turns, wire),
    tools: [ask],
    repairToolCall,
    taskStore: journal(),
  })
}

const refused = expect.stringMatching(/^Error: Tool arguments: expected/)

it('a call for a result from outside does not wait if its arguments cannot be read', async () => {
  const own = agent([broken, [toolCall('b', 'ask', { question: 'Why?' })], 'Done.'])
  const { taskId, calls } = await own.chat('Go!').catch((error) => error)
  expect(calls).toMatchObject([{ id: 'b', awaits: 'result' }])
  await own.provideResult(taskId, 'b', 'because')
  const { response, sources } = await own.runTask(taskId)
  expect(response).toBe('Done.')
  expect(sources.map(({ content }) => content)).toEqual([refused, 'because'])
})

it('a call for a result from outside asks with the repaired arguments', async () => {
  const own = agent([broken, 'Done.'], ({ call }) => ({ ...call, arguments: { question: 'Why?' } }))
  const { taskId, calls } = await own.chat('Go!').catch((error) => error)
  expect(calls).toMatchObject([{ id: 'a', arguments: { question: 'Why?' }, awaits: 'result' }])
  await own.provideResult(taskId, 'a', 'because')
  expect(String(await own.runTask(taskId))).toBe('Done.')
  expect(JSON.stringify(own.chatHistory[1])).toContain('Why?')
})

it('the result of a call that waits with such arguments does not end the task', async () => {
  const own = agent([[toolCall('a', 'ask', { question: 'Why?' })], 'Done.'])
  const { taskId } = await own.chat('Go!').catch((error) => error)
  const saved = JSON.stringify(own.saveTask(taskId)).replaceAll('\\"Why?\\"}', '')
  const next = agent(['Done.'], undefined, false)
  await next.loadTask(JSON.parse(saved))
  await next.provideResult(taskId, 'a', 'because')
  const { response, sources } = await next.runTask(taskId)
  expect(response).toBe('Done.')
  expect(sources.map(({ content }) => content)).toEqual([refused])
})
