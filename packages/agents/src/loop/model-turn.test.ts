import { ChatMessage, ChatResponse, LLMMetadata } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { ReActAgent } from '../agent/react-agent.ts'

type Reply = [text: string, finishReason: string | null]

/** A model that reports why it stopped, with and without streaming. */
function reasonModel(replies: readonly Reply[]) {
  const asked: string[][] = []
  let turn = 0
  const next = (messages: readonly ChatMessage[]) => {
    asked.push(messages.map(({ role, content }) => `${role}: ${content}`))
    return replies[turn++]!
  }
  const response = (content: string, delta: string | null, reason: string | null) =>
    new ChatResponse({
      message: new ChatMessage({ role: 'assistant', content }),
      delta,
      raw: { choices: [{ finish_reason: reason }], usage: { prompt_tokens: 5, completion_tokens: 2 } },
    })
  const llm = {
    metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }),
    async chat(messages: readonly ChatMessage[]) {
      const [text, reason] = next(messages)
      return response(text, null, reason)
    },
    async *streamChat(messages: readonly ChatMessage[]) {
      const [text, reason] = next(messages)
      const middle = Math.ceil(text.length / 2)
      yield response(text.slice(0, middle), text.slice(0, middle), null)
      yield response(text, text.slice(middle), reason)
    },
  } as never
  return { llm, asked }
}

const kinds = {
  native: (replies: Reply[], options = {}) => {
    const { llm, asked } = reasonModel(replies)
    return { agent: FunctionCallingAgent.fromTools({ llm, ...options }), asked }
  },
  text: (replies: Reply[], options = {}) => {
    const { llm, asked } = reasonModel(replies.map(([text, reason], i) => [i === 0 ? `Answer: ${text}` : text, reason]))
    return { agent: ReActAgent.fromTools({ llm, ...options }), asked }
  },
}

const modes = {
  whole: async (agent: ReActAgent | FunctionCallingAgent) => agent.chat('x'),
  streamed: async (agent: ReActAgent | FunctionCallingAgent) => {
    const answer = await agent.streamChat('x')
    await answer.done
    return answer
  },
}

const cases = (['native', 'text'] as const).flatMap((kind) =>
  (['whole', 'streamed'] as const).map((mode) => [kind, mode] as const),
)

describe.each(cases)('a cut answer of a %s agent, %s', (kind, mode) => {
  const run = (replies: Reply[], options = {}) => {
    const { agent, asked } = kinds[kind](replies, options)
    return { agent, asked, answer: modes[mode](agent) }
  }

  it.each(['length', 'content_filter'] as const)('throws for %s, and the step can run again', async (reason) => {
    const { agent, answer } = run([
      ['The capit', reason],
      [kind === 'text' ? 'Answer: Lima' : 'Lima', 'stop'],
    ])
    await expect(answer).rejects.toMatchObject({
      code: 'cut_answer',
      reason,
      text: expect.stringContaining('The capit'),
    })
    expect(agent.chatHistory).toEqual([])
    expect((await agent.runTask(agent.listTasks()[0]!.taskId)).response).toBe('Lima')
  })

  it('is continued with onCutAnswer: "continue"', async () => {
    const replies: Reply[] = [
      ['The capital', 'length'],
      [' is Li', 'length'],
      ['ma.', 'stop'],
    ]
    const { agent, asked, answer } = run(replies, { onCutAnswer: 'continue' })
    expect((await answer).response).toBe('The capital is Lima.')
    expect(agent.chatHistory.map(String)).toEqual(['user: x', 'assistant: The capital is Lima.'])
    expect(asked[2]!.slice(-2)).toEqual([
      expect.stringContaining('The capital is Li'),
      'user: Continue exactly where you stopped. Do not repeat anything.',
    ])
    expect((await answer).usage).toMatchObject({ modelCalls: 3, totalTokens: 21 })
  })

  it('throws after too many continuations, and after a content filter', async () => {
    const { answer, asked } = run(Array<Reply>(20).fill(['la', 'length']), { onCutAnswer: 'continue' })
    await expect(answer).rejects.toMatchObject({ code: 'cut_answer', reason: 'length' })
    expect(asked).toHaveLength(8)
    const filtered = run([['la', 'content_filter']], { onCutAnswer: 'continue' })
    await expect(filtered.answer).rejects.toMatchObject({ reason: 'content_filter' })
  })

  it.each(['length', 'content_filter'])('is returned with onCutAnswer: "accept" for %s', async (reason) => {
    const { answer } = run([['The capit', reason]], { onCutAnswer: 'accept' })
    expect((await answer).response).toBe('The capit')
  })
})
