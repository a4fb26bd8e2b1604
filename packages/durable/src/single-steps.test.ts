import { type AgentEvent, FunctionCallingAgent, FunctionTool, journalPort } from '@x/agents'
import type { Durable } from '@x/core-model'
import { ModelCallError } from '@x/llm'
import { expect, it } from 'vitest'
import { functionCallingLlm, scriptedToolModel, toolCall } from '../../agents/test/function-calling-llm.ts'
import { KeptResults, runNextStep } from './single-steps.ts'

const schema = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] } as const
const tool = (name: string, needsApproval = false) =>
  FunctionTool.fromDefaults({ name, schema, needsApproval, fn: ({ to }) => `${name} ${to}` })
const turn = (name: string) => [toolCall('a', name, { to: 'Ann' })]

it('runs one step, and returns the answer after the last one', async () => {
  const agent = FunctionCallingAgent.fromTools({
    llm: functionCallingLlm([turn('note'), 'Done.']),
    tools: [tool('note')],
  })
  await agent.createTask('Go!', { taskId: 't' })
  expect(await runNextStep(agent, 't')).toBeUndefined()
  expect(agent.getCompletedSteps('t')).toHaveLength(1)
  const seen: AgentEvent['type'][] = []
  const answer = await runNextStep(agent, 't', { onEvent: ({ type }) => void seen.push(type) })
  expect(answer?.response).toBe('Done.')
  expect(seen).toEqual(expect.arrayContaining(['text_delta', 'step_end']))
  // A fork may have all steps.
  await agent.forkTask('t', { taskId: 'fork' })
  expect((await runNextStep(agent, 'fork'))?.response).toBe('Done.')
})

it('runs no step while a call waits', async () => {
  const agent = FunctionCallingAgent.fromTools({
    llm: functionCallingLlm([turn('pay'), 'Done.']),
    tools: [tool('pay', true)],
  })
  await agent.createTask('Go!', { taskId: 't' })
  expect(await runNextStep(agent, 't')).toBeUndefined()
  expect(await runNextStep(agent, 't')).toBeUndefined()
  await agent.approve('t', 'a')
  expect(await runNextStep(agent, 't')).toBeUndefined()
  expect((await runNextStep(agent, 't'))?.response).toBe('Done.')
})

it('keeps results for a retry, without the error that ended the step', async () => {
  const calls: string[] = []
  const engine: Durable = (name, fn) => {
    calls.push(name)
    return fn()
  }
  const llm = scriptedToolModel([new ModelCallError('no', { kind: 'auth' })])
  const results = new KeptResults([['step-1/tool-9', 'of the attempt before']])
  const durable = journalPort(results.port(engine))
  const agent = FunctionCallingAgent.fromTools({ llm, tools: [tool('note')], durable })
  await agent.createTask('Go!', { taskId: 't' })
  await expect(runNextStep(agent, 't')).rejects.toThrow('no')
  expect(results.forRetry()).toEqual([['step-1/tool-9', 'of the attempt before']])

  const again = new KeptResults(results.forRetry())
  const port = again.port(engine)
  expect(await port('step-1/tool-9', async () => 'never')).toBe('of the attempt before')
  expect(await port('step-1/model', async () => 'made')).toBe('made')
  expect(await port('step-1/model', async () => 'never')).toBe('made')
  expect(again.forRetry()).toEqual([
    ['step-1/tool-9', 'of the attempt before'],
    ['step-1/model', 'made'],
  ])
  expect(calls).toEqual(['step-1/model', 'step-1/model'])
})

it('the first step has the choice of the agent, and later ones do not', async () => {
  const llm = functionCallingLlm([[toolCall('a', 'note', {})], 'Done.'])
  const note = FunctionTool.fromDefaults({ name: 'note', schema: {}, fn: () => 'noted' })
  const agent = FunctionCallingAgent.fromTools({ llm, tools: [note], defaultToolChoice: 'required' })
  await agent.createTask('Go!', { taskId: 't' })
  await runNextStep(agent, 't')
  expect((await runNextStep(agent, 't'))?.response).toBe('Done.')
  expect(llm.calls.map(({ options }) => options?.['toolChoice'])).toEqual(['required', 'auto'])
})
