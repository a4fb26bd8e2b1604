import { BaseCallbackHandler } from '@langchain/core/callbacks/base'
import {
  AIMessage,
  type AIMessageChunk,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages'
import { StringOutputParser } from '@langchain/core/output_parsers'
import { FakeRetriever } from '@langchain/core/utils/testing'
import { FunctionTool } from '@x/agents'
import {
  type CallOptions,
  ChatMessage,
  ChatResponse,
  messageParts,
  NodeWithScore,
  TextNode,
  ToolOutput,
} from '@x/core-model'
import { ScriptedLLM, TableEmbedding } from '@x/llm/testing'
import { SimilarityPostprocessor } from '@x/postprocessors'
import { ChatPromptTemplate, PromptTemplate } from '@x/prompts'
import { Bm25Retriever } from '@x/retrieval'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  LangChainChatModelOfLLM,
  LangChainCompressorOf,
  LangChainEmbeddingsOfModel,
  LangChainRetrieverOf,
  toLangChainPrompt,
  toLangChainTool,
} from './for-langchain.ts'
import { documentOf, nodeOf } from './langchain-retrieval.ts'

const callOf = (name: string, args: object) =>
  new ChatMessage({
    role: 'assistant',
    content: null,
    additionalKwargs: {
      tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: JSON.stringify(args) } }],
    },
  })

/** A model whose answers contain usage and a finish reason. */
class Answering extends ScriptedLLM {
  protected override async chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse> {
    return this.finished(await super.chatRequest(messages, options))
  }

  protected override async *streamChatRequest(messages: readonly ChatMessage[], options: CallOptions) {
    for await (const piece of super.streamChatRequest(messages, options)) yield this.finished(piece)
  }

  private finished({ message, delta }: ChatResponse): ChatResponse {
    const usage = { input_tokens: 9, output_tokens: 4 }
    return new ChatResponse({ message, delta, additionalKwargs: { finish_reason: 'tool_calls', usage } })
  }
}

/** A model whose streams consist of the whole answer. */
class InOnePiece extends ScriptedLLM {
  protected override async *streamChatRequest(messages: readonly ChatMessage[], options: CallOptions) {
    const { message } = await super.chatRequest(messages, options)
    yield new ChatResponse({ message, delta: String(message.content) })
  }
}

const echo = (options: object = {}) =>
  FunctionTool.fromDefaults({
    name: 'echo',
    description: 'Repeats the text.',
    schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    fn: ({ text }) => text,
    ...options,
  })

describe('LangChainChatModelOfLLM for LangSmith', () => {
  const model = () => new LangChainChatModelOfLLM(new ScriptedLLM({ answers: ['Hi', 'Hi'] }))

  it('names provider, model and settings', () => {
    expect(model().getLsParams({ temperature: 0, maxTokens: 9, stop: ['x'] })).toEqual({
      ls_provider: 'LangChainChatModelOfLLM',
      ls_model_type: 'chat',
      ls_model_name: 'scripted',
      ls_temperature: 0,
      ls_max_tokens: 9,
      ls_stop: ['x'],
    })
  })

  it('names the model in every answer, whole and streamed', async () => {
    const one = model()
    const { response_metadata: whole } = await one.invoke('Q')
    let streamed = {}
    for await (const { response_metadata } of await one.stream('Q')) streamed = { ...streamed, ...response_metadata }
    expect([whole, streamed]).toMatchObject([{ model: 'scripted' }, { model: 'scripted' }])
  })

  it('passes settings of a call on', async () => {
    const llm = new ScriptedLLM({ answers: ['Hi'] })
    await new LangChainChatModelOfLLM(llm).invoke('Q', { temperature: 0.5, maxTokens: 9 })
    expect(llm.calls[0]!.options).toMatchObject({ temperature: 0.5, maxTokens: 9 })
  })

  it('describes structured output in traces', async () => {
    let options: unknown
    const handler = BaseCallbackHandler.fromMethods({
      handleChatModelStart: (_llm, _messages, _run, _parent, extra) => void (options = extra?.['options']),
    })
    const llm = new ScriptedLLM({ answers: [callOf('place', { city: 'Paris' })] })
    const schema = z.object({ city: z.string() })
    const structured = new LangChainChatModelOfLLM(llm).withStructuredOutput(schema, { name: 'place' })
    expect(await structured.invoke('Q', { callbacks: [handler] })).toEqual({ city: 'Paris' })
    expect(options).toMatchObject({
      ls_structured_output_format: { kwargs: { method: 'functionCalling' }, schema: { type: 'object' } },
    })
  })
})

describe('LangChainChatModelOfLLM', () => {
  it('answers in a chain, whole and in pieces', async () => {
    const llm = new ScriptedLLM({ answers: ['Paris', 'Rome'] })
    const chain = new LangChainChatModelOfLLM(llm).pipe(new StringOutputParser())
    expect(await chain.invoke('Capital of France?')).toBe('Paris')
    let text = ''
    for await (const piece of await chain.stream('Capital of Italy?')) text += piece
    expect(text).toBe('Rome')
  })

  it('sends messages of every role, with parts, calls and outputs', async () => {
    const llm = new ScriptedLLM({ answers: ['ok'] })
    const image = { type: 'image_url', image_url: { url: 'https://a.example/b.png' } }
    await new LangChainChatModelOfLLM(llm).invoke([
      new SystemMessage('Be short.'),
      new HumanMessage({ content: [{ type: 'text', text: 'Look:' }, image] }),
      new AIMessage({ content: 'Let me see.', tool_calls: [{ id: 'c', name: 'add', args: { a: 1 } }] }),
      new ToolMessage({ content: '3', tool_call_id: 'c', name: 'add' }),
    ])
    expect(llm.calls[0]!.messages).toMatchObject([
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: [{ type: 'text', text: 'Look:' }, image] },
      { role: 'assistant', additional_kwargs: { tool_calls: [{ id: 'c', function: { arguments: '{"a":1}' } }] } },
      { role: 'tool', content: '3', additional_kwargs: { tool_call_id: 'c', name: 'add' } },
    ])
  })

  it('binds tools and returns their calls, usage and finish reason', async () => {
    const llm = new Answering({ answers: [callOf('echo', { text: 'hi' })] })
    const model = new LangChainChatModelOfLLM(llm).bindTools([toLangChainTool(echo())], { tool_choice: 'any' })
    const answer = await model.invoke('Say hi.')
    expect(answer.tool_calls).toMatchObject([{ id: 'c1', name: 'echo', args: { text: 'hi' } }])
    expect(answer.usage_metadata).toMatchObject({ input_tokens: 9, output_tokens: 4, total_tokens: 13 })
    expect(answer.response_metadata).toMatchObject({ finish_reason: 'tool_calls' })
    expect(llm.calls[0]!.options).toMatchObject({
      toolChoice: 'required',
      tools: [{ function: { name: 'echo', parameters: { required: ['text'] } } }],
    })
  })

  it('streams tool calls, usage and finish reason', async () => {
    const llm = new Answering({ answers: [callOf('echo', { text: 'hi' })] })
    let whole: AIMessageChunk | undefined
    for await (const piece of await new LangChainChatModelOfLLM(llm).stream('Say hi.'))
      whole = whole ? whole.concat(piece) : piece
    expect(whole).toMatchObject({
      response_metadata: { finish_reason: 'tool_calls' },
      usage_metadata: { total_tokens: 13 },
    })
    expect(whole!.tool_calls).toMatchObject([{ id: 'c1', name: 'echo', args: { text: 'hi' } }])
  })

  it.each([false, true])(
    'keeps the order of an answer and the data of its provider: streamed %s',
    async (isStreamed) => {
      const signed = { provider_metadata: { p: { signature: 's' } } }
      const call = { id: 'c1', type: 'function', function: { name: 'echo', arguments: '{}' }, ...signed }
      const answer = new ChatMessage({
        role: 'assistant',
        content: 'Let me see.',
        additionalKwargs: { tool_calls: [call] },
        parts: [
          { type: 'text', text: 'Let me see.' },
          { type: 'reasoning', text: 'Hm.', ...signed },
          { type: 'tool_call' },
        ],
      })
      const llm = new InOnePiece({ wire: false, answers: [answer, 'Done.'] })
      const model = new LangChainChatModelOfLLM(llm)
      let whole = isStreamed ? undefined : await model.invoke('Q')
      if (isStreamed) for await (const piece of await model.stream('Q')) whole = whole ? whole.concat(piece) : piece
      await model.invoke([new HumanMessage('Q'), whole!])
      expect(messageParts(ChatMessage.fromDict(llm.calls[1]!.messages![1]!))).toEqual(messageParts(answer))
    },
  )

  it('takes an answer whose text was changed, without the parts that say the old one', async () => {
    const reasoning = { type: 'reasoning' as const, text: 'Hm.', provider_metadata: { p: { signature: 's' } } }
    const answer = new ChatMessage({ role: 'assistant', parts: [reasoning, { type: 'text', text: 'Ann: 5 EUR' }] })
    const llm = new ScriptedLLM({ answers: [answer, 'Done.'] })
    const model = new LangChainChatModelOfLLM(llm)
    const given = await model.invoke('Q')
    given.content = '[name]: 5 EUR'
    await model.invoke([new HumanMessage('Q'), given])
    expect(messageParts(ChatMessage.fromDict(llm.calls[1]!.messages![1]!))).toEqual([
      reasoning,
      { type: 'text', text: '[name]: 5 EUR' },
    ])
  })

  it('works with withStructuredOutput', async () => {
    const llm = new ScriptedLLM({ answers: [callOf('City', { city: 'Paris' })] })
    const structured = new LangChainChatModelOfLLM(llm).withStructuredOutput(z.object({ city: z.string() }), {
      name: 'City',
    })
    expect(await structured.invoke('Capital of France?')).toEqual({ city: 'Paris' })
  })

  it.each([
    [
      { type: 'image', data: 'AA==', mimeType: 'image/webp' },
      { type: 'image_url', image_url: { url: 'data:image/webp;base64,AA==' } },
    ],
    [
      { type: 'image_url', image_url: 'https://a.example/b.png' },
      { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
    ],
    [
      { type: 'file', source_type: 'url', url: 'https://a.example/c.pdf', metadata: { filename: 'c.pdf' } },
      {
        type: 'file',
        file: { url: 'https://a.example/c.pdf', media_type: 'application/octet-stream', filename: 'c.pdf' },
      },
    ],
  ])('sends a block %j', async (block, part) => {
    const llm = new ScriptedLLM({ answers: ['ok'] })
    await new LangChainChatModelOfLLM(llm).invoke([new HumanMessage({ content: [block as never] })])
    expect(llm.calls[0]!.messages).toMatchObject([{ role: 'user', content: [part] }])
  })

  it('drops blocks that repeat other fields, and refuses messages that are not for models', async () => {
    const llm = new ScriptedLLM({ answers: ['ok'] })
    const model = new LangChainChatModelOfLLM(llm)
    const content = [
      { type: 'reasoning', reasoning: 'Hm.' },
      { type: 'text', text: 'Three.' },
    ]
    await model.invoke([new AIMessage({ content: content as never })])
    expect(llm.calls[0]!.messages).toMatchObject([{ content: [{ type: 'text', text: 'Three.' }] }])
    await expect(model.invoke([new RemoveMessage({ id: 'a' })])).rejects.toMatchObject({ code: 'not_supported' })
    const empty = new HumanMessage({ content: [{ type: 'image', mimeType: 'image/png' } as never] })
    await expect(model.invoke([empty])).rejects.toMatchObject({ code: 'not_supported' })
  })

  it.each([
    ['auto', 'auto'],
    ['none', 'none'],
    ['echo', { type: 'function', function: { name: 'echo' } }],
    [
      { type: 'function', function: { name: 'echo' } },
      { type: 'function', function: { name: 'echo' } },
    ],
  ])('passes the tool choice %j', async (choice, expected) => {
    const llm = new ScriptedLLM({ answers: ['ok'] })
    const model = new LangChainChatModelOfLLM(llm)
    await model.bindTools([toLangChainTool(echo())], { tool_choice: choice }).invoke('Say hi.')
    expect(llm.calls[0]!.options).toMatchObject({ toolChoice: expected })
  })

  it('refuses content without a counterpart', async () => {
    const model = new LangChainChatModelOfLLM(new ScriptedLLM({ answers: ['ok'] }))
    const audio = new HumanMessage({ content: [{ type: 'audio', data: 'AA==', mimeType: 'audio/wav' }] })
    await expect(model.invoke([audio])).rejects.toMatchObject({ code: 'not_supported' })
  })
})

describe('toLangChainTool', () => {
  it('returns text, or a message with the artifact for a tool call', async () => {
    const shared = toLangChainTool(echo())
    expect(await shared.invoke({ text: 'hi' })).toBe('hi')
    const message = await shared.invoke({ type: 'tool_call', id: 'c', name: 'echo', args: { text: 'hi' } })
    expect(message).toMatchObject({ content: 'hi', artifact: 'hi', tool_call_id: 'c' })
  })

  it('throws an error with the text of a failed output, and errors of the tool', async () => {
    const failing = {
      metadata: echo().metadata,
      takesArguments: true as const,
      call: () =>
        new ToolOutput({ content: 'Error: dark', toolName: 'echo', rawInput: {}, rawOutput: null, isError: true }),
    }
    const call = { type: 'tool_call' as const, id: 'c', name: 'echo', args: { text: 'hi' } }
    await expect(toLangChainTool(failing).invoke(call)).rejects.toThrow('Error: dark')
    const throwing = toLangChainTool(echo({ fn: () => Promise.reject(new Error('closed')) }))
    await expect(throwing.invoke(call)).rejects.toThrow('closed')
  })

  it('refuses a tool that needs approval', () => {
    expect(() => toLangChainTool(echo({ needsApproval: true }))).toThrow(/needs approval/)
    expect(toLangChainTool(echo({ needsApproval: true }), { withoutApproval: true }).name).toBe('echo')
  })

  it('refuses an option that it does not have', () => {
    expect(() => toLangChainTool(echo(), { approval: true } as object)).toThrow(
      expect.objectContaining({ code: 'model_validation' }),
    )
  })
})

describe('prompts, embeddings, retrievers and compressors', () => {
  it('formats prompts to messages', async () => {
    const [text] = await toLangChainPrompt(new PromptTemplate({ template: 'About {topic}.' })).invoke({
      topic: 'pears',
    })
    expect(text!.text).toBe('About pears.')
    const chat = ChatPromptTemplate.fromMessages([
      ['system', 'Be short.'],
      ['user', '{q}'],
    ])
    const messages = await toLangChainPrompt(chat).invoke({ q: 'Why?' })
    expect(messages.map((message) => message.getType())).toEqual(['system', 'human'])
  })

  it('embeds', async () => {
    const table = new TableEmbedding({ texts: { pear: [1, 0] }, queries: { fruit: [0, 1] } })
    const embeddings = new LangChainEmbeddingsOfModel(table)
    expect(await embeddings.embedDocuments(['pear'])).toEqual([[1, 0]])
    expect(await embeddings.embedQuery('fruit')).toEqual([0, 1])
  })

  it('retrieves', async () => {
    const nodes = [
      new TextNode({ id: 'a', text: 'A pear tree.', metadata: { page: 3 } }),
      new TextNode({ text: 'Wine.' }),
    ]
    const [found] = await new LangChainRetrieverOf(new Bm25Retriever({ nodes })).invoke('pear')
    expect(found).toMatchObject({ id: 'a', pageContent: 'A pear tree.', metadata: { page: 3 } })
    expect(found!.metadata['relevanceScore']).toBeGreaterThan(0)
  })

  it('writes the numbers of metadata as they were read', () => {
    const node = TextNode.fromJson('{"metadata": {"price": 1.0}}')
    const document = documentOf(new NodeWithScore({ node, score: 0.5 }))
    expect(nodeOf(document).node.getContent('all')).toBe('price: 1.0')
  })

  it('compresses', async () => {
    const output = [0.9, 0.1].map((relevanceScore) => ({
      pageContent: `scored ${relevanceScore}`,
      metadata: { relevanceScore },
    }))
    const documents = await new FakeRetriever({ output }).invoke('q')
    const compressor = new LangChainCompressorOf(new SimilarityPostprocessor({ similarityCutoff: 0.5 }))
    expect(await compressor.compressDocuments(documents, 'q')).toMatchObject([{ pageContent: 'scored 0.9' }])
  })
})
