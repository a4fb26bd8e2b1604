import { NodeWithScore, TextNode } from '@x/core-model'
import { ExplanationLedger, SentenceTransformerRerank } from '@x/postprocessors'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, json, LoopbackServer } from '../../../../tools/loopback-model-server.ts'
import { type RerankForm, RerankService, type RerankServiceOptions } from './rerank-service.ts'

let server: LoopbackServer
let baseUrl: string
beforeEach(async () => {
  server = new LoopbackServer()
  baseUrl = (await server.start()).replace(/\/v1$/, '')
})
afterEach(() => server.stop())

const make = (options: Partial<RerankServiceOptions> = {}) =>
  new RerankService({
    service: 'cohere',
    modelName: 'm',
    apiKey: 'SECRET-KEY-1234',
    baseUrl,
    baseDelayMs: 0,
    ...options,
  })
const pairs = (query: string, ...texts: string[]) => texts.map((text) => [query, text] as const)
/** The relevance of a document is its length; the best is first in the answer. */
const ranked = (texts: readonly string[], name: string) =>
  [...texts.entries()]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([index, { length }]) => ({ index, [name]: length / 10 }))

/** The documented form of each service: path, names in the request, and answer. */
const services: Record<
  RerankForm,
  { path: string; documents: string; body: object; answer: (texts: string[]) => unknown }
> = {
  cohere: {
    path: '/rerank',
    documents: 'documents',
    body: { model: 'm', top_n: 3 },
    answer: (texts) => ({
      id: 'x',
      results: ranked(texts, 'relevance_score'),
      meta: { billed_units: { search_units: 1 } },
    }),
  },
  jina: {
    path: '/rerank',
    documents: 'documents',
    body: { model: 'm', top_n: 3, return_documents: false },
    answer: (texts) => ({ model: 'm', usage: { total_tokens: 3 }, results: ranked(texts, 'relevance_score') }),
  },
  voyage: {
    path: '/rerank',
    documents: 'documents',
    body: { model: 'm', top_k: 3 },
    answer: (texts) => ({
      object: 'list',
      data: ranked(texts, 'relevance_score'),
      model: 'm',
      usage: { total_tokens: 3 },
    }),
  },
  mixedbread: {
    path: '/reranking',
    documents: 'input',
    body: { model: 'm', top_k: 3 },
    answer: (texts) => ({
      model: 'm',
      object: 'list',
      data: ranked(texts, 'score').map((it) => ({ ...it, object: 'rank_result' })),
    }),
  },
  vllm: {
    path: '/rerank',
    documents: 'documents',
    body: { model: 'm', top_n: 3 },
    answer: (texts) => ({
      id: 'rerank-1',
      model: 'm',
      usage: { total_tokens: 3 },
      results: ranked(texts, 'relevance_score').map((it) => ({ ...it, document: { text: texts[it.index] } })),
    }),
  },
  tei: {
    path: '/rerank',
    documents: 'texts',
    body: { model: 'm', truncate: true },
    answer: (texts) => ranked(texts, 'score'),
  },
}
const all = Object.entries(services) as [RerankForm, (typeof services)[RerankForm]][]
const answering =
  ({ documents, answer }: (typeof services)[RerankForm]): Answer =>
  (response, request) =>
    json(answer(request.body[documents]))(response, request)

describe.each(all)('the form of %s', (service, form) => {
  it('is sent, and its scores are read by index', async () => {
    server.willAnswer(answering(form))
    expect(await make({ service }).predict(pairs('q', 'a', 'bbb', 'cc'))).toEqual([0.1, 0.3, 0.2])
    expect(server.requests[0]).toMatchObject({ url: form.path, headers: { authorization: 'Bearer SECRET-KEY-1234' } })
    expect(server.requests[0]!.body).toEqual({ ...form.body, query: 'q', [form.documents]: ['a', 'bbb', 'cc'] })
  })

  it('never shows the key in an error, whatever the server answers', async () => {
    for (const [body, status] of [
      [{ message: 'invalid key SECRET-KEY-1234' }, 401],
      [{ error: 'SECRET-KEY-1234', error_type: 'Validation' }, 422],
      [{ detail: [{ msg: 'Bearer SECRET-KEY-1234' }] }, 400],
      [['SECRET-KEY-1234'], 200],
      [{ results: 'SECRET-KEY-1234' }, 200],
      ['SECRET-KEY-1234', 200],
    ] as const) {
      server.willAnswer(json(body, status))
      const error = await make({ service, maxAttempts: 1 })
        .predict(pairs('q', 'a'))
        .catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: 'model_call' })
      expect(`${(error as Error).message} ${JSON.stringify(error)} ${(error as Error).stack}`).not.toContain('SECRET')
    }
  })
})

describe('RerankService', () => {
  it('sends batches, no blank documents, and each query by itself', async () => {
    const form = services.cohere
    server.willAnswer(...Array.from({ length: 4 }, () => answering(form)))
    const scores = await make({ batchSize: 2, concurrency: 1 }).predict([
      ...pairs('q', 'a', ' ', 'bb', 'ccc'),
      ...pairs('r', 'dddd'),
      ...pairs('q', 'eeeee', 'ffffff'),
    ])
    expect(scores).toEqual([0.1, 0, 0.2, 0.3, 0.4, 0.5, 0.6])
    expect(server.requests.map(({ body }) => [body.query, body.documents])).toEqual([
      ['q', ['a', 'bb']],
      ['q', ['ccc', 'eeeee']],
      ['q', ['ffffff']],
      ['r', ['dddd']],
    ])
    expect(await make().predict(pairs('q', ''))).toEqual([0])
  })

  it('repeats requests that fail for a moment, and no others', async () => {
    server.willAnswer(json({ message: 'busy' }, 503), answering(services.cohere))
    expect(await make().predict(pairs('q', 'a'))).toEqual([0.1])
    server.willAnswer(json({ message: 'no such model' }, 404))
    await expect(make().predict(pairs('q', 'a'))).rejects.toMatchObject({ code: 'model_call' })
    expect(server.requests).toHaveLength(3)
  })

  it.each([
    ['no results', {}],
    ['a missing document', { results: [{ index: 0, relevance_score: 1 }] }],
    [
      'an index out of range',
      {
        results: [
          { index: 0, relevance_score: 1 },
          { index: 2, relevance_score: 1 },
        ],
      },
    ],
    [
      'an index twice',
      {
        results: [
          { index: 0, relevance_score: 1 },
          { index: 0, relevance_score: 1 },
        ],
      },
    ],
    [
      'a score that is no number',
      {
        results: [
          { index: 0, relevance_score: '1' },
          { index: 1, relevance_score: 1 },
        ],
      },
    ],
    ['null', { results: [null] }],
  ])('reports %s as a bad answer', async (_, body) => {
    server.willAnswer(json(body))
    await expect(make().predict(pairs('q', 'a', 'b'))).rejects.toMatchObject({ kind: 'bad_response' })
  })

  it('stops when the signal aborts, and keeps the limit of an answer', async () => {
    const reason = new Error('enough')
    await expect(make().predict(pairs('q', 'a'), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    server.willAnswer(json({ results: [], more: 'x'.repeat(1000) }))
    await expect(make({ maxAnswerBytes: 100 }).predict(pairs('q', 'a'))).rejects.toThrow('maxAnswerBytes')
  })

  it('is the model of a postprocessor, which keeps the order of a service that fails on request', async () => {
    const nodes = ['a', 'bbb', 'cc'].map((text) => new NodeWithScore({ node: new TextNode({ text }), score: 0.9 }))
    server.willAnswer(answering(services.cohere), json({ message: 'SECRET-KEY-1234 is blocked' }, 403))
    const rerank = new SentenceTransformerRerank({ crossEncoder: make(), topN: 2, onError: 'keep' })
    const run = async (ledger?: ExplanationLedger) =>
      (await rerank.postprocessNodes(nodes, { queryStr: 'q', ledger })).map(({ text, score }) => [text, score])
    expect(await run()).toEqual([
      ['bbb', 0.3],
      ['cc', 0.2],
    ])
    const ledger = new ExplanationLedger()
    expect(await run(ledger)).toEqual([
      ['a', 0.9],
      ['bbb', 0.9],
    ])
    expect(JSON.stringify(nodes.map(({ id }) => ledger.of(id)))).toContain('the model failed')
    expect(JSON.stringify(nodes.map(({ id }) => ledger.of(id)))).not.toContain('SECRET')
  })

  it('ends a request that is not answered in time, and repeats it', async () => {
    server.willAnswer(() => {}, answering(services.cohere))
    expect(await make({ timeoutMs: 200 }).predict(pairs('q', 'a'))).toEqual([0.1])
    const one = make({ timeoutMs: 20, maxAttempts: 1, fetch: () => new Promise(() => {}) })
    await expect(one.predict(pairs('q', 'a'))).rejects.toMatchObject({ code: 'model_call', kind: 'timeout' })
  })

  it.each([null, [null], [['q']], [['q', 5]]])('refuses %j, which are no pairs', async (given) => {
    await expect(make().predict(given as never)).rejects.toMatchObject({ code: 'model_validation' })
  })

  it('refuses options that are unknown, missing or out of range', () => {
    for (const options of [
      { modelName: undefined },
      { modelName: '' },
      { service: 'other' as RerankForm },
      { service: undefined as unknown as RerankForm },
      { batchSize: 0 },
      { concurrency: 0.5 },
      { maxAttempts: 0 },
      { body: [] as never },
      { topN: 3 } as never,
      { baseUrl: 'nowhere' },
      { baseUrl: 'ftp://models.example' },
      { apiKey: 5 as never },
      { timeoutMs: 0 },
    ])
      expect(() => make(options)).toThrow(expect.objectContaining({ code: 'model_validation' }))
    expect(new RerankService({ service: 'tei' }).modelName).toBe('tei')
  })

  it('names the services by their public addresses', async () => {
    const urls: string[] = []
    const fetch: typeof globalThis.fetch = async (url) => {
      urls.push(String(url))
      return Response.json([])
    }
    for (const [service] of all)
      await make({ service, baseUrl: undefined, fetch, maxAttempts: 1 })
        .predict(pairs('q', 'a'))
        .catch(() => {})
    expect(urls).toEqual([
      'https://api.cohere.com/v2/rerank',
      'https://api.jina.ai/v1/rerank',
      'https://api.voyageai.com/v1/rerank',
      'https://api.mixedbread.com/v1/reranking',
      'http://localhost:8000/v1/rerank',
      'http://localhost:8080/rerank',
    ])
  })
})
