import { ChatMessage, SimpleChatStore } from '@x/core-model'
import { StoredChatMemory, turnsIn } from '@x/core-model/memory'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { scriptedToolModel, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { ReActAgent } from '../agent/react-agent.ts'
import type { AgentEvent } from '../task/agent-event.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { partialOutput } from './partial-output.ts'
import { structured } from './structured.ts'

const look = FunctionTool.fromDefaults({ name: 'look', schema: {}, fn: () => 'x' })
const block = (text: string) => (text.includes('SECRET') ? { block: 'secret' } : undefined)
const hide = (text: string) => (text.includes('SECRET') ? { replace: text.replaceAll('SECRET', '…') } : undefined)

const calling = (content: unknown, more: object = {}) =>
  new ChatMessage({
    role: 'assistant',
    content: content as string,
    additionalKwargs: { tool_calls: [toolCall('c1', 'look', {})], ...more },
  })

/** Runs an agent, and returns its events, the messages of its conversation and the error. */
async function run(agent: Pick<FunctionCallingAgent, 'runEvents'>, stream: boolean) {
  const chatStore = new SimpleChatStore()
  const memory = new StoredChatMemory({ chatStore, conversationId: 'ann' })
  const events: AgentEvent[] = []
  const error = await (async () => {
    for await (const event of agent.runEvents('Hi.', { memory, stream })) events.push(event)
  })().catch((thrown) => thrown.code)
  return { events, turn: (await turnsIn(chatStore).read('ann'))[0]!, error }
}

describe.each([false, true])('an answer guard, with a stream: %s', (stream) => {
  it('blocks text before a call, which nobody sees', async () => {
    const llm = scriptedToolModel([calling('The SECRET is 42, let me look.'), 'It is 42.'])
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [look], guards: { answer: block } })
    const { events, turn, error } = await run(agent, stream)
    expect(error).toBe('guard_blocked')
    expect(JSON.stringify([events, turn])).not.toContain('SECRET')
  })

  it.each([
    ['a string', 'The SECRET is 42.'],
    ['parts', [{ type: 'text', text: 'The SECRET is 42.' }]],
  ])('replaces text before a call, which is %s, in the conversation too', async (_, content) => {
    const llm = scriptedToolModel([calling(content), 'It is SECRET.'])
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [look], guards: { answer: hide } })
    const { events, turn } = await run(agent, stream)
    const texts = events.flatMap((event) => (event.type === 'text_delta' ? [event.delta] : []))
    expect(texts).toEqual(['The … is 42.', 'It is ….'])
    expect(JSON.stringify([events, turn])).not.toContain('SECRET')
    expect(turn.messages[1]!.additionalKwargs['tool_calls']).toHaveLength(1)
  })

  it('shows no reasoning, which the next request of the model has', async () => {
    const reasoning = 'The SECRET is 42.'
    const llm = scriptedToolModel([calling('Let me look.', { reasoning }), 'It is 42.'])
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [look], guards: { answer: block } })
    const { events, turn } = await run(agent, stream)
    expect(JSON.stringify(events)).not.toContain('SECRET')
    expect(turn).toMatchObject({ hidesReasoning: true, state: 'done' })
    expect(JSON.stringify(turn.messages)).toContain('SECRET')
  })

  it('shows no thought of a ReAct agent', async () => {
    const answers = ['Thought: The SECRET is 42.\nAction: look\nAction Input: {}', 'Thought: SECRET\nAnswer: It is 42.']
    const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers }), tools: [look], guards: { answer: block } })
    const { events, error } = await run(agent as never, stream)
    expect(error).toBeUndefined()
    expect(JSON.stringify(events)).not.toContain('SECRET')
  })

  it('shows no structured answer before it is checked', async () => {
    const schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as const
    const llm = scriptedToolModel([['{"text": "The SEC', 'RET is 42."}']])
    const agent = FunctionCallingAgent.fromTools({
      llm,
      output: structured(schema, { mode: 'response_format' }),
      layers: [partialOutput()],
      guards: { answer: block },
    } as never)
    const { events, error } = await run(agent, stream)
    expect(error).toBe('guard_blocked')
    expect(JSON.stringify(events)).not.toContain('SEC')
  })
})
