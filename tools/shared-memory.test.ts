import { describe, expect, it } from 'vitest'
import { sharedRuns } from './shared-memory.ts'

const agent = 'const agent = FunctionCallingAgent.fromTools({ llm, tools: [pay] })\n'

describe('sharedRuns', () => {
  it.each([
    ['async function ask(question: string) {\n  return agent.chat(question)\n}', 3, 'agent.chat'],
    ['const ask = async (question: string) => String(await agent.chat(question))', 2, 'agent.chat'],
    [
      'async function ask(q: string) { for await (const event of agent.runEvents(q)) show(event) }',
      2,
      'agent.runEvents',
    ],
    ['app.post("/", async (c) => agent.streamChat(c.q, { signal: c.signal }))', 2, 'agent.streamChat'],
    ['class Server { async post(q: string) { return agent.chat(q) } }', 2, 'agent.chat'],
  ])('finds %s', (code, line, call) => {
    expect(sharedRuns(agent + code)).toEqual([{ line, call }])
  })

  it.each([
    "const answer = await agent.chat('Hello')",
    'const ask = (q: string) => agent.once(q)',
    'const ask = (q: string) => agent.chat(q, { memory })',
    'const ask = (q: string) => agent.chat(q, { signal, conversation: agent.conversation() })',
    'const ask = (q: string) => agent.chat(q, { chatHistory: [] })',
    'const ask = (q: string, options: ChatOptions) => agent.chat(q, options)',
    'const ask = (q: string) => agent.chat(q, { ...options })',
    'const ask = (q: string) => { const own = agentFromLlm({ llm }); return own.chat(q) }',
    'const chat = agent.conversation()\nconst ask = (q: string) => chat.chat(q)',
    'const ask = (q: string) => llm.chat([new ChatMessage({ content: q })])',
  ])('accepts %s', (code) => {
    expect(sharedRuns(agent + code)).toEqual([])
  })
})
