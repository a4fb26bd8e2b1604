import { ScriptedLLM } from '@x/llm/testing'
import { PromptTemplate } from '@x/prompts'
import { QueryPipeline } from '@x/query-pipeline'
import { describe, expect, it } from 'vitest'
import { ReActChatFormatter } from '../loop/react/react-chat-formatter.ts'
import { ReActAgent } from './react-agent.ts'

const agentWith = (...answers: string[]) => {
  const llm = new ScriptedLLM({ answers })
  return { llm, agent: ReActAgent.fromTools({ llm }) }
}

describe('ReActAgent', () => {
  it('puts its context into the system prompt', async () => {
    const llm = new ScriptedLLM({ answers: ['Answer: yes'] })
    const agent = ReActAgent.fromTools({ llm, context: 'It rains in Lima.' })
    await agent.chat('Does it rain?')
    expect(JSON.stringify(llm.calls[0]!.messages![0])).toContain('It rains in Lima.')
  })

  it('rejects a context together with a formatter', () => {
    const options = { llm: new ScriptedLLM(), context: 'x', reactChatFormatter: ReActChatFormatter.fromDefaults() }
    expect(() => ReActAgent.fromTools(options)).toThrow(expect.objectContaining({ code: 'configuration' }))
  })

  it('lists and replaces the prompts of its worker', async () => {
    const { llm, agent } = agentWith('Answer: yes')
    const [key] = Object.keys(agent.getPrompts())
    expect(key).toBe('agent_worker:system_prompt')
    const prompt = new PromptTemplate({ template: 'Be brief. {tool_desc} {tool_names}' })
    agent.updatePrompts({ [key!]: prompt })
    expect(agent.getPrompts()[key!]).toEqual(prompt)
    await agent.chat('x')
    expect(JSON.stringify(llm.calls[0]!.messages![0])).toContain('Be brief.')
  })

  it('replaces nothing if a key is unknown', () => {
    const { agent } = agentWith()
    const before = agent.getPrompts()
    const prompt = new PromptTemplate({ template: 'x' })
    expect(() => agent.updatePrompts({ 'agent_worker:system_prompt': prompt, system_prompt: prompt })).toThrow(
      expect.objectContaining({ code: 'prompt_key' }),
    )
    expect(agent.getPrompts()).toEqual(before)
  })

  it('can be used as a query pipeline component', async () => {
    const { agent } = agentWith('Answer: yes')
    const pipeline = new QueryPipeline({ chain: [agent] })
    expect(String(await pipeline.run('Does it rain?'))).toBe('yes')
  })
})
