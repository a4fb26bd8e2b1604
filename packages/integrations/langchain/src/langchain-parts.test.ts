import { AIMessage, ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { FakeEmbeddings, FakeRetriever } from '@langchain/core/utils/testing'
import { OpenAIEmbeddings } from '@langchain/openai'
import { FunctionTool } from '@x/agents'
import { NodeWithScore, TextNode } from '@x/core-model'
import { PostprocessorPipeline } from '@x/postprocessors'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { json, LoopbackServer } from '../../../../tools/loopback-model-server.ts'
import { LangChainEmbedding } from './langchain-embedding.ts'
import { LangChainPostprocessor, LangChainRetriever } from './langchain-retrieval.ts'
import { langChainTool } from './langchain-tool.ts'

const never = new Promise<never>(() => {})
const reason = new Error('enough')

describe('LangChainEmbedding', () => {
  it('embeds queries and batches', async () => {
    const embedModel = new LangChainEmbedding({ model: new FakeEmbeddings() })
    expect(await embedModel.getQueryEmbedding('a')).toEqual([0.1, 0.2, 0.3, 0.4])
    expect(await embedModel.getTextEmbeddingBatch(['a', 'b'])).toHaveLength(2)
    expect(await embedModel.getTextEmbedding('a')).toHaveLength(4)
  })

  it('converts errors and reads the name of the model', async () => {
    const server = new LoopbackServer()
    const baseURL = await server.start()
    const model = new OpenAIEmbeddings({ model: 'small', apiKey: 'k', maxRetries: 0, configuration: { baseURL } })
    const embedModel = new LangChainEmbedding({ model })
    server.willAnswer(json({ error: { message: 'busy' } }, 503))
    expect(embedModel.modelName).toBe('small')
    await expect(embedModel.getTextEmbedding('a')).rejects.toMatchObject({ kind: 'overloaded', retryable: true })
    await server.stop()
  })

  it('rejects immediately when it is aborted', async () => {
    const model = { embedQuery: () => never, embedDocuments: () => never }
    const controller = new AbortController()
    const vector = new LangChainEmbedding({ model }).getTextEmbedding('a', { signal: controller.signal })
    controller.abort(reason)
    await expect(vector).rejects.toBe(reason)
  })
})

describe('langChainTool', () => {
  const schema = z.object({ a: z.number(), b: z.string().transform(Number) })

  it('passes the schema to the model, and lets the tool parse the arguments once', async () => {
    const add = langChainTool(tool(({ a, b }) => a + b, { name: 'add', description: 'Adds.', schema }))
    expect(add.metadata.getParametersDict()).toMatchObject({
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'string' } },
      required: ['a', 'b'],
    })
    expect(await add.call({ a: 1, b: '2' })).toMatchObject({ content: '3', isError: false })
  })

  it('refuses arguments that do not fit, and reports failures of the tool', async () => {
    const fails = langChainTool(
      tool(() => Promise.reject(new Error('closed')), { name: 'shop', description: 'Buys.', schema: z.object({}) }),
    )
    await expect(fails.call({})).rejects.toMatchObject({ code: 'tool_execution' })
    const add = langChainTool(tool(({ a }) => a, { name: 'add', description: 'Adds.', schema }))
    await expect(add.call({ a: 'x' })).rejects.toMatchObject({ code: 'tool_input' })
  })

  it('returns the text of content blocks and the artifact, and treats a message with status error as a failure', async () => {
    const message = (fields: object) => ({
      name: 'look',
      description: 'Looks.',
      schema: { type: 'object', properties: {} },
      invoke: async () => new ToolMessage({ content: '', tool_call_id: 'c', ...fields }),
    })
    const blocks = [
      { type: 'text', text: 'a pear' },
      { type: 'image_url', image_url: { url: 'https://a.example' } },
    ]
    expect((await langChainTool(message({ content: blocks })).call({})).content).toBe('a pear\n[image_url]')
    const failing = langChainTool(message({ content: 'dark', status: 'error' }))
    await expect(failing.call({})).rejects.toMatchObject({ code: 'tool_execution' })
    const found = langChainTool(message({ content: '2 pears', artifact: { ids: [1, 2] } }))
    expect(await found.call({})).toMatchObject({ toolName: 'look', content: '2 pears', rawOutput: { ids: [1, 2] } })
    const plain = langChainTool({ ...message({}), invoke: async () => ({ seen: 1 }) })
    expect((await plain.call({})).content).toBe('{"seen": 1}'.replace(': ', ':'))
  })

  it('passes on the id of the call, the signal, the approval and the time limit', async () => {
    const seen: unknown[] = []
    const spy = {
      name: 'look',
      description: 'Looks.',
      schema: { type: 'object', properties: {} },
      returnDirect: true,
      invoke: async (input: unknown, config?: object) => {
        seen.push(input, config)
        return new AIMessage('no tool message')
      },
    }
    const look = langChainTool(spy, { needsApproval: true, timeoutMs: 50 })
    expect(look).toBeInstanceOf(FunctionTool)
    expect(look).toMatchObject({ needsApproval: true, timeoutMs: 50, metadata: { returnDirect: true } })
    const { signal } = new AbortController()
    await look.call({}, { toolCallId: 'c7', signal })
    expect(seen[0]).toMatchObject({ type: 'tool_call', id: 'c7', name: 'look' })
    expect(seen[1]).toMatchObject({ signal })
  })
})

describe('LangChainRetriever', () => {
  it('returns documents as nodes', async () => {
    const output = [
      { id: 'a', pageContent: 'A pear.', metadata: { page: 3, relevanceScore: 0.5 } },
      { pageContent: 'A plum.', metadata: {} },
    ]
    const retriever = new LangChainRetriever({ retriever: new FakeRetriever({ output }) })
    const [first, second] = await retriever.retrieve('fruit')
    expect(first).toMatchObject({ score: 0.5, node: { id: 'a', text: 'A pear.', metadata: { page: 3 } } })
    expect(second).toMatchObject({ score: null, node: { text: 'A plum.' } })
  })

  it('refuses filters, metadata that is not JSON, and rejects when aborted', async () => {
    const output = [{ pageContent: 'A pear.', metadata: { day: new Date(0) } }]
    const retriever = new LangChainRetriever({ retriever: new FakeRetriever({ output }) })
    const filters = { filters: [{ key: 'page', value: 3 }] }
    await expect(retriever.retrieve('fruit', { filters })).rejects.toMatchObject({ code: 'not_supported' })
    await expect(retriever.retrieve('fruit')).rejects.toMatchObject({ code: 'model_validation' })
    const slow = new LangChainRetriever({ retriever: { invoke: () => never } })
    await expect(slow.retrieve('a', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})

describe('LangChainPostprocessor', () => {
  const nodes = ['one two', 'three'].map((text, index) => {
    const node = new TextNode({ id: `n${index}`, text, metadata: { index } })
    return new NodeWithScore({ node, score: 0.5 })
  })

  it('keeps the nodes, with order, scores and texts of the compressor', async () => {
    const compressor = {
      compressDocuments: async (documents: { pageContent: string; metadata: Record<string, unknown> }[]) => [
        { ...documents[1]!, metadata: { ...documents[1]!.metadata, relevanceScore: 0.9 } },
        { ...documents[0]!, pageContent: 'one' },
        { pageContent: 'a summary', metadata: {} },
      ],
    }
    const pipeline = new PostprocessorPipeline({ postprocessors: [new LangChainPostprocessor(compressor)] })
    const found = await pipeline.postprocessNodes(nodes, { queryStr: 'q' })
    expect(found.map(({ text, score }) => [text, score])).toEqual([
      ['three', 0.9],
      ['one', 0.5],
      ['a summary', null],
    ])
    expect(found[0]!.node).toBe(nodes[1]!.node)
    expect(found[1]!.node).toMatchObject({ id: 'n0', metadata: { index: 0 } })
    expect(nodes[0]!.text).toBe('one two')
  })

  it('needs a query, does not call the compressor without nodes, and rejects when aborted', async () => {
    const step = new LangChainPostprocessor({ compressDocuments: () => never })
    expect(step.needsQuery()).toBe(true)
    await expect(step.postprocessNodes(nodes)).rejects.toMatchObject({ code: 'missing_query' })
    expect(await step.postprocessNodes([], { queryStr: 'q' })).toEqual([])
    const signal = AbortSignal.abort(reason)
    await expect(step.postprocessNodes(nodes, { queryStr: 'q', signal })).rejects.toBe(reason)
  })
})
