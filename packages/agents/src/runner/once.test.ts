import { ChatMessage, LLMMetadata } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { agentFromLlm } from '../agent/agent-from-llm.ts'
import { FunctionTool } from '../tool/function-tool.ts'

const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
const seen = (messages: readonly ChatMessage[]) => messages.map(({ content }) => content).join(' | ')

describe('once', () => {
  it('neither sees nor leaves messages in the memory of the agent', async () => {
    const llm = new ScriptedLLM({ answers: (messages) => seen(messages as ChatMessage[]), metadata })
    const agent = agentFromLlm({ llm })
    expect((await agent.once('My salary is 5000.')).response).toBe('My salary is 5000.')
    expect((await agent.once('Hello?')).response).toBe('Hello?')
    await agent.chat('A')
    expect((await agent.once('B')).response).toBe('B')
    expect((await agent.chat('C')).response).toBe('A | A | C')
  })

  it('serves several users at the same time, also while a chat runs', async () => {
    const llm = new ScriptedLLM({ answers: (messages) => seen(messages as ChatMessage[]), metadata })
    const agent = agentFromLlm({ llm })
    const answers = await Promise.all([agent.chat('A'), agent.once('B'), agent.once('C')])
    expect(answers.map(String)).toEqual(['A', 'B', 'C'])
  })

  it('begins with the chat history, which stays out of the memory', async () => {
    const llm = new ScriptedLLM({ answers: (messages) => seen(messages as ChatMessage[]), metadata })
    const agent = agentFromLlm({ llm })
    const chatHistory = [new ChatMessage({ content: 'A' }), new ChatMessage({ role: 'assistant', content: 'B' })]
    expect(String(await agent.once('C', { chatHistory }))).toBe('A | B | C')
    expect(String(await agent.chat('D'))).toBe('D')
  })

  it('waits for approvals in its task', async () => {
    const tool_calls = [{ id: 'a', type: 'function', function: { name: 'pay', arguments: '{}' } }]
    const call = new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls } })
    const pay = FunctionTool.fromDefaults({
      name: 'pay',
      schema: { type: 'object' },
      needsApproval: true,
      fn: () => 'ok',
    })
    const agent = agentFromLlm({ llm: new ScriptedLLM({ answers: [call, 'Paid.'], metadata }), tools: [pay] })
    const error = await agent.once('Pay', { taskId: 't' }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'approval_required' })
    await agent.approve('t', agent.getPendingApprovals('t')[0]!.id)
    expect(String(await agent.runTask('t'))).toBe('Paid.')
    expect(await agent.memory.getAll()).toEqual([])
  })
})
