import { CallbackManager } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { json, LoopbackServer } from '../../../../tools/loopback-model-server.ts'
import { OpenAIEmbedding } from './openai-embedding.ts'

let server: LoopbackServer
let baseUrl: string
beforeEach(async () => {
  server = new LoopbackServer()
  baseUrl = await server.start()
})
afterEach(() => server.stop())

const vectors = (...items: [index: number | undefined, embedding: unknown][]) =>
  json({ data: items.map(([index, embedding]) => ({ index, embedding })) })

describe('OpenAIEmbedding', () => {
  it('embeds in batches and keeps the order, even if the answer has a different order', async () => {
    server.willAnswer(vectors([1, [2]], [0, [1]]), vectors([undefined, [3]]))
    const embedding = new OpenAIEmbedding({ baseUrl, modelName: 'm', embedBatchSize: 2, dimensions: 1, apiKey: 'k' })
    expect(await embedding.getTextEmbeddingBatch(['a', 'b', 'c'])).toEqual([[1], [2], [3]])
    expect(server.requests.map(({ body }) => body)).toEqual([
      { model: 'm', input: ['a', 'b'], encoding_format: 'float', dimensions: 1 },
      { model: 'm', input: ['c'], encoding_format: 'float', dimensions: 1 },
    ])
    expect(server.requests[0]).toMatchObject({ url: '/v1/embeddings', headers: { authorization: 'Bearer k' } })
  })

  it('reports the tokens of its requests', async () => {
    const answer = (tokens: number) => json({ data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens: tokens } })
    server.willAnswer(answer(3), answer(4))
    const tokens: number[] = []
    const embedding = new OpenAIEmbedding({ baseUrl, modelName: 'm', embedBatchSize: 1 })
    await embedding.getTextEmbeddingBatch(['a', 'b'], { onUsage: (count) => tokens.push(count) })
    expect(tokens).toEqual([3, 4])
  })

  it('has the provider and the server in its events', async () => {
    server.willAnswer(vectors([0, [1]]))
    const handler = new RecordingCallbackHandler()
    const embedding = new OpenAIEmbedding({ baseUrl, modelName: 'm', callbackManager: new CallbackManager([handler]) })
    await embedding.getTextEmbedding('a')
    const endpoint = { address: '127.0.0.1', port: Number(new URL(baseUrl).port) }
    expect(handler.events[0]).toMatchObject({ payload: { serialized: { provider: '127.0.0.1', endpoint } } })
    const at = (url: string) => new OpenAIEmbedding({ baseUrl: url, modelName: 'm' })
    expect(at('https://me.openai.azure.com/openai/v1').provider).toBe('azure.ai.openai')
    expect(at('https://[::1]:443/v1').endpoint).toEqual({ address: '::1' })
  })

  it('embeds a query', async () => {
    server.willAnswer(vectors([0, [0.5, 1]]))
    expect(await new OpenAIEmbedding({ baseUrl, modelName: 'm' }).getQueryEmbedding('q')).toEqual([0.5, 1])
  })

  it.each([
    ['no list', { data: {} }],
    ['too few vectors', { data: [{ index: 0, embedding: [1] }] }],
    ['a vector that is a string', { data: [{ embedding: 'AAAA' }, { embedding: [1] }] }],
    [
      'an index out of range',
      {
        data: [
          { index: 5, embedding: [1] },
          { index: 1, embedding: [1] },
        ],
      },
    ],
    ['null in place of a vector', { data: [null, { embedding: [1] }] }],
  ])('reports %s as a bad response', async (_, body) => {
    server.willAnswer(json(body))
    const embedding = new OpenAIEmbedding({ baseUrl, modelName: 'm' })
    await expect(embedding.getTextEmbeddingBatch(['a', 'b'])).rejects.toMatchObject({ kind: 'bad_response' })
  })

  it('reports errors of the server and aborts', async () => {
    server.willAnswer(json({ error: { message: 'slow' } }, 429))
    const embedding = new OpenAIEmbedding({ baseUrl, modelName: 'm' })
    await expect(embedding.getTextEmbedding('a')).rejects.toMatchObject({ kind: 'rate_limit' })
    const reason = new Error('enough')
    await expect(embedding.getTextEmbedding('a', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})
