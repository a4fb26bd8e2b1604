import { ChatMessage, defaultImageTokens, type MessageContent } from '@x/core-model'
import { ChatMemoryBuffer } from '@x/core-model/memory'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { ReActAgent } from '../agent/react-agent.ts'

const words = 'word '.repeat(1000).trim()
const forms: Record<string, MessageContent> = {
  string: words,
  parts: [{ type: 'text', text: words }],
  'parts with an image': [
    { type: 'text', text: words },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(10_000)}` } },
  ],
}

describe.each(Object.entries(forms))('1,000 words as %s', (name, content) => {
  it('count as the same number of tokens for a budget', async () => {
    const usageOf = async (content: MessageContent) => {
      const llm = new ScriptedLLM({ answers: ['Answer: done'], wire: false })
      const agent = ReActAgent.fromTools({
        llm,
        chatHistory: [{ role: 'user', content }],
        budget: { maxTokens: 10_000 },
      })
      const task = await agent.createTask('x')
      await agent.runTask(task.taskId)
      return (task.extraState['usage'] as { totalTokens: number }).totalTokens
    }
    expect((await usageOf(content)) - (await usageOf(''))).toBe(
      name.endsWith('image') ? 1000 + defaultImageTokens : 1000,
    )
  })
})

it('a reply that consists only of reasoning has no text', async () => {
  const content: MessageContent = [{ type: 'reasoning', text: 'Let me see.' }]
  const llm = new ScriptedLLM({ answers: [new ChatMessage({ role: 'assistant', content }), 'Answer: done'] })
  const agent = ReActAgent.fromTools({ llm })
  expect(String(await agent.chat('x'))).toBe('done')
})

describe('a subclass of ChatMemoryBuffer', () => {
  class LastOne extends ChatMemoryBuffer {
    static override className() {
      return 'LastOne'
    }
    override get() {
      return this.getAll().slice(-1)
    }
  }

  it('is what an agent asks for messages', async () => {
    const llm = new ScriptedLLM({ answers: ['Thought: x\nAnswer: one', 'Thought: x\nAnswer: two'] })
    const agent = ReActAgent.fromTools({ llm, tools: [], memoryCls: LastOne })
    await agent.chat('First.')
    await agent.chat('Second.')
    expect(JSON.stringify(llm.calls[1])).not.toContain('First.')
  })
})
