import { AnswerBuilder, type CallOptions, ChatMessage, ChatResponse, LLMMetadata } from '@x/core-model'
import { ChatLLM } from '@x/llm'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { ReActAgent } from '../agent/react-agent.ts'
import { eventsOf, streaming, toolLoop } from '../loop.ts'
import type { TaskLike } from '../task/task-like.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { JsonProtocol } from './json/json-protocol.ts'
import { newLoopState } from './loop-state.ts'
import { NativeProtocol } from './native/native-protocol.ts'
import { ReActChatFormatter } from './react/react-chat-formatter.ts'
import { ReActOutputParser } from './react/react-output-parser.ts'
import { ReActProtocol } from './react/react-protocol.ts'
import { Transcript } from './transcript.ts'

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

const source = { url: 'https://a.example/pears', title: 'Pears' }

/** A model that cites a source. */
class Citing extends ChatLLM {
  readonly metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
  protected override async chatRequest(_messages: readonly ChatMessage[], _options: CallOptions) {
    const answer = new AnswerBuilder()
    answer.addText('Pears are green.')
    answer.addPart({ type: 'source', source })
    answer.finish('stop')
    return answer.response({ stream: true })
  }
  protected override async *streamChatRequest(messages: readonly ChatMessage[], options: CallOptions) {
    yield await this.chatRequest(messages, options)
  }
}

it('sources that the model cites are events, in steps that stream or not', async () => {
  for (const layers of [[], [streaming()]]) {
    const found = []
    for await (const event of eventsOf(toolLoop({ llm: new Citing(), layers }), 'Colour?'))
      if (event.type === 'source') found.push(event.source)
    expect(found).toEqual([source])
  }
})

it('so are those of an agent, whose answer has a text', async () => {
  const agent = FunctionCallingAgent.fromTools({ llm: new Citing(), tools: [] })
  const found = []
  for await (const event of agent.runEvents('Colour?')) if (event.type === 'source') found.push(event)
  expect(found).toMatchObject([{ source, taskId: expect.any(String) }])
  const answer = await agent.chat('Colour?')
  expect([answer.text, answer.response]).toEqual(['Pears are green.', 'Pears are green.'])
})

const cut = FunctionTool.fromDefaults({ name: 'cut', schema: {}, fn: () => '😀😀'.slice(0, 3) })

it.each([true, false])(
  'lone surrogates of tools, questions and earlier messages reach no model (stream: %s)',
  async (stream) => {
    const chatHistory = [new ChatMessage({ role: 'user', content: 'old \udc00' })]
    const native = functionCallingLlm([[toolCall('a', 'cut', {})], 'done'])
    const text = new ScriptedLLM({ answers: ['Thought: x\nAction: cut\nAction Input: {}', 'Thought: x\nAnswer: done'] })
    for (const agent of [
      FunctionCallingAgent.fromTools({ llm: native, tools: [cut] }),
      ReActAgent.fromTools({ llm: text, tools: [cut] }),
    ])
      for await (const _ of agent.runEvents('new \ud800', { chatHistory, stream }));
    for (const { calls } of [native, text]) {
      const sent = JSON.stringify(calls.map(({ messages }) => messages))
      expect(sent).not.toMatch(/\\ud[89a-f]/)
      for (const content of ['old \uFFFD', 'new \uFFFD', '😀\uFFFD']) expect(sent).toContain(content)
    }
  },
)

it('protocols need no task of a runner', async () => {
  const history = [
    new ChatMessage({ role: 'user', content: 'Hi' }),
    new ChatMessage({ role: 'assistant', content: 'Yes?' }),
  ]
  const react = new ReActProtocol({
    formatter: new ReActChatFormatter(),
    outputParser: new ReActOutputParser(),
    onParseError: 'observe',
  })
  for (const protocol of [new NativeProtocol(), new JsonProtocol(), react]) {
    const memory = { get: () => history, getAll: () => history }
    const task: TaskLike = { taskId: 't', input: '', memory, extraState: newLoopState(protocol, new Transcript()) }
    protocol.acceptInput(new ChatMessage({ role: 'user', content: 'Rain?' }), { stepState: { is_first: true } }, task)
    const { messages } = await protocol.request({ task, tools: [], toolChoice: 'auto' })
    expect(messages.map(({ content }) => content).slice(-3)).toEqual(['Hi', 'Yes?', 'Rain?'])
  }
})
