import type { EmbedOptions } from '@x/core-model'
import { CallbackManager, TextNode } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { describe, expect, it } from 'vitest'
import { pathsOf } from '../../../../tools/thrown.ts'
import { TableEmbedding, type TableEmbeddingOptions } from '../testing/table-embedding.ts'
import { BaseEmbedding, type EmbedProgress } from './base-embedding.ts'

/** Embeds one string per request; the vector is the length of the string. */
class LengthEmbedding extends BaseEmbedding {
  readonly log: string[] = []
  protected override async queryRequest(query: string) {
    this.log.push(`query ${query}`)
    return [query.length]
  }
  protected override async textRequest(text: string, { signal }: EmbedOptions) {
    this.log.push(`text ${text}`)
    if (text === 'bad') throw new Error('refused')
    // Longer texts take longer, so that answers come out of order.
    for (let turn = 0; turn < 5 - text.length; turn++) await null
    signal?.throwIfAborted()
    return [text.length]
  }
}

function recorded(options: TableEmbeddingOptions = {}) {
  const handler = new RecordingCallbackHandler()
  return { handler, embedding: new TableEmbedding({ ...options, callbackManager: new CallbackManager([handler]) }) }
}

const starts = (handler: RecordingCallbackHandler) =>
  handler.events.flatMap((event) => (event.phase === 'start' ? [event.payload] : []))
const ends = (handler: RecordingCallbackHandler) =>
  handler.events.flatMap((event) => (event.phase === 'end' ? [event.payload] : []))

describe('fields', () => {
  it('contain a callback manager of its own, which is also that for null', () => {
    const [one, other] = [new LengthEmbedding(), new LengthEmbedding({ callbackManager: null })]
    expect([one.callbackManager.handlers, other.callbackManager.handlers]).toEqual([[], []])
    expect(one.callbackManager).not.toBe(other.callbackManager)
  })

  it('notify the handlers that are added to the default callback manager', async () => {
    const handler = new RecordingCallbackHandler()
    const embedding = new LengthEmbedding()
    embedding.callbackManager.addHandler(handler)
    await embedding.getTextEmbedding('a')
    expect(ends(handler)).toHaveLength(1)
  })

  it('limit the batch size to a minimum and a maximum', () => {
    expect(new LengthEmbedding().toDict()).toEqual({
      model_name: 'unknown',
      embed_batch_size: 10,
      class_name: 'base_component',
    })
    for (const embedBatchSize of [0, -1, 2049, 1.5, '5'])
      expect(pathsOf(() => new LengthEmbedding({ embedBatchSize: embedBatchSize as number }))).toEqual([
        'embedBatchSize',
      ])
    expect([1, 2048].map((embedBatchSize) => new LengthEmbedding({ embedBatchSize }).embedBatchSize)).toEqual([1, 2048])
  })
})

describe('getQueryEmbedding and getTextEmbedding', () => {
  it('use the query request for queries and the text request for strings, with one event each', async () => {
    const { embedding, handler } = recorded({ texts: { a: [1] }, queries: { a: [2] } })
    expect([await embedding.getQueryEmbedding('a'), await embedding.getTextEmbedding('a')]).toEqual([[2], [1]])
    expect(embedding.requests).toEqual([
      ['query', 'a'],
      ['text', 'a'],
    ])
    expect(handler.summary()).toEqual(
      Array(2)
        .fill([
          ['start', 'embedding', ['serialized']],
          ['end', 'embedding', ['chunks', 'embeddings']],
        ])
        .flat(),
    )
    expect(ends(handler)[0]).toEqual({ chunks: ['a'], embeddings: [[2]] })
    expect(starts(handler)[0]).toEqual({ serialized: embedding.toDict() })
  })
})

describe('the start event', () => {
  it('names the provider and the server', async () => {
    class Named extends TableEmbedding {
      override get provider() {
        return 'acme'
      }
      override get endpoint() {
        return { address: 'localhost', port: 1 }
      }
    }
    const handler = new RecordingCallbackHandler()
    const embedding = new Named({ texts: { a: [1] }, callbackManager: new CallbackManager([handler]) })
    await embedding.getTextEmbedding('a')
    expect(starts(handler)[0]).toEqual({
      serialized: { provider: 'acme', endpoint: { address: 'localhost', port: 1 }, ...embedding.toDict() },
    })
  })
})

describe('getTextEmbeddingBatch', () => {
  it('sends batches in order, the last one shorter, and keeps the order of the input, duplicates included', async () => {
    const { embedding, handler } = recorded({ embedBatchSize: 2, texts: { a: [1], b: [2], c: [3] } })
    expect(await embedding.getTextEmbeddingBatch(['a', 'b', 'c', 'a', 'b'])).toEqual([[1], [2], [3], [1], [2]])
    expect(embedding.requests).toEqual([
      ['texts', ['a', 'b']],
      ['texts', ['c', 'a']],
      ['texts', ['b']],
    ])
    expect(ends(handler).map((payload) => payload?.['chunks'])).toEqual([['a', 'b'], ['c', 'a'], ['b']])
  })

  it('adds up the tokens of the requests of a batch', async () => {
    class Counted extends LengthEmbedding {
      protected override textRequest(text: string, options: EmbedOptions) {
        options.onUsage?.(2)
        return super.textRequest(text, options)
      }
    }
    const handler = new RecordingCallbackHandler()
    const embedding = new Counted({ embedBatchSize: 3, callbackManager: new CallbackManager([handler]) })
    const tokens: number[] = []
    await embedding.getTextEmbeddingBatch(['a', 'b', 'c', 'd'], { onUsage: (count) => tokens.push(count) })
    expect(tokens).toEqual([2, 2, 2, 2])
    expect(ends(handler).map((payload) => payload?.['input_tokens'])).toEqual([6, 2])
  })

  it('sends no request and emits no event for an empty array', async () => {
    const { embedding, handler } = recorded()
    expect(await embedding.getTextEmbeddingBatch([])).toEqual([])
    expect([embedding.requests, handler.events]).toEqual([[], []])
  })

  it('embeds one string at a time if the model has no batch method', async () => {
    const embedding = new LengthEmbedding()
    expect(await embedding.getTextEmbeddingBatch(['aa', 'b'])).toEqual([[2], [1]])
    expect(embedding.log).toEqual(['text aa', 'text b'])
  })

  it('runs several batches concurrently with maxConcurrency, and returns results in input order', async () => {
    const texts = ['a', 'bbbb', 'cc', 'ddd', 'e']
    for (const maxConcurrency of [1, 2, 5]) {
      const embedding = new LengthEmbedding({ embedBatchSize: 1 })
      expect(await embedding.getTextEmbeddingBatch(texts, { maxConcurrency })).toEqual(
        texts.map((text) => [text.length]),
      )
    }
  })

  it('throws the error of a failing batch, ends its event with it, and sends nothing further', async () => {
    const error = new Error('down')
    const { embedding, handler } = recorded({ embedBatchSize: 1, texts: { a: [1], b: error, c: [3] } })
    await expect(embedding.getTextEmbeddingBatch(['a', 'b', 'c'])).rejects.toBe(error)
    expect(embedding.requests).toHaveLength(2)
    expect(ends(handler)).toEqual([{ chunks: ['a'], embeddings: [[1]] }, { exception: error }])
  })

  it('stops between batches when the signal aborts, before the next request', async () => {
    const stop = new AbortController()
    const { embedding, handler } = recorded({ embedBatchSize: 1, texts: { a: [1], b: [2] } })
    const onProgress = () => stop.abort(new Error('enough'))
    await expect(
      embedding.getTextEmbeddingBatch(['a', 'b'], { signal: stop.signal, showProgress: true, onProgress }),
    ).rejects.toThrow('enough')
    expect(embedding.requests).toEqual([['texts', ['a']]])
    expect(handler.summary().filter(([phase]) => phase === 'start')).toHaveLength(1)
    await expect(embedding.getQueryEmbedding('a', { signal: stop.signal })).rejects.toThrow('enough')
  })

  it('reports progress after each batch if showProgress is true', async () => {
    const seen: EmbedProgress[] = []
    const embedding = new LengthEmbedding({ embedBatchSize: 2 })
    const onProgress = (progress: EmbedProgress) => void seen.push(progress)
    await embedding.getTextEmbeddingBatch(['a', 'b', 'c'], { onProgress })
    expect(seen).toEqual([])
    await embedding.getTextEmbeddingBatch(['a', 'b', 'c'], { showProgress: true, onProgress })
    expect(seen).toEqual([
      { done: 2, total: 3 },
      { done: 3, total: 3 },
    ])
    await embedding.getTextEmbeddingBatch(['a'], { showProgress: true })
  })

  it('throws if the number of vectors differs from the number of strings', async () => {
    class Short extends LengthEmbedding {
      protected override async textsRequest() {
        return [[1]]
      }
    }
    await expect(new Short().getTextEmbeddingBatch(['a', 'b'])).rejects.toMatchObject({
      code: 'embedding_dimension',
      expected: 2,
      received: 1,
      message: 'Number of vectors: expected 2, received 1.',
    })
  })
})

describe('getQueryEmbeddingBatch', () => {
  it('embeds queries one after the other in batches, or with the request of a subclass', async () => {
    const embedding = new LengthEmbedding({ embedBatchSize: 2 })
    expect(await embedding.getQueryEmbeddingBatch(['a', 'bbb', 'cc'])).toEqual([[1], [3], [2]])
    expect(embedding.log).toEqual(['query a', 'query bbb', 'query cc'])

    const { embedding: table, handler } = recorded({ queries: { a: [1], b: [2], c: [3] }, embedBatchSize: 2 })
    expect(await table.getQueryEmbeddingBatch(['c', 'a', 'b'])).toEqual([[3], [1], [2]])
    expect(table.requests).toEqual([
      ['queries', ['c', 'a']],
      ['queries', ['b']],
    ])
    expect(ends(handler)).toMatchObject([{ chunks: ['c', 'a'] }, { chunks: ['b'] }])
  })
})

describe('getAggEmbeddingFromQueries', () => {
  it('embeds each query in order and aggregates the vectors by the mean, or by another function', async () => {
    const embedding = new LengthEmbedding()
    expect(await embedding.getAggEmbeddingFromQueries(['a', 'bbb'])).toEqual([2])
    expect(embedding.log).toEqual(['query a', 'query bbb'])
    expect(await embedding.getAggEmbeddingFromQueries(['a', 'bbb'], (vectors) => vectors.flat())).toEqual([1, 3])
  })

  it('throws for an empty array of queries', async () => {
    for (const aggFn of [undefined, () => []])
      await expect(new LengthEmbedding().getAggEmbeddingFromQueries([], aggFn)).rejects.toMatchObject({
        code: 'empty_input',
      })
  })
})

describe('transform', () => {
  it('sets the vector of each node for its content in embed mode, and returns the same array', async () => {
    const nodes = [
      new TextNode({ text: 'a', metadata: { m: 1, hidden: 2 }, excludedEmbedMetadataKeys: ['hidden'] }),
      new TextNode({ text: 'bb' }),
    ]
    const embedding = new LengthEmbedding()
    expect(await embedding.transform(nodes)).toBe(nodes)
    expect(embedding.log).toEqual(['text m: 1\n\na', 'text bb'])
    expect(nodes.map((node) => node.embedding)).toEqual([[7], [2]])
  })

  it('changes no node if the model fails', async () => {
    const nodes = [new TextNode({ text: 'a' }), new TextNode({ text: 'bad' })]
    await expect(new LengthEmbedding().transform(nodes)).rejects.toThrow('refused')
    expect(nodes[0]!.embedding).toBeNull()
  })

  it('similarity compares vectors in each mode', () => {
    expect(new LengthEmbedding().similarity([0, 0], [3, 4], 'euclidean')).toBe(-5)
    expect(new LengthEmbedding().similarity([1], [2])).toBe(1)
  })
})

it('wrong arguments are refused', async () => {
  const model = new LengthEmbedding()
  const invalid = { code: 'model_validation' }
  for (const name of [
    'getQueryEmbedding',
    'getTextEmbedding',
    'getTextEmbeddingBatch',
    'getQueryEmbeddingBatch',
  ] as const)
    for (const input of [undefined, 5])
      await expect(model[name](input as never)).rejects.toMatchObject({
        ...invalid,
        message: expect.stringMatching(`^${name}.`),
      })
  await expect(model.transform([], null as never)).rejects.toMatchObject(invalid)
  for (const nodes of [[null], ['text']]) await expect(model.transform(nodes as never)).rejects.toMatchObject(invalid)
  for (const queries of [undefined, 5])
    await expect(model.getAggEmbeddingFromQueries(queries as never)).rejects.toMatchObject(invalid)
  await expect(model.getQueryEmbedding('a', { signl: null } as never)).rejects.toMatchObject(invalid)
  await expect(model.getTextEmbeddingBatch(['a'], { maxConcurency: 1 } as never)).rejects.toMatchObject(invalid)
})
