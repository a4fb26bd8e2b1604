import { NodeWithScore, TextNode } from '@x/core-model'
import { TableEmbedding } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { ExplanationLedger } from '../explanation/explanation-ledger.ts'
import { EmbeddingRecencyPostprocessor } from './embedding-recency-postprocessor.ts'
import { FixedRecencyPostprocessor } from './fixed-recency-postprocessor.ts'
import { TimeWeightedPostprocessor } from './time-weighted-postprocessor.ts'

const dated = (id: string, date: unknown) =>
  new NodeWithScore({ node: new TextNode({ id, text: id, metadata: { date }, excludedEmbedMetadataKeys: ['date'] }) })
const ids = (entries: readonly NodeWithScore[]) => entries.map(({ id }) => id).join(' ')

describe('FixedRecencyPostprocessor', () => {
  const nodes = [dated('a', null), dated('b', '2020'), dated('c', '2021')]

  it('puts nodes without a date last, drops them, or throws', async () => {
    const order = (onMissingDate: 'throw' | 'last' | 'drop') =>
      new FixedRecencyPostprocessor({ topK: 9, onMissingDate }).postprocessNodes(nodes)
    expect(ids(await order('last'))).toBe('c b a')
    expect(ids(await order('drop'))).toBe('c b')
    await expect(order('throw')).rejects.toMatchObject({ code: 'missing_metadata', nodeId: 'a', key: 'date' })
  })

  it('treats a date that cannot be parsed as missing', async () => {
    const odd = [dated('a', 'soon'), dated('b', '2020'), dated('c', 'January 5th, 2021'), dated('d', '1609800000')]
    const order = (onMissingDate: 'throw' | 'last' | 'drop') =>
      new FixedRecencyPostprocessor({ topK: 9, onMissingDate }).postprocessNodes(odd)
    expect(ids(await order('last'))).toBe('b a c d')
    expect(ids(await order('drop'))).toBe('b')
    await expect(order('throw')).rejects.toMatchObject({ code: 'invalid_date', nodeId: 'a', value: 'soon' })
  })

  it.each<[string[], string, boolean?]>([
    [['03.02.2021', '28.02.2021', '13.02.2021'], '28.02.2021 13.02.2021 03.02.2021'],
    [['03.02.2021', '02.13.2021'], '03.02.2021 02.13.2021'],
    [['03/02/2021', '01/20/2021', '04/01/2021'], '04/01/2021 03/02/2021 01/20/2021'],
    [['03/02/2021', '20/01/2021', '04/01/2021'], '03/02/2021 20/01/2021 04/01/2021'],
    [['03/02/2021', '04/01/2021'], '04/01/2021 03/02/2021'],
    [['03/02/2021', '04/01/2021'], '03/02/2021 04/01/2021', true],
    [['03/02/2021', '04/01/2021', '20.01.2021'], '04/01/2021 03/02/2021 20.01.2021'],
    [['03/02/2021', '04/01/2021', '20/01/2021', '01/20/2021'], '04/01/2021 03/02/2021 20/01/2021 01/20/2021'],
  ])(
    'parses all dates of the list %j with the same order of day and month',
    async (dates, expected, dayFirst = false) => {
      const nodes = dates.map((date) => dated(date, date))
      expect(ids(await new FixedRecencyPostprocessor({ topK: 9, dayFirst }).postprocessNodes(nodes))).toBe(expected)
    },
  )

  it('does not read a date from the prototype of metadata', async () => {
    const odd = new FixedRecencyPostprocessor({ dateKey: 'constructor' }).postprocessNodes([dated('a', '2020')])
    await expect(odd).rejects.toMatchObject({ code: 'missing_metadata' })
  })
})

describe('EmbeddingRecencyPostprocessor', () => {
  it('embeds all nodes with one request, and their queries with another', async () => {
    const embedModel = new TableEmbedding({ texts: { new: [2, 0], old: [2, 0.1], other: [0, 2] } })
    const postprocessor = new EmbeddingRecencyPostprocessor({
      embedModel,
      queryEmbeddingTmpl: '{context_str}',
      similarity: 'cosine',
      similarityCutoff: 0.9,
    })
    expect(
      ids(await postprocessor.postprocessNodes([dated('old', '2020'), dated('other', '2019'), dated('new', '2021')])),
    ).toBe('new other')
    expect(embedModel.requests).toEqual([
      ['texts', ['new', 'old', 'other']],
      ['queries', ['new', 'old', 'other']],
    ])
  })

  it('embeds one query per remaining node if the model cannot embed several queries at once', async () => {
    const queries: string[] = []
    const table = new TableEmbedding({ texts: { new: [1, 0], old: [1, 0], other: [0, 1] } })
    const embedModel = {
      getTextEmbedding: (text: string) => table.getTextEmbedding(text),
      getTextEmbeddingBatch: (texts: readonly string[]) => table.getTextEmbeddingBatch(texts),
      getQueryEmbedding: (query: string) => {
        queries.push(query)
        return table.getQueryEmbedding(query)
      },
    }
    const postprocessor = new EmbeddingRecencyPostprocessor({ embedModel, queryEmbeddingTmpl: '{context_str}' })
    const nodes = [dated('old', '2020'), dated('other', '2019'), dated('new', '2021')]
    expect(ids(await postprocessor.postprocessNodes(nodes))).toBe('new other')
    expect(queries).toEqual(['new', 'other'])
  })

  it('compares a node with at most compareWith older nodes', async () => {
    const vectors = { a: [1, 0], b: [0, 1], c: [1, 0] }
    const remaining = async (compareWith?: number) => {
      const embedModel = new TableEmbedding({ texts: vectors })
      const options = { embedModel, queryEmbeddingTmpl: '{context_str}', ...(compareWith && { compareWith }) }
      const nodes = [dated('a', '2023'), dated('b', '2022'), dated('c', '2021')]
      return ids(await new EmbeddingRecencyPostprocessor(options).postprocessNodes(nodes))
    }
    expect([await remaining(), await remaining(2), await remaining(1)]).toEqual(['a b', 'a b', 'a b c'])
  })

  it('takes linear time', { tags: 'growth' }, async () => {
    const vector = (text: string) => [Math.cos(Number(text)), Math.sin(Number(text))]
    const embedModel = {
      getTextEmbedding: async (text: string) => vector(text),
      getTextEmbeddingBatch: async (texts: readonly string[]) => texts.map(vector),
      getQueryEmbedding: async (text: string) => vector(text),
      getQueryEmbeddingBatch: async (texts: readonly string[]) => texts.map(vector),
    }
    const postprocessor = new EmbeddingRecencyPostprocessor({
      embedModel,
      queryEmbeddingTmpl: '{context_str}',
      similarityCutoff: 1,
      compareWith: 20,
    })
    const entries = Array.from({ length: 3200 }, (_, n) => dated(String(n), n))
    const run = async (size: number) => {
      if (size > entries.length) throw new RangeError(`too few entries: ${size}`)
      await postprocessor.postprocessNodes(entries.slice(0, size))
    }
    expect(await growthOf(run, 200)).toBeLessThan(1.75)
  })

  it('drops no node when all nodes lack a date', async () => {
    const postprocessor = new EmbeddingRecencyPostprocessor({ embedModel: new TableEmbedding(), onMissingDate: 'drop' })
    expect(await postprocessor.postprocessNodes([dated('a', null)])).toEqual([])
  })
})

describe('TimeWeightedPostprocessor', () => {
  const used = (id: string, time: unknown, score: number | null) =>
    new NodeWithScore({ node: new TextNode({ id, metadata: { __last_accessed__: time } }), score })

  it('reads the clock if now is null', async () => {
    const before = Date.now() / 1000
    const [entry] = await new TimeWeightedPostprocessor().postprocessNodes([used('a', 0, 1)])
    expect(entry!.metadata['__last_accessed__']).toBeGreaterThanOrEqual(before)
    expect(entry!.metadata['__last_accessed__']).toBeLessThanOrEqual(Date.now() / 1000)
  })

  it('calls onAccess only with the returned nodes, and hides the access time with hideAccessTime', async () => {
    const accessed: string[] = []
    const postprocessor = new TimeWeightedPostprocessor({
      now: 7200,
      hideAccessTime: true,
      onAccess: (nodes) => void accessed.push(ids(nodes)),
    })
    const [entry] = await postprocessor.postprocessNodes([used('a', 0, 0.1), used('b', 0, 0.2)])
    expect(accessed).toEqual(['b'])
    expect(entry!.getContent('llm')).toBe('')
    expect(entry!.getContent('all')).toContain('7200')
  })

  it('gives the full bonus to nodes that were never used or will be, and counts a missing score as 1', async () => {
    const never = new NodeWithScore({ node: new TextNode({ id: 'never' }), score: 0 })
    const nodes = [never, used('hour', 3600, 0), used('later', 9000, 0), used('null', null, 0), used('none', 0, null)]
    const of = async (options: object) => {
      const postprocessor = new TimeWeightedPostprocessor({ now: 7200, topK: 5, ...options })
      return (await postprocessor.postprocessNodes(nodes)).map(({ id, score }) => [id, score])
    }
    expect(await of({ timeDecay: 0.5 })).toEqual([
      ['none', 1.25],
      ['never', 1],
      ['later', 1],
      ['null', 1],
      ['hour', 0.5],
    ])
    expect((await of({}))[4]![1]).toBeCloseTo(0.01, 12)
    expect((await of({ timeDecay: 0 })).map(([, score]) => score)).toEqual([2, 1, 1, 1, 1])
    expect(await of({ topK: 0 })).toEqual([])
  })

  it('changes and reports no access time with timeAccessRefresh: false', async () => {
    const accessed: unknown[] = []
    const onAccess = (nodes: unknown) => void accessed.push(nodes)
    const ledger = new ExplanationLedger()
    const still = new TimeWeightedPostprocessor({ now: 7200, timeDecay: 0.5, timeAccessRefresh: false, onAccess })
    const [entry] = await still.postprocessNodes([used('a', 3600, 1), used('b', 0, 1)], { ledger })
    expect([entry!.metadata, accessed]).toEqual([{ __last_accessed__: 3600 }, []])
    expect(ledger.entries.map(({ nodeId, reason }) => [nodeId, reason])).toEqual([
      ['a', 'bonus 0.5 for 1 hours since the last access'],
      ['b', 'score with bonus 0.25 is not among the first 1'],
    ])
  })

  it('does not read an access time from the prototype of metadata', async () => {
    const entry = new NodeWithScore({ node: new TextNode({ id: 'a' }), score: 0 })
    const [found] = await new TimeWeightedPostprocessor({ lastAccessedKey: 'toString' }).postprocessNodes([entry])
    expect(found!.score).toBe(1)
  })

  it('rejects an access time that is not a number', async () => {
    const broken = new TextNode({ id: 'a' })
    broken.metadata['__last_accessed__'] = Number.NaN
    await expect(
      new TimeWeightedPostprocessor().postprocessNodes([new NodeWithScore({ node: broken, score: 1 })]),
    ).rejects.toMatchObject({ code: 'invalid_metadata', nodeId: 'a' })
    await expect(new TimeWeightedPostprocessor().postprocessNodes([used('a', '2020-01-01', 1)])).rejects.toMatchObject({
      code: 'invalid_metadata',
      key: '__last_accessed__',
    })
  })
})
