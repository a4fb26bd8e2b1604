import { QueryBundle, TextNode } from '@x/core-model'
import { TableEmbedding } from '@x/llm/testing'
import { VectorRetriever } from '@x/retrieval'
import { type CheckedIndexOptions, indexChecks, LetterEmbedding } from '@x/testing/retrieval'
import { describe, expect, it } from 'vitest'
import { openDatabase } from './sqlite-database.ts'
import { SqliteKeywordRetriever } from './sqlite-keyword-retriever.ts'
import { SqliteVectorRetriever } from './sqlite-vector-retriever.ts'

const idsOf = (found: readonly { id: string }[]) => found.map(({ id }) => id)
const embedModel = new TableEmbedding({ texts: { red: [1, 0] }, queries: { wine: [1, 0.2] } })

describe.each([
  ['node:sqlite', false],
  ['node:sqlite', true],
  ['better-sqlite3', false],
  ['better-sqlite3', true],
] as const)('SqliteVectorRetriever over %s, with sqlite-vec: %s', (library, sqliteVec) => {
  const create = async (options = {}) =>
    new SqliteVectorRetriever(await openDatabase(':memory:', { library, sqliteVec }), { embedModel, ...options })

  it('returns the same nodes and scores as VectorRetriever', async () => {
    let seed = 1
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed / 2_147_483_647 - 0.5
    }
    const nodes = Array.from({ length: 300 }, (_, i) => {
      const embedding = i % 50 === 7 ? [0, 0, 0, 0, 0] : Array.from({ length: 5 }, random)
      return new TextNode({ id: `n${i}`, text: 't', embedding, metadata: { part: i % 3 } })
    })
    const [memory, stored] = [
      await VectorRetriever.fromNodes(nodes, { embedModel, similarityTopK: 300 }),
      await create(),
    ]
    await stored.add(nodes)
    stored.similarityTopK = 300
    const filters = [{ key: 'part', value: 1 }]
    for (const options of [{}, { filters }]) {
      const query = new QueryBundle({ queryStr: 'q', embedding: Array.from({ length: 5 }, random) })
      const [expected, found] = [await memory.retrieve(query, options), await stored.retrieve(query, options)]
      expect(idsOf(found)).toEqual(idsOf(expected))
      for (const [i, { score }] of found.entries()) expect(score).toBeCloseTo(expected[i]!.score!, 5)
    }
    stored.similarityTopK = 5
    memory.similarityTopK = 5
    const query = new QueryBundle({ queryStr: 'q', embedding: [1, 2, 3, 4, 5] })
    expect(idsOf(await stored.retrieve(query))).toEqual(idsOf(await memory.retrieve(query)))
  })

  it('embeds nodes without an embedding, and returns nodes without it', async () => {
    const retriever = await create({ similarityTopK: 1 })
    const node = new TextNode({ id: 'blue', text: 'blue', embedding: [0, 1] })
    await retriever.add([new TextNode({ id: 'red', text: 'red' }), node])
    const [found] = await retriever.retrieve('wine')
    expect([found!.id, found!.node.embedding, found!.score]).toEqual(['red', null, expect.closeTo(0.98058, 4)])
    expect(node.embedding).toEqual([0, 1])
  })

  it('replaces and removes nodes, and accepts vectors of a different length afterwards', async () => {
    const retriever = await create()
    const node = (id: string, ...embedding: number[]) => new TextNode({ id, text: id, embedding })
    await retriever.add([node('a', 1, 0), node('b', 0, 1)])
    const error = { code: 'embedding_dimension' }
    await expect(retriever.add([node('c', 1, 1), node('a', 1, 0, 0)])).rejects.toMatchObject(error)
    await retriever.add([node('a', 0, 1), node('b', 1, 0)])
    expect(idsOf(await retriever.retrieve('wine'))).toEqual(['b', 'a'])
    expect([retriever.size, retriever.has('c'), retriever.remove(['b', 'c'])]).toEqual([2, false, 1])
    await retriever.add([node('a', 1, 0, 0)])
    await expect(retriever.retrieve('wine')).rejects.toMatchObject(error)
    expect(retriever.remove(['a'])).toBe(1)
    expect(await retriever.retrieve('wine')).toEqual([])
  })

  it('refuses numbers that are not finite', async () => {
    const retriever = await create()
    const node = TextNode.construct({ id: 'a', text: 'a', embedding: [1, Number.NaN], metadata: {} })
    await expect(retriever.add([node])).rejects.toMatchObject({ code: 'model_validation' })
    expect(retriever.size).toBe(0)
  })
})

it('rejects with the reason of the signal', async () => {
  const retriever = new SqliteVectorRetriever(await openDatabase(':memory:'), { embedModel })
  const signal = AbortSignal.abort('enough')
  await expect(retriever.add([new TextNode({ text: 'red' })], { signal })).rejects.toBe('enough')
  await expect(retriever.retrieve('wine', { signal })).rejects.toBe('enough')
})

describe.each(['node:sqlite', 'better-sqlite3'] as const)('an index over %s', (library) => {
  const words = async (options: CheckedIndexOptions) =>
    new SqliteKeywordRetriever(await openDatabase(':memory:', { library }), options)
  for (const { name, run } of indexChecks(words, { kind: 'words', hasBm25Scores: true })) it(`of words ${name}`, run)

  const vectors = async (options: CheckedIndexOptions) =>
    new SqliteVectorRetriever(await openDatabase(':memory:', { library }), {
      embedModel: new LetterEmbedding(),
      similarityTopK: 10,
      ...options,
    })
  for (const { name, run } of indexChecks(vectors, { kind: 'vectors' })) it(`of vectors ${name}`, run)
})
