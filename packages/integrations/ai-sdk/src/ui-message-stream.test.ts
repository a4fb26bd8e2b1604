import { type AgentEvent, FunctionCallingAgent, FunctionTool } from '@x/agents'
import { type CallOptions, ChatMessage, LLMMetadata } from '@x/core-model'
import { type ScriptedAnswer, ScriptedLLM } from '@x/core-model/testing'
import {
  AbstractChat,
  type ChatInit,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  readUIMessageStream,
  type UIMessage,
  type UIMessageChunk,
} from 'ai'
import { type UIMessageChunk as ChunkV6, readUIMessageStream as readV6 } from 'ai-v6'
import { describe, expect, it } from 'vitest'
import { runUIMessages } from './run-ui-messages.ts'
import { type UIChunk, uiMessageChunks, uiMessageResponse, uiMessageStream } from './ui-message-stream.ts'

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

/** A chat as `useChat` keeps it, without a user interface, whose server is a function. */
class Chat extends AbstractChat<UIMessage> {
  constructor(answer: (messages: UIMessage[]) => Response | Promise<Response>, init: ChatInit<UIMessage> = {}) {
    const messages: UIMessage[] = []
    const fetch = async (_: unknown, request?: RequestInit) => answer(JSON.parse(String(request?.body)).messages)
    super({
      ...init,
      transport: new DefaultChatTransport({ api: 'https://chat.example', fetch: fetch as typeof globalThis.fetch }),
      state: {
        status: 'ready',
        error: undefined,
        messages,
        pushMessage: (message) => messages.push(message),
        popMessage: () => messages.pop(),
        replaceMessage: (index, message) => {
          messages[index] = message
        },
        snapshot: structuredClone,
      },
    })
  }
}

describe('uiMessageChunks', () => {
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
      { type: 'text-delta', delta: 'It is ' },
      { type: 'text-delta', delta: 'bought.' },
      { type: 'text-end' },
      { type: 'finish-step' },
      { type: 'finish', messageMetadata: { taskId } },
    ])
  })

  it('shows the whole answer of a run that does not stream', async () => {
    const chunks = await collect(clerk(['Done.']).runEvents('Hi', { stream: false }))
    expect(chunks.filter(({ type }) => type === 'text-delta')).toMatchObject([{ delta: 'Done.' }])
  })

  it('shows failures of tools, and arguments that are not an object', async () => {
    const failing = clerk([callTurn(null), 'Sorry.'], { fn: () => Promise.reject(new Error('closed')) })
    expect(await collect(failing.runEvents('Buy.'))).toContainEqual(
      expect.objectContaining({ type: 'tool-output-error', errorText: expect.stringContaining('closed') }),
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

  it('ends with an error that hides its message, unless onError returns it', async () => {
    const failing = () => clerk([new Error('my secret')]).runEvents('Hi')
    const chunks = await collect(failing())
    expect(chunks.at(-1)).toEqual({ type: 'error', errorText: 'The agent failed (unknown error).' })
    const shown = await collect(failing(), { onError: ({ message }: { message: string }) => message })
    expect(shown.at(-1)).toEqual({ type: 'error', errorText: 'my secret' })
    const broken = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('no event')) }) }
    await expect(collect(broken)).rejects.toThrow('no event')
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

  it('cancels the run when the reader leaves', async () => {
    let signal: AbortSignal | undefined
    class Watched extends ScriptedLLM {
      protected override streamChatRequest(messages: readonly ChatMessage[], options: CallOptions) {
        signal = options.signal
        return super.streamChatRequest(messages, options)
      }
    }
    const llm = new Watched({ answers: [['a', new Promise(() => {})]], metadata })
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [] })
    const reader = uiMessageStream(agent.runEvents('Hi')).getReader()
    while ((await reader.read()).value?.type !== 'text-delta');
    await reader.cancel()
    expect(signal?.aborted).toBe(true)
  })
})

describe('useChat', () => {
  it('answers a chat over HTTP, with tools', async () => {
    const agent = clerk([callTurn('Let me see.'), ['Bou', 'ght.']])
    const chat = new Chat((messages) => {
      const response = uiMessageResponse(runUIMessages(agent, messages))
      expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
      return response
    })
    await chat.sendMessage({ text: 'Buy a pear.' })
    expect(chat.error).toBeUndefined()
    expect(chat.messages.at(-1)).toMatchObject({
      role: 'assistant',
      metadata: { taskId: expect.any(String), usage: expect.anything() },
      parts: [{ type: 'step-start' }, { text: 'Let me see.' }, { state: 'output-available' }, {}, { text: 'Bought.' }],
    })
  })

  it('passes the files of the user to the model', async () => {
    const llm = new ScriptedLLM({ answers: ['A cat.', 'Yes.'], metadata })
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [] })
    const chat = new Chat((messages) => uiMessageResponse(runUIMessages(agent, messages)))
    const png = 'data:image/png;base64,AAAA'
    const files = [
      { type: 'file' as const, mediaType: 'image/png', filename: 'cat.png', url: png },
      { type: 'file' as const, mediaType: 'text/csv', filename: 'cats.csv', url: 'data:text/csv;base64,AAAA' },
    ]
    await chat.sendMessage({ text: 'What is it?', files })
    expect(chat.error).toBeUndefined()
    expect(chat.messages.at(-1)?.parts.at(-1)).toMatchObject({ text: 'A cat.' })
    expect(llm.calls[0]?.messages?.at(-1)?.['content']).toEqual([
      { type: 'image_url', image_url: { url: png } },
      { type: 'file', file: { url: 'data:text/csv;base64,AAAA', media_type: 'text/csv', filename: 'cats.csv' } },
      { type: 'text', text: 'What is it?' },
    ])
    await chat.sendMessage({ text: 'Really?' })
    expect(llm.calls[1]?.messages?.at(-1)?.['content']).toBe('Really?')
  })

  it.each([
    [true, { state: 'output-available', output: { bought: 'pear' } }],
    [false, { state: 'output-error', errorText: expect.stringContaining('too dear') }],
  ])('asks the user for approval, who decides %s', async (approved, expected) => {
    const agent = clerk([callTurn('Shall I?'), 'As you wish.'], { needsApproval: true })
    const chat = new Chat((messages) => uiMessageResponse(runUIMessages(agent, messages)), {
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    })
    await chat.sendMessage({ text: 'Buy a pear.' })
    const waiting = chat.messages.at(-1)!.parts.find(({ type }) => type === 'dynamic-tool')
    expect(waiting).toMatchObject({ state: 'approval-requested', input: { fruit: 'pear' }, approval: { id: 'c1' } })
    await chat.addToolApprovalResponse({ id: 'c1', approved, ...(!approved && { reason: 'too dear' }) })
    await expect.poll(() => chat.messages.at(-1)!.parts.at(-1)).toMatchObject({ type: 'text', text: 'As you wish.' })
    expect(chat.messages).toHaveLength(2)
    expect(chat.messages.at(-1)!.parts.find(({ type }) => type === 'dynamic-tool')).toMatchObject(expected)
  })
})

describe('runUIMessages', () => {
  const drain = async (events: AsyncIterable<unknown>) => {
    for await (const _ of events);
  }
  const decided = (taskId: unknown) => [
    {
      role: 'assistant',
      metadata: { taskId },
      parts: [{ type: 'dynamic-tool', toolCallId: 'c1', state: 'approval-responded', approval: { approved: true } }],
    },
  ]

  it('refuses files without an address', async () => {
    const parts = [{ type: 'file', mediaType: 'image/png' }]
    const run = drain(runUIMessages(clerk(['Never.']), [{ role: 'user', parts }]))
    await expect(run).rejects.toMatchObject({ code: 'model_validation' })
  })

  it('refuses messages that need no answer, and tasks that are not the user’s', async () => {
    const agent = clerk([callTurn(null), 'Bought.'], { needsApproval: true })
    const configuration = { code: 'configuration' }
    await expect(drain(runUIMessages(agent, []))).rejects.toMatchObject(configuration)
    await expect(drain(runUIMessages(agent, [{ role: 'assistant', parts: [] }]))).rejects.toMatchObject(configuration)
    const [{ messageMetadata }] = (await collect(agent.runEvents('Buy.'))) as [Extract<UIChunk, { type: 'start' }>]
    const messages = decided(messageMetadata.taskId)
    const mayContinue = async () => false
    await expect(drain(runUIMessages(agent, messages, { mayContinue }))).rejects.toMatchObject(configuration)
    await drain(runUIMessages(agent, messages))
    // Decisions count once: the task is done, and no model call is left.
    await drain(runUIMessages(agent, messages))
  })
})
