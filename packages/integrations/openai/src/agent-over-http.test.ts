import { type AgentEvent, FunctionCallingAgent, FunctionTool, ReActAgent } from '@x/agents'
import type { ToolLoopOptions } from '@x/agents/protocol'
import type { BaseLLM } from '@x/core-model'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, chunk, eventText, json, LoopbackServer, pieces } from '../../../../tools/loopback-model-server.ts'
import { OpenAI } from './openai.ts'

/** One reply of a hosted model. */
interface Reply {
  content?: string
  reasoning?: string
  calls?: { id: string; name: string; arguments: object }[]
  finish?: string
}

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, prompt_tokens_details: { cached_tokens: 4 } }

/** Answers whole or in small pieces, according to the request. */
function reply({ content = '', reasoning = '', calls = [], finish }: Reply): Answer {
  const reason = finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')
  const tool_calls = calls.map(({ id, name, arguments: args }, index) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }))
  const message = {
    role: 'assistant',
    content: content === '' ? null : content,
    ...(reasoning && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: tool_calls.map(({ index: _, ...call }) => call) }),
  }
  const chunks = [
    ...cut(reasoning).map((piece) => chunk({ reasoning_content: piece })),
    ...cut(content).map((piece) => chunk({ content: piece })),
    ...tool_calls.flatMap(({ index, id, type, function: { name, arguments: args } }) => [
      chunk({ tool_calls: [{ index, id, type, function: { name, arguments: '' } }] }),
      ...cut(args).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
    chunk({}, reason),
    { choices: [], usage },
  ]
  return (response, request) =>
    request.body.stream
      ? pieces(cut(eventText(chunks), 40))(response, request)
      : json({ choices: [{ index: 0, message, finish_reason: reason }], usage })(response, request)
}

function cut(text: string, size = 5): string[] {
  return text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
}

/** Ends the connection, before the answer or in the middle of a stream. */
const reset: Answer = (response) => void response.destroy()
const cutStream = (content: string): Answer =>
  pieces(
    [
      eventText(
        cut(content).map((piece) => chunk({ content: piece })),
        { done: false },
      ),
    ],
    { end: 'destroy' },
  )

let server: LoopbackServer
let baseUrl: string
let ran: string[]

beforeEach(async () => {
  server = new LoopbackServer()
  baseUrl = await server.start()
  ran = []
})
afterEach(() => server.stop())

const search = FunctionTool.fromDefaults({
  name: 'search',
  description: 'Searches.',
  schema: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
  fn: ({ q }) => {
    ran.push(q)
    return `found ${q}`
  },
})

const call = (q: string, id = 'call_0') => ({ id, name: 'search', arguments: { q } })

/** The same run in both protocols: the turns of the model, and the expected output of the agent. */
const protocols = {
  native: {
    turn: (q: string): Reply => ({ content: 'Let me search.', reasoning: 'I need to look.', calls: [call(q)] }),
    answer: (text: string): Reply => ({ content: text, reasoning: 'Now I know.' }),
    agent: (llm: BaseLLM, options: object = {}) => FunctionCallingAgent.fromTools({ llm, tools: [search], ...options }),
    shown: 'Let me search.It is tea.',
  },
  text: {
    turn: (q: string): Reply => ({
      content: `Sure!\n<think>hm Answer: no</think>\n**Thought:** look\nAction: search\nAction Input: {"q": "${q}"}`,
    }),
    answer: (text: string): Reply => ({ content: `Thought: done\nAnswer: ${text}` }),
    agent: (llm: BaseLLM, options: object = {}) => ReActAgent.fromTools({ llm, tools: [search], ...options }),
    shown: 'It is tea.',
  },
}

const model = (kind: keyof typeof protocols) =>
  new OpenAI({ model: 'test-model', baseUrl, isFunctionCallingModel: kind === 'native' })

const cases = (['native', 'text'] as const).flatMap((kind) => [false, true].map((stream) => [kind, stream] as const))

describe.each(cases)('an agent (%s) over HTTP, with stream: %s', (kind, stream) => {
  const { turn, answer, agent: make, shown } = protocols[kind]

  async function run(agent: ReActAgent | FunctionCallingAgent, taskId?: string) {
    const events: AgentEvent[] = []
    for await (const event of agent.runEvents('Tea or coffee?', { stream, ...(taskId && { taskId }) }))
      events.push(event)
    const end = events.at(-1)
    if (end?.type !== 'task_end') throw new Error(`ended with ${end?.type}`)
    const text = events.flatMap((event) => (event.type === 'text_delta' ? [event.delta] : [])).join('')
    return { events, text, answer: end.answer }
  }

  const agentWith = (options: Partial<ToolLoopOptions> = {}) => make(model(kind), options)

  it('reports the text of each turn, reasoning and usage, and runs the tool once', async () => {
    server.willAnswer(reply(turn('tea')), reply(answer('It is tea.')))
    const agent = agentWith()
    const result = await run(agent)
    expect(result.text).toBe(shown)
    expect(ran).toEqual(['tea'])
    expect(result.answer).toMatchObject({
      text: 'It is tea.',
      sources: [{ toolName: 'search', content: 'found tea', isError: false }],
      usage: { modelCalls: 2, toolCalls: 1, inputTokens: 20, outputTokens: 10, cachedInputTokens: 8, totalTokens: 30 },
    })
    if (kind === 'native') {
      const reasoning = result.events.flatMap((event) => (event.type === 'reasoning' ? [event.text] : []))
      expect(reasoning).toEqual(['I need to look.', 'Now I know.'])
      const input = result.events.flatMap((event) => (event.type === 'tool_input_delta' ? [event.delta] : []))
      expect(input.join('')).toBe(stream ? '{"q":"tea"}' : '')
    }
    expect(String(agent.chatHistory.at(-1))).toBe('assistant: It is tea.')
    expect(JSON.parse(JSON.stringify(result.events))).toEqual(result.events)
  })

  it('streamChat and chat return the last turn', async () => {
    server.willAnswer(reply(turn('tea')), reply(answer('It is tea.')))
    const agent = agentWith()
    if (!stream) return expect((await agent.chat('x')).response).toBe('It is tea.')
    const streamed = await agent.streamChat('x')
    let text = ''
    for await (const piece of streamed) text += piece
    await streamed.done
    expect([text, streamed.response]).toEqual(['It is tea.', 'It is tea.'])
  })

  it.each(['length', 'content_filter'])(
    'throws for an answer with the finish reason %s, and continues in a later run',
    async (finish) => {
      server.willAnswer(reply(turn('tea')), reply({ ...answer('It is t'), finish }), reply(answer('It is tea.')))
      const agent = agentWith()
      await expect(run(agent)).rejects.toMatchObject({ code: 'cut_answer', reason: finish })
      expect(agent.chatHistory).toEqual([])
      expect((await run(agent, agent.listTasks()[0]!.taskId)).answer.text).toBe('It is tea.')
      expect(ran).toEqual(['tea'])
    },
  )

  it('continues a cut answer', async () => {
    server.willAnswer(reply({ ...answer('It is t'), finish: 'length' }), reply({ content: 'ea.' }))
    expect((await run(agentWith({ onCutAnswer: 'continue' }))).answer.text).toBe('It is tea.')
    expect(server.requests[1]!.body.messages.at(-2)).toMatchObject({ role: 'assistant' })
  })

  it.each([
    ['429 with Retry-After', json({ error: { message: 'slow down' } }, 429, { 'retry-after': '0' })],
    ['500', json({ error: { message: 'oops' } }, 500)],
    ['a reset connection', reset],
  ])('survives %s, without running the tool again', async (_, failure) => {
    server.willAnswer(failure, reply(turn('tea')), failure, reply(answer('It is tea.')))
    const agent = agentWith({ retries: { sleep: async () => {} } })
    expect((await run(agent)).answer.text).toBe('It is tea.')
    expect(ran).toEqual(['tea'])
    expect(server.requests).toHaveLength(4)
  })

  it('throws a typed error without retries, and continues where it stopped', async () => {
    server.willAnswer(reply(turn('tea')), json({ error: { message: 'slow down' } }, 429), reply(answer('It is tea.')))
    const agent = agentWith({ retries: false })
    await expect(run(agent)).rejects.toMatchObject({ code: 'model_call', kind: 'rate_limit', retryable: true })
    expect((await run(agent, agent.listTasks()[0]!.taskId)).answer.text).toBe('It is tea.')
    expect(ran).toEqual(['tea'])
  })

  it('starts anew when its stream is cut', async () => {
    const cutReply = stream ? cutStream('Thought: x\nAnswer: It is') : reset
    server.willAnswer(reply(turn('tea')), cutReply, reply(answer('It is tea.')))
    expect((await run(agentWith({ retries: { sleep: async () => {} } }))).answer.text).toBe('It is tea.')
    expect(ran).toEqual(['tea'])
  })

  it('throws when its stream is cut without retries, and continues where it stopped', async () => {
    const cutReply = stream ? cutStream('Thought: x\nAnswer: It is') : reset
    server.willAnswer(reply(turn('tea')), cutReply, reply(answer('It is tea.')))
    const agent = agentWith({ retries: false })
    await expect(run(agent)).rejects.toMatchObject({ code: 'model_call', kind: 'connection' })
    expect(agent.chatHistory).toEqual([])
    expect((await run(agent, agent.listTasks()[0]!.taskId)).answer.text).toBe('It is tea.')
    expect(ran).toEqual(['tea'])
  })

  it('ends the request when it is cancelled', async () => {
    const controller = new AbortController()
    server.willAnswer(reply(turn('tea')), async () => {
      controller.abort(new Error('enough'))
    })
    const agent = agentWith()
    await expect(agent.chat('x', { signal: controller.signal })).rejects.toMatchObject({ code: 'abort' })
    for (let i = 0; server.left === 0 && i < 100; i++) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(server.left).toBe(1)
  })
})

describe.each([false, true])('parallel calls with the same id in every turn (stream: %s)', (stream) => {
  it('run at the same time, and are sent back with unique ids', async () => {
    const both = { content: 'Both.', calls: [call('tea'), call('coffee')] }
    server.willAnswer(reply(both), reply({ calls: [call('milk')] }), reply({ content: 'All.' }))
    const agent = FunctionCallingAgent.fromTools({ llm: model('native'), tools: [search], maxToolConcurrency: 4 })
    const answer = stream ? await agent.streamChat('x') : await agent.chat('x')
    if ('done' in answer) await answer.done
    expect(answer.response).toBe('All.')
    expect(ran).toEqual(['tea', 'coffee', 'milk'])
    const sent = server.requests[2]!.body.messages as { tool_calls?: { id: string }[]; tool_call_id?: string }[]
    const asked = sent.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id))
    expect(asked).toEqual(['call_0', 'call_1_1', 'call_2_0'])
    expect(sent.flatMap(({ tool_call_id: id }) => id ?? [])).toEqual(asked)
  })
})
