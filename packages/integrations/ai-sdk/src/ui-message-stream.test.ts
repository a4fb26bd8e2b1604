import { type AgentEvent, FunctionCallingAgent, FunctionTool } from '@x/agents'
import { ChatMessage, LLMMetadata, SimpleChatStore } from '@x/core-model'
import { ModelCallError } from '@x/llm'
import { type ScriptedAnswer, ScriptedLLM, TableEmbedding } from '@x/llm/testing'
import { readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai'
import { type UIMessageChunk as ChunkV6, readUIMessageStream as readV6 } from 'ai-v6'
import { describe, expect, it } from 'vitest'
import { clientOf, clients, toolsOf } from '../test/chat-clients.ts'
import { toAiSdkEmbeddingModel, toAiSdkModel } from './ai-sdk-model-of-llm.ts'
import { toAiSdkRerankingModel } from './ai-sdk-model-of-reranker.ts'
import { loadUIMessages } from './load-ui-messages.ts'
import { runUIMessages } from './run-ui-messages.ts'
import type { UIChunk } from './ui-chunk.ts'
import { TextBlocks, uiMessageChunks, uiMessageLines, uiMessageResponse, uiMessageStream } from './ui-message-stream.ts'

const metadata = new LLMMetadata({ modelName: 'm', isChatModel: true, isFunctionCallingModel: true })
const callTurn = (content: string | null, args = '{"fruit":"pear"}') =>
  new ChatMessage({
    role: 'assistant',
    content,
    additionalKwargs: { tool_calls: [{ id: 'c1', type: 'function', function: { name: 'buy', arguments: args } }] },
  })

function clerk(answers: ScriptedAnswer[], options: object = {}) {
  const buy = FunctionTool.fromDefaults({
    name: 'buy',
    description: 'Buys a fruit.',
    schema: { type: 'object', properties: { fruit: { type: 'string' } }, required: ['fruit'] },
    fn: ({ fruit }) => ({ bought: fruit }),
    ...options,
  })
  return FunctionCallingAgent.fromTools({ llm: new ScriptedLLM({ answers, metadata }), tools: [buy] })
}

async function collect(events: AsyncIterable<AgentEvent>, options = {}): Promise<UIChunk[]> {
  const found: UIChunk[] = []
  for await (const chunk of uiMessageChunks(events, options)) found.push(chunk)
  return found
}

describe('uiMessageChunks', () => {
  it('shows sources and the structured answer so far', async () => {
    const step = { taskId: 't', stepId: 's' }
    const sources = [
      { url: 'https://a.example/b', title: 'B' },
      { id: 'd', media_type: 'application/pdf', filename: 'd.pdf' },
    ]
    async function* events(): AsyncGenerator<AgentEvent> {
      for (const source of sources) yield { type: 'source', source, ...step }
      for (const n of [1, 2]) yield { type: 'partial_output', output: { n }, ...step }
    }
    const chunks = await collect(events())
    expect(chunks.slice(1, -1)).toEqual([
      { type: 'source-url', sourceId: 'https://a.example/b', url: 'https://a.example/b', title: 'B' },
      { type: 'source-document', sourceId: 'd', mediaType: 'application/pdf', title: 'd.pdf', filename: 'd.pdf' },
      { type: 'data-partial-output', id: 's', data: { n: 1 } },
      { type: 'data-partial-output', id: 's', data: { n: 2 } },
    ])
    let last: UIMessage | undefined
    const stream = uiMessageStream(events()) as ReadableStream<UIMessageChunk>
    for await (const message of readUIMessageStream({ stream })) last = message
    expect(last!.parts).toMatchObject([
      { type: 'source-url' },
      { type: 'source-document' },
      { type: 'data-partial-output', data: { n: 2 } },
    ])
  })

  it('shows text, tools and steps', async () => {
    const agent = clerk([callTurn('Let me see.'), ['It is ', 'bought.']])
    const chunks = await collect(agent.runEvents('Buy a pear.'), { messageId: 'm1' })
    const [{ messageMetadata }] = chunks as [Extract<UIChunk, { type: 'start' }>]
    const { taskId } = messageMetadata
    expect(chunks).toMatchObject([
      { type: 'start', messageId: 'm1', messageMetadata: { taskId: expect.any(String) } },
      { type: 'start-step' },
      { type: 'text-start' },
      { type: 'text-delta', delta: 'Let me see.' },
      { type: 'text-end' },
      { type: 'tool-input-available', toolCallId: 'c1', toolName: 'buy', input: { fruit: 'pear' } },
      { type: 'tool-output-available', toolCallId: 'c1', output: { bought: 'pear' } },
      { type: 'finish-step' },
      { type: 'start-step' },
      { type: 'text-start' },
      { type: 'text-delta', delta: 'It is' },
      { type: 'text-delta', delta: ' bought.' },
      { type: 'text-end' },
      { type: 'finish-step' },
      { type: 'finish', messageMetadata: { taskId } },
    ])
  })

  it('has no white space at the ends of a text, which the stored answer does not have either', async () => {
    const answers = [callTurn(' \nLet me see. '), ['\n', ' It', ' ', '\n is ', 'bought. ', '\n', ' ']]
    const chunks = await collect(clerk(answers).runEvents('Buy a pear.'))
    const texts = chunks.flatMap((chunk) => (chunk.type === 'text-delta' ? [chunk.delta] : []))
    expect(texts).toEqual(['Let me see.', 'It', ' \n is', ' bought.'])
  })

  it('marks what the client has received of a reply whose stream broke as void', async () => {
    const broken = new ModelCallError('gone', { kind: 'connection', retryAfterMs: 1 })
    const [[...parts], [...partsV6]] = (await Promise.all(
      [readUIMessageStream, readV6 as unknown as typeof readUIMessageStream].map(async (read) => {
        const stream = uiMessageStream(
          clerk([
            ['It is a p', broken],
            ['It is a ', 'plum.'],
          ]).runEvents('What?'),
        )
        let last: UIMessage | undefined
        for await (const message of read({ stream: stream as ReadableStream<UIMessageChunk> })) last = message
        return last!.parts
      }),
    )) as [UIMessage['parts'], UIMessage['parts']]
    for (const shown of [parts, partsV6])
      expect(shown).toMatchObject([
        { type: 'step-start' },
        { type: 'text', text: 'It is a p', state: 'done' },
        { type: 'data-turn-restarted', data: { attempt: 1 } },
        { type: 'text', text: 'It is a plum.', state: 'done' },
      ])
    const agent = clerk([broken, 'A plum.'])
    const busy = await collect(agent.runEvents('What?'))
    expect(busy.map(({ type }) => type)).not.toContain('data-turn-restarted')
  })

  it('shows the whole answer of a run that does not stream', async () => {
    const chunks = await collect(clerk(['Done.']).runEvents('Hi', { stream: false }))
    expect(chunks.filter(({ type }) => type === 'text-delta')).toMatchObject([{ delta: 'Done.' }])
  })

  it('shows failures of tools, and arguments that are not an object', async () => {
    const failing = clerk([callTurn(null), 'Sorry.'], { fn: () => Promise.reject(new Error('closed')) })
    expect(await collect(failing.runEvents('Buy.'))).toContainEqual(
      expect.objectContaining({ type: 'tool-output-error', errorText: 'The tool failed.' }),
    )
    const wrong = await collect(clerk([callTurn(null, 'pear'), 'Sorry.']).runEvents('Buy.'))
    expect(wrong).toContainEqual(expect.objectContaining({ type: 'tool-input-error', input: 'pear' }))
  })

  it('shows events of every kind', async () => {
    const at = { taskId: 't', stepId: 's' }
    async function* events(): AsyncGenerator<AgentEvent> {
      yield { type: 'step_start', ...at, input: 'q' }
      yield { type: 'reasoning_delta', ...at, delta: 'Hm' }
      yield { type: 'reasoning_delta', ...at, delta: '.' }
      yield { type: 'reasoning', ...at, text: 'Hm.' }
      yield { type: 'tool_input_delta', ...at, callId: 'c', toolName: 'buy', delta: '{' }
      yield { type: 'tool_input_delta', ...at, callId: 'c', toolName: 'buy', delta: '}' }
      yield { type: 'tool_call', ...at, callId: 'c', toolName: 'buy', arguments: {} }
      yield { type: 'tool_progress', ...at, callId: 'c', toolName: 'buy', progress: 0.5 }
      yield { type: 'tool_result', ...at, callId: 'c', toolName: 'buy', content: 'done', isError: false, output: null }
    }
    expect((await collect(events())).slice(2)).toEqual([
      { type: 'reasoning-start', id: 'reasoning-0' },
      { type: 'reasoning-delta', id: 'reasoning-0', delta: 'Hm' },
      { type: 'reasoning-delta', id: 'reasoning-0', delta: '.' },
      { type: 'reasoning-end', id: 'reasoning-0' },
      { type: 'tool-input-start', toolCallId: 'c', toolName: 'buy', dynamic: true },
      { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{' },
      { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '}' },
      { type: 'tool-input-available', toolCallId: 'c', toolName: 'buy', input: {}, dynamic: true },
      { type: 'tool-output-available', toolCallId: 'c', output: 0.5, preliminary: true, dynamic: true },
      { type: 'tool-output-available', toolCallId: 'c', output: 'done', dynamic: true },
      { type: 'finish-step' },
      { type: 'finish', messageMetadata: { taskId: 't' } },
    ])
  })

  /** The chunks of these events of one task, without the first and the last one. */
  const inside = async (events: object[], options = {}) => {
    async function* all() {
      for (const event of events) yield { taskId: 't', stepId: 's', ...event } as AgentEvent
    }
    return (await collect(all(), options)).slice(1, -1)
  }
  const [begin, end] = [{ type: 'start-step' }, { type: 'finish-step' }]

  it('asks about each call that waits for an approval or a result, those of agents behind the others', async () => {
    const buy = FunctionTool.fromDefaults({ name: 'buy', title: 'Buy', schema: { type: 'object' }, fn: () => '' })
    const call = (id: string, more: object = {}) => ({
      id,
      name: 'buy',
      arguments: '{"n":1}',
      needsApproval: true,
      decision: null,
      ...more,
    })
    const calls = [
      call('c/x/i', { parent: 'c', arguments: { n: 2 } }),
      call('a', { approval: { id: 'q' }, problem: 'Too dear.' }),
      call('b', { name: 'look', needsApproval: false, awaits: 'result' }),
      call('d', { decision: 'approve' }),
      call('e', { needsApproval: false }),
    ]
    const asked = { type: 'approval_required', calls }
    const made = { type: 'tool_call', callId: 'c', toolName: 'sub', arguments: {} }
    const found = await inside([{ type: 'step_start', input: null }, made, asked, { type: 'step_end' }], {
      tools: [buy],
    })
    const input = { type: 'tool-input-available', dynamic: true }
    const named = { toolName: 'buy', title: 'Buy' }
    const approvalDescriptor = { title: 'Buy', schema: { type: 'object' } }
    const request = { type: 'tool-approval-request', approvalDescriptor }
    expect(found).toEqual([
      begin,
      { ...input, toolCallId: 'c', toolName: 'sub', input: {} },
      { ...input, ...named, toolCallId: 'a', input: { n: 1 } },
      { type: 'data-approval-problem', id: 'problem-a', data: { toolCallId: 'a', problem: 'Too dear.' } },
      { ...request, approvalId: 'q', toolCallId: 'a' },
      { ...input, toolName: 'look', toolCallId: 'b', input: { n: 1 } },
      end,
      begin,
      { ...input, ...named, toolCallId: 'c/x/i', input: { n: 2 } },
      { ...request, approvalId: 'c/x/i', toolCallId: 'c/x/i' },
      end,
    ])
  })

  it('begins no step for calls that the page shows already, or cannot show', async () => {
    const call = (id: string, more: object = {}) => ({
      id,
      name: 'buy',
      arguments: {},
      needsApproval: true,
      decision: null,
      ...more,
    })
    const step = (...calls: object[]) => [
      { type: 'step_start', input: null },
      { type: 'approval_required', calls },
      { type: 'step_end' },
    ]
    const begins = async (...calls: object[]) => {
      const found = await inside([...step(call('a')), ...step(...calls)])
      return found.filter(({ type }) => type === 'start-step').length === 2
    }
    expect(await begins(call('b'))).toBe(true)
    expect(await begins(call('a'))).toBe(false)
    expect(await begins(call('b', { problem: 'Too dear.' }))).toBe(false)
    expect(await begins(call('b', { problem: 'Not judged.', firstQuestion: true }))).toBe(true)
    expect(await begins(call('x/1', { parent: 'x' }))).toBe(false)
    const end = { type: 'finish', messageMetadata: { taskId: 't', state: 'waiting' } }
    async function* all() {
      for (const event of step(call('a'))) yield { taskId: 't', stepId: 's', ...event } as AgentEvent
    }
    expect((await collect(all())).at(-1)).toEqual(end)
  })

  it('has the text of an answer once, and says that a reply is repeated only if something of it was shown', async () => {
    const answer = { type: 'task_end', answer: { text: ' Hi. ', usage: null } }
    const said = async (...events: object[]) =>
      (await inside(events)).flatMap((chunk) => (chunk.type === 'text-delta' ? chunk.delta : []))
    expect(await said(answer)).toEqual(['Hi.'])
    expect(await said({ type: 'text_delta', delta: 'Hi.' }, answer)).toEqual(['Hi.'])
    const restart = { type: 'turn_restarted', attempt: 2, error: { name: 'E', code: null, message: 'm' } }
    const shown = [
      { type: 'text_delta', delta: 'a' },
      { type: 'reasoning_delta', delta: 'a' },
      { type: 'partial_output', output: {} },
      { type: 'tool_input_delta', callId: 'a', toolName: 'buy', delta: '{' },
    ]
    for (const event of [...shown, undefined]) {
      const first = { type: 'source', source: { id: 'd' } }
      const found = await inside([first, ...(event ? [event] : []), restart])
      expect(found.some(({ type }) => type === 'data-turn-restarted')).toBe(event !== undefined)
    }
  })

  it('ends with what is behind the answer, and has no empty line', async () => {
    async function* all() {
      yield { taskId: 't', stepId: 's', type: 'step_start', input: null } as AgentEvent
      yield { taskId: 't', stepId: 's', type: 'text_delta', delta: 'a' } as AgentEvent
    }
    const linesOf = async (later: unknown[]) => {
      const found: string[] = []
      for await (const line of uiMessageLines(all(), { later: async () => later })) found.push(line)
      return found
    }
    const [none, some] = [await linesOf([]), await linesOf([{ id: 'm' }])]
    const later = 'data: {"type":"data-chat-later","data":[{"id":"m"}],"transient":true}\n\n'
    expect(some).toEqual([...none.slice(0, -1), later, none.at(-1)])
    expect([none.includes(''), none.length]).toEqual([false, 4])
  })

  it('has the calls of an agent behind a tool in one step, with those that the agent makes', async () => {
    const made = (callId: string) => ({ type: 'tool_call', callId, toolName: 'buy', arguments: {} })
    const found = await inside(['c', 'c/1', 'c/2', 'd', 'd/1/2'].map(made))
    const ids = found.map((chunk) => ('toolCallId' in chunk ? chunk.toolCallId : chunk.type))
    expect(ids).toEqual(['c', end.type, begin.type, 'c/1', 'c/2', 'd', end.type, begin.type, 'd/1/2'])
  })

  it('starts a call again that the model has not written to its end, if its reply is repeated', async () => {
    const delta = (callId: string) => ({ type: 'tool_input_delta', callId, toolName: 'buy', delta: '{' })
    const restart = { type: 'turn_restarted', attempt: 2, error: { name: 'E', code: null, message: 'm' } }
    const made = { type: 'tool_call', callId: 'b', toolName: 'buy', arguments: {} }
    const found = await inside([delta('a'), delta('b'), made, restart, restart, delta('a'), delta('b')])
    const facts = found.map((chunk) => ('toolCallId' in chunk ? `${chunk.type} ${chunk.toolCallId}` : chunk.type))
    const [start, piece] = ['tool-input-start', 'tool-input-delta']
    expect(facts).toEqual([
      ...[`${start} a`, `${piece} a`, `${start} b`, `${piece} b`, 'tool-input-available b', 'data-turn-restarted'],
      ...[`${start} a`, `${piece} a`, `${piece} b`],
    ])
  })

  it('says how an answer ended that failed or was stopped, and what it has used until it was stopped', async () => {
    const usage = { modelCalls: 1 }
    const ended = async (code: string, first: object[] = [{ type: 'text_delta', delta: 'a' }]) => {
      const found: UIChunk[] = []
      async function* all() {
        for (const event of [...first, { type: 'error', error: { code, message: 'm', name: 'E' }, usage }])
          yield { taskId: 't', stepId: 's', ...event } as AgentEvent
      }
      for await (const chunk of uiMessageChunks(all(), { onError: () => 'No.' })) found.push(chunk)
      return found.slice(first.length === 0 ? 0 : -2)
    }
    const says = (messageMetadata: object) => ({
      type: 'message-metadata',
      messageMetadata: { taskId: 't', ...messageMetadata },
    })
    expect(await ended('abort')).toEqual([says({ state: 'stopped', usage }), { type: 'abort' }])
    expect(await ended('model_call')).toEqual([says({ state: 'failed' }), { type: 'error', errorText: 'No.' }])
    expect(await ended('model_call', [])).toEqual([{ type: 'error', errorText: 'No.' }])
  })

  it('ends with an error that hides its message, unless onError returns it', async () => {
    const failing = () => clerk([new Error('my secret')]).runEvents('Hi')
    const chunks = await collect(failing())
    expect(chunks.at(-1)).toEqual({ type: 'error', errorText: 'The agent failed (unknown error).' })
    const shown = await collect(failing(), { onError: ({ message }: { message: string }) => message })
    expect(shown.at(-1)).toEqual({ type: 'error', errorText: 'my secret' })
    const broken = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('no event')) }) }
    expect(await collect(broken)).toEqual([{ type: 'error', errorText: 'The agent failed (unknown error).' }])
  })

  it('sends a stream that ai 7 and ai 6 read', async () => {
    const agent = () => clerk([callTurn('Let me see.'), 'Bought.']).runEvents('Buy a pear.')
    const parts = [
      { type: 'step-start' },
      { type: 'text', text: 'Let me see.' },
      { type: 'dynamic-tool', toolName: 'buy', state: 'output-available', output: { bought: 'pear' } },
      { type: 'step-start' },
      { type: 'text', text: 'Bought.' },
    ]
    let last: UIMessage | undefined
    const stream: ReadableStream<UIMessageChunk> = uiMessageStream(agent())
    for await (const message of readUIMessageStream({ stream })) last = message
    expect(last?.parts).toMatchObject(parts)
    const old: ReadableStream<ChunkV6> = uiMessageStream(agent())
    let lastV6: unknown
    for await (const message of readV6({ stream: old })) lastV6 = message
    expect(lastV6).toMatchObject({ parts })
  })

  it.each([
    ['stream', uiMessageStream],
    ['response', (events: AsyncIterable<AgentEvent>) => uiMessageResponse(events).body!],
    ['response to messages of a chat', (events: AsyncIterable<AgentEvent>) => uiMessageResponse(events).body!],
  ] as const)('cancels the run when the reader of the %s leaves', async (name, bodyOf) => {
    const llm = new ScriptedLLM({ answers: [[new Promise(() => {})]], metadata })
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [] })
    const messages = [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] } as const]
    const events =
      name === 'response to messages of a chat'
        ? runUIMessages(agent, messages, { mayContinue: false })
        : agent.runEvents('Hi')
    const reader = bodyOf(events).getReader()
    // A page shows nothing before the first part of the answer.
    void reader.read()
    await expect.poll(() => llm.signals[0]?.aborted).toBe(false)
    await reader.cancel()
    await expect.poll(() => llm.signals[0]?.aborted).toBe(true)
  })
})

it.each(clients)('$name reads results of tools with properties that it refuses', async (client) => {
  const json = '{"a":[{"__proto__":{"x":1},"constructor":{"prototype":1}},{"constructor":null},{"constructor":"me"}]}'
  const agent = clerk([callTurn(null), 'Bought.'], { fn: () => JSON.parse(json) })
  const chat = clientOf(client, () => async () => uiMessageResponse(agent.runEvents('Buy a pear.')))
  await chat.sendMessage({ text: 'Buy a pear.' })
  expect(chat.error).toBeUndefined()
  const { output } = toolsOf(chat)[0]
  expect(JSON.stringify(output)).toBe('{"a":[{},{},{"constructor":"me"}]}')
})

const noEvents = async function* (): AsyncGenerator<AgentEvent> {}

it.each<[string, () => unknown]>([
  [
    'uiMessageChunks.onErorr: unknown option; did you mean onError?',
    () => uiMessageChunks(noEvents(), { onErorr: String } as never),
  ],
  ['uiMessageChunks.tools: expected an array', () => uiMessageStream(noEvents(), { tools: {} as never })],
  [
    'uiMessageResponse.typed: unknown option; did you mean typedTools?',
    () => uiMessageResponse(noEvents(), { typed: true } as never),
  ],
  [
    'loadUIMessages.stream: unknown option; did you mean streams?',
    () => loadUIMessages(new SimpleChatStore(), 'ann', 'c', { stream: 1 } as never),
  ],
  [
    'toAiSdkModel.specificationVersion: expected "v3" or "v4"',
    () => toAiSdkModel(new ScriptedLLM({ answers: [] }), { specificationVersion: 'v2' as never }),
  ],
  [
    'toAiSdkEmbeddingModel.providr: unknown option; did you mean provider?',
    () => toAiSdkEmbeddingModel(new TableEmbedding({ texts: {} }), { providr: 'x' } as never),
  ],
  [
    'toAiSdkRerankingModel.providr: unknown option; did you mean provider?',
    () => toAiSdkRerankingModel({ predict: async () => [] }, { providr: 'x' } as never),
  ],
])('options are refused: %s', async (message, call) => {
  await expect(async () => call()).rejects.toMatchObject({
    code: 'model_validation',
    message: expect.stringContaining(message),
  })
})

it('joins pieces of one type into a block, and ends it when the other type begins', () => {
  const blocks = new TextBlocks()
  const pieces = (['reasoning', 'reasoning', 'text', 'reasoning'] as const).map((type, i) => blocks.add(type, `${i}`))
  expect(pieces).toEqual([
    [
      { type: 'reasoning-start', id: 'reasoning-0' },
      { type: 'reasoning-delta', id: 'reasoning-0', delta: '0' },
    ],
    [{ type: 'reasoning-delta', id: 'reasoning-0', delta: '1' }],
    [
      { type: 'reasoning-end', id: 'reasoning-0' },
      { type: 'text-start', id: 'text-1' },
      { type: 'text-delta', id: 'text-1', delta: '2' },
    ],
    [
      { type: 'text-end', id: 'text-1' },
      { type: 'reasoning-start', id: 'reasoning-2' },
      { type: 'reasoning-delta', id: 'reasoning-2', delta: '3' },
    ],
  ])
  expect(blocks.end()).toEqual([{ type: 'reasoning-end', id: 'reasoning-2' }])
  expect(blocks.end()).toEqual([])
})
