import { ChatMessage } from '@x/core-model'
import type { ScriptedLLM } from '@x/llm/testing'
import { expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { HandoffTool } from './handoff-tool.ts'

it('hands over the conversation and the input, and returns the answer of the other agent as that of the task', async () => {
  const billing = FunctionCallingAgent.fromTools({ llm: functionCallingLlm(['On its way.']) })
  const toBilling = new HandoffTool({ agent: billing, name: 'to_billing', description: 'Invoices and refunds.' })
  const desk = FunctionCallingAgent.fromTools({
    llm: functionCallingLlm(['Hello Ann.', [toolCall('h', 'to_billing', { reason: 'a refund' })]]),
    tools: [toBilling],
  })
  await desk.chat('I am Ann.')
  const answer = await desk.chat('Where is my refund?')
  expect(String(answer)).toBe('On its way.')
  const [call] = (billing.agentWorker.llm as ScriptedLLM).calls
  expect(call!.messages!.map((one) => String(ChatMessage.fromDict(one)))).toEqual([
    'user: I am Ann.',
    'assistant: Hello Ann.',
    'user: Where is my refund?\n\n(Handed over because: a refund)',
  ])
  expect(desk.chatHistory.map(({ role }) => role).join(' ')).toBe('user assistant user assistant tool assistant')
  expect(billing.chatHistory).toEqual([])
})

it('works without a reason and outside of a task', async () => {
  const agent = () => FunctionCallingAgent.fromTools({ llm: functionCallingLlm(['Yes.']) })
  const hand = (inner: FunctionCallingAgent) => new HandoffTool({ agent: inner, description: 'All else.' })
  expect(hand(agent()).metadata).toMatchObject({ name: 'hand_over', returnDirect: true })
  expect(String(await hand(agent()).call({ reason: 'Why?' }))).toBe('Yes.')
  const outer = FunctionCallingAgent.fromTools({
    llm: functionCallingLlm([[toolCall('h', 'hand_over', {})]]),
    tools: [hand(agent())],
  })
  expect(String(await outer.chat('Is it?'))).toBe('Yes.')
})
