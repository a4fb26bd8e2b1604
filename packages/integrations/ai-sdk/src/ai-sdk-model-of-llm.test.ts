import { type CallOptions, ChatMessage, ChatResponse, LLMMetadata, messageParts } from '@x/core-model'
import { ModelCallError } from '@x/llm'
import { ScriptedLLM, TableEmbedding } from '@x/llm/testing'
import { embedMany, generateText, jsonSchema, Output, stepCountIs, streamText, tool } from 'ai'
import { generateText as generateTextV6, streamText as streamTextV6 } from 'ai-v6'
import { describe, expect, it } from 'vitest'
import { AiSdkLLM } from './ai-sdk-llm.ts'
import { toAiSdkEmbeddingModel, toAiSdkModel } from './ai-sdk-model-of-llm.ts'

const call = { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1,"b":2}' } }
const callTurn = (content: string | null = null) =>
  new ChatMessage({
    role: 'assistant',
    content,
    additionalKwargs: {
      tool_calls: [call],
      reasoning: [{ type: 'reasoning', text: 'Hm.', provider_metadata: { anthropic: { signature: 'sig' } } }],
    },
  })
const schema = {
  type: 'object' as const,
  properties: { a: { type: 'number' as const }, b: { type: 'number' as const } },
}
const add = tool({
  description: 'Adds.',
  inputSchema: jsonSchema<{ a: number; b: number }>(schema),
  execute: ({ a, b }) => a + b,
})

/** A model that reports usage and finish reason. */
class Reporting extends ScriptedLLM {
  protected override async chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse> {
    return this.finished(await super.chatRequest(messages, options))
  }

  protected override async *streamChatRequest(messages: readonly ChatMessage[], options: CallOptions) {
    for await (const piece of super.streamChatRequest(messages, options)) yield this.finished(piece)
  }

  private finished({ message, delta }: ChatResponse): ChatResponse {
    const usage = { input_tokens: 9, output_tokens: 4, cached_input_tokens: 3, reasoning_tokens: 1, total_tokens: 13 }
    return new ChatResponse({ message, delta, additionalKwargs: { finish_reason: 'stop', usage } })
  }
}

/** A model that streams deltas for `deltasOf`. */
class Piecewise extends ScriptedLLM {
  protected override async *streamChatRequest(): AsyncGenerator<ChatResponse, void, undefined> {
    const response = (content: string, delta: string, data: object, kwargs: object = {}) =>
      new ChatResponse({
        message: new ChatMessage({ role: 'assistant', content, additionalKwargs: { ...kwargs } }),
        delta,
        additionalKwargs: { ...data },
      })
    yield response('', '', { reasoning_delta: 'Hm.' })
    yield response('Let me.', 'Let me.', {})
    yield response('Let me.', '', { tool_call_deltas: [{ index: 0, id: 'c1', name: 'add', arguments: '{"a":1' }] })
    yield response('Let me.', '', { tool_call_deltas: [{ index: 0, id: null, name: null, arguments: ',"b":2}' }] })
    yield response('Let me.', '', { finish_reason: 'tool_calls' }, { tool_calls: [call] })
  }
}

describe('toAiSdkModel', () => {
  it('answers with usage and finish reason', async () => {
    const result = await generateText({
      model: toAiSdkModel(new Reporting({ answers: ['Paris'] })),
      prompt: 'Capital?',
    })
    expect(result.text).toBe('Paris')
    expect(result.finishReason).toBe('stop')
    expect(result.usage).toMatchObject({ inputTokens: 9, outputTokens: 4, totalTokens: 13 })
  })

  it('calls tools over several steps, and sends outputs and reasoning back', async () => {
    const llm = new ScriptedLLM({ answers: [callTurn('Let me see.'), 'It is 3.'] })
    const result = await generateText({
      model: toAiSdkModel(llm),
      system: 'Be short.',
      prompt: 'How much is 1 + 2?',
      tools: { add },
      stopWhen: stepCountIs(3),
    })
    expect(result.text).toBe('It is 3.')
    expect(result.steps).toHaveLength(2)
    expect(llm.calls[0]!.options).toMatchObject({
      tools: [{ type: 'function', function: { name: 'add', description: 'Adds.', parameters: schema } }],
      toolChoice: 'auto',
    })
    expect(llm.calls[1]!.messages).toMatchObject([
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'How much is 1 + 2?' },
      {
        role: 'assistant',
        content: 'Let me see.',
        additional_kwargs: { tool_calls: [{ id: 'c1', function: { name: 'add' } }] },
        parts: [
          { type: 'reasoning', text: 'Hm.', provider_metadata: { anthropic: { signature: 'sig' } } },
          { type: 'text', text: 'Let me see.' },
          { type: 'tool_call' },
        ],
      },
      { role: 'tool', content: '3', additional_kwargs: { tool_call_id: 'c1', name: 'add' } },
    ])
  })

  it('keeps the order of the parts of a prompt, and the provider options of each', async () => {
    const llm = new ScriptedLLM({ wire: false, answers: ['Done.'] })
    const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } }
    const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: {} }
    await toAiSdkModel(llm).doGenerate({
      prompt: [
        { role: 'user', content: [{ type: 'text', text: 'A long document.', providerOptions: cached }] },
        { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, call, { type: 'reasoning', text: 'Hm.' }] },
      ],
    })
    const messages = llm.calls[0]!.messages!.map((message) => messageParts(ChatMessage.fromDict(message)))
    expect(messages).toEqual([
      [{ type: 'text', text: 'A long document.', provider_metadata: cached }],
      [
        { type: 'text', text: 'I look.' },
        { type: 'tool_call', id: 'c1', name: 'look', arguments: '{}' },
        { type: 'reasoning', text: 'Hm.' },
      ],
    ])
  })

  it('streams reasoning, text and the inputs of tools in blocks', async () => {
    const { stream } = await toAiSdkModel(new Piecewise()).doStream({ prompt: [] })
    const parts: unknown[] = []
    for await (const part of stream as unknown as AsyncIterable<{ type: string }>) parts.push(part)
    expect(parts).toMatchObject([
      { type: 'stream-start' },
      { type: 'reasoning-start', id: 'reasoning-0' },
      { type: 'reasoning-delta', id: 'reasoning-0', delta: 'Hm.' },
      { type: 'reasoning-end', id: 'reasoning-0' },
      { type: 'text-start', id: 'text-1' },
      { type: 'text-delta', delta: 'Let me.' },
      { type: 'text-end', id: 'text-1' },
      { type: 'tool-input-start', id: 'c1', toolName: 'add' },
      { type: 'tool-input-delta', delta: '{"a":1' },
      { type: 'tool-input-delta', delta: ',"b":2}' },
      { type: 'tool-input-end', id: 'c1' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'add', input: '{"a":1,"b":2}' },
      { type: 'finish', finishReason: { unified: 'tool-calls' } },
    ])
    const result = streamText({ model: toAiSdkModel(new Piecewise()), prompt: 'q', tools: { add } })
    expect(await result.toolResults).toMatchObject([{ toolName: 'add', output: 3 }])
  })

  it('works with ai 6', async () => {
    const options = { specificationVersion: 'v3' } as const
    const model = toAiSdkModel(new ScriptedLLM({ answers: ['Paris', ['Ro', 'me']] }), options)
    expect((await generateTextV6({ model, prompt: 'q' })).text).toBe('Paris')
    expect(await streamTextV6({ model, prompt: 'q' }).text).toBe('Rome')
  })

  it('answers as JSON with a schema', async () => {
    const llm = new ScriptedLLM({ answers: ['{"city":"Paris"}'] })
    const output = Output.object({ schema: jsonSchema<{ city: string }>({ type: 'object', properties: {} }) })
    const result = await generateText({ model: toAiSdkModel(llm), prompt: 'q', output })
    expect(result.output).toEqual({ city: 'Paris' })
    expect(llm.calls[0]!.options).toMatchObject({ responseFormat: { type: 'json', schema: { type: 'object' } } })
  })

  it('passes options on, and returns warnings for options without a counterpart', async () => {
    const llm = new ScriptedLLM({ answers: ['ok'] })
    const providerOptions = { openai: { user: 'u' } }
    const result = await generateText({
      model: toAiSdkModel(llm, { provider: 'mine' }),
      prompt: 'q',
      temperature: 0.5,
      maxOutputTokens: 9,
      stopSequences: ['END'],
      topK: 3,
      topP: 0.5,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
      seed: 1,
      headers: { a: 'b' },
      providerOptions,
    })
    const sampling = { temperature: 0.5, topP: 0.5, presencePenalty: 0.1, frequencyPenalty: 0.2, seed: 1 }
    const expected = { ...sampling, maxTokens: 9, stop: ['END'], providerOptions }
    expect(llm.calls[0]!.options).toMatchObject(expected)
    expect(result.warnings).toMatchObject([{ type: 'unsupported', feature: 'topK' }])
  })

  it('converts files, tool choices, outputs of every form and provider tools', async () => {
    const llm = new ScriptedLLM({ answers: ['ok'], wire: false })
    const output = (value: object) => ({ type: 'tool-result', toolCallId: 'c', toolName: 't', output: value as never })
    const file = (data: unknown, mediaType = 'application/pdf', filename?: string) => ({
      type: 'file',
      data,
      mediaType,
      ...(filename && { filename }),
    })
    await toAiSdkModel(llm).doGenerate({
      prompt: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look:' },
            file({ type: 'data', data: 'AA==' }, 'image/png'),
            file({ type: 'url', url: new URL('https://a.example/b.pdf') }),
            file(new Uint8Array([0]), 'text/csv', 'a.csv'),
            file({ type: 'text', text: 'a b' }, 'text/plain'),
          ],
          providerOptions: { openai: {} },
        },
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 't', input: { a: 1 } }] },
        {
          role: 'tool',
          content: [
            output({ type: 'text', value: 'a' }),
            output({ type: 'json', value: { b: 1 } }),
            output({ type: 'error-text', value: 'c' }),
            output({ type: 'error-json', value: 4 }),
            output({ type: 'execution-denied' }),
            output({ type: 'content', value: [{ type: 'text', text: 'e' }] }),
            { type: 'tool-approval-response' },
          ],
        },
      ],
      tools: [
        { type: 'function', name: 't', inputSchema: { type: 'object' }, strict: true },
        { type: 'provider', name: 'search' },
      ],
      toolChoice: { type: 'tool', toolName: 't' },
    })
    const [{ messages, options }] = llm.calls as [(typeof llm.calls)[number]]
    expect(messages!.map(({ content }) => content)).toEqual([
      [
        { type: 'text', text: 'Look:' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
        { type: 'file', file: { url: 'https://a.example/b.pdf', media_type: 'application/pdf' } },
        { type: 'file', file: { url: 'data:text/csv;base64,AA==', media_type: 'text/csv', filename: 'a.csv' } },
        { type: 'file', file: { url: 'data:text/plain,a%20b', media_type: 'text/plain' } },
      ],
      null,
      'a',
      '{"b":1}',
      'Error: c',
      'Error: 4',
      'Error: The call was not allowed.',
      'e',
    ])
    expect(options).toMatchObject({
      toolChoice: { type: 'function', function: { name: 't' } },
      tools: [{ function: { name: 't', strict: true } }],
    })
    const odd = { role: 'user' as const, content: [file({ type: 'reference' })] }
    await expect(toAiSdkModel(llm).doGenerate({ prompt: [odd] })).rejects.toThrow('reference')
  })

  it('marks only retryable errors as repeatable by the AI SDK', async () => {
    const busy = new ModelCallError('busy', { kind: 'overloaded', status: 503, retryAfterMs: 1 })
    const llm = new ScriptedLLM({ answers: [busy, 'Paris'] })
    expect((await generateText({ model: toAiSdkModel(llm), prompt: 'q' })).text).toBe('Paris')
    const wrong = new ModelCallError('wrong key', { kind: 'auth', status: 401 })
    const model = toAiSdkModel(new ScriptedLLM({ answers: [wrong] }))
    await expect(generateText({ model, prompt: 'q' })).rejects.toMatchObject({ cause: wrong, statusCode: 401 })
  })

  it('reports an error in mid stream, and stops the model when the reader leaves', async () => {
    const error = new Error('cut')
    const { stream } = await toAiSdkModel(new ScriptedLLM({ answers: [['a', error]] })).doStream({ prompt: [] })
    const types: string[] = []
    for await (const part of stream as unknown as AsyncIterable<{ type: string }>) types.push(part.type)
    expect(types).toEqual(['stream-start', 'text-start', 'text-delta', 'error'])
    let stopped = false
    const endless = {
      metadata: new LLMMetadata({ modelName: 'm' }),
      streamChat: async function* () {
        try {
          for (;;) yield new ChatResponse({ message: new ChatMessage({ role: 'assistant', content: 'a' }), delta: 'a' })
        } finally {
          stopped = true
        }
      },
    }
    const left = await toAiSdkModel(endless as never).doStream({ prompt: [] })
    await left.stream.cancel()
    expect(stopped).toBe(true)
  })

  it('stops a silent model when the reader leaves', async () => {
    const llm = new ScriptedLLM({ answers: [['a', new Promise(() => {})]] })
    const { stream } = await toAiSdkModel(llm).doStream({ prompt: [] })
    const reader = stream.getReader()
    for (let i = 0; i < 3; i++) await reader.read()
    await reader.cancel()
    expect(llm.signals[0]?.aborted).toBe(true)
  })

  it('comes back unchanged as a model of @x', async () => {
    const llm = new AiSdkLLM({ model: toAiSdkModel(new Reporting({ answers: [callTurn('Let me see.')] })) })
    const { message } = await llm.chat([new ChatMessage({ content: 'q' })])
    expect(message.toDict()).toMatchObject(callTurn('Let me see.').toDict())
  })
})

describe('toAiSdkEmbeddingModel', () => {
  it('embeds', async () => {
    const model = toAiSdkEmbeddingModel(new TableEmbedding({ texts: { pear: [1, 0], wine: [0, 1] } }))
    expect((await embedMany({ model, values: ['pear', 'wine'] })).embeddings).toEqual([
      [1, 0],
      [0, 1],
    ])
  })
})
