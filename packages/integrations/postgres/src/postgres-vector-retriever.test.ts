import { QueryBundle, TextNode } from '@x/core-model'
import { TableEmbedding } from '@x/llm/testing'
import { VectorRetriever } from '@x/retrieval'
import { expect, it } from 'vitest'
import { newDatabase, vectorDatabases } from '../test/new-database.ts'
import { openDatabase } from './open-database.ts'
import { PostgresVectorRetriever } from './postgres-vector-retriever.ts'

const newVectorDatabase = vectorDatabases()
const idsOf = (found: readonly { id: string }[]) => found.map(({ id }) => id)
const embedModel = new TableEmbedding({ texts: { red: [1, 0] }, queries: { wine: [1, 0.2] } })
const create = async (options = {}) =>
  new PostgresVectorRetriever(await newVectorDatabase(), { embedModel, ...options })

/** Numbers from -0.5 to 0.5, the same in every run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647 - 0.5
  }
}

it('returns the same nodes and scores as VectorRetriever', async () => {
  const random = numbers(1)
  const nodes = Array.from({ length: 300 }, (_, i) => {
    const embedding = i % 50 === 7 ? [0, 0, 0, 0, 0] : Array.from({ length: 5 }, random)
    return new TextNode({ id: `n${i}`, text: 't', embedding, metadata: { part: i % 3 } })
  })
  const memory = await VectorRetriever.fromNodes(nodes, { embedModel, similarityTopK: 300 })
  const stored = await create({ similarityTopK: 300 })
  await stored.add(nodes)
  const filters = [{ key: 'part', value: 1 }]
  for (const options of [{}, { filters }]) {
    const query = new QueryBundle({ queryStr: 'q', embedding: Array.from({ length: 5 }, random) })
    const [expected, found] = [await memory.retrieve(query, options), await stored.retrieve(query, options)]
    expect(idsOf(found)).toEqual(idsOf(expected))
    for (const [i, { score }] of found.entries()) expect(score).toBeCloseTo(expected[i]!.score!, 5)
  }
})

it('an HNSW index finds nearly all of the best nodes, and with a filter as many nodes as meet it', async () => {
  const random = numbers(5)
  const vector = () => Array.from({ length: 32 }, random)
  const nodes = Array.from({ length: 3000 }, (_, i) => {
    const metadata = { tenant: `t${i % 20}`, rare: i % 1500 === 0 }
    return new TextNode({ id: `n${i}`, text: 't', embedding: vector(), metadata })
  })
  const memory = await VectorRetriever.fromNodes(nodes, { embedModel, similarityTopK: 10 })
  const stored = await create({ similarityTopK: 10 })
  await expect(stored.createHnswIndex()).rejects.toMatchObject({ code: 'configuration' })
  await expect(stored.createHnswIndex({ ef: 64 } as object)).rejects.toMatchObject({ code: 'model_validation' })
  await stored.add(nodes)
  await stored.createHnswIndex({ m: 16, efConstruction: 64 })
  await stored.createHnswIndex()
  await stored['nodes'].database.query(`analyze ${stored['nodes'].database.tables.vectorNodes}`)
  const queries = Array.from({ length: 10 }, () => new QueryBundle({ queryStr: 'q', embedding: vector() }))
  const filterOf = { none: [], tenant: [{ key: 'tenant', value: 't7' }], rare: [{ key: 'rare', value: true }] }
  for (const [name, filters] of Object.entries(filterOf)) {
    let common = 0
    for (const query of queries) {
      const [expected, found] = [await memory.retrieve(query, { filters }), await stored.retrieve(query, { filters })]
      expect(found.length, name).toBe(expected.length)
      common += idsOf(found).filter((id) => idsOf(expected).includes(id)).length / expected.length / queries.length
    }
    expect(common, name).toBeGreaterThan(name === 'none' ? 0.85 : 0.95)
  }
  const [plan] = await planOf(stored, queries[0]!)
  expect(plan).toContain('hnsw')
})

/** Returns how Postgres runs a search. */
async function planOf(retriever: PostgresVectorRetriever, query: QueryBundle): Promise<string[]> {
  const plans: string[] = []
  const database = retriever['nodes'].database
  const { query: run } = database
  database.query = async (sql, values) => {
    const { rows } = await run.call(database, `explain ${sql}`, values)
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
    return run.call(database, sql, values)
  }
  await retriever.retrieve(query)
  database.query = run
  return plans
}

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
  await expect(retriever.apply({ added: [node('c', 1, 1, 1)], removed: ['a'] })).rejects.toMatchObject(error)
  const updated = ['a', 'b'].map((id) => new TextNode({ id, text: id }))
  await expect(retriever.apply({ added: [node('c', 1, 1, 1)], updated })).rejects.toMatchObject(error)
  await retriever.add([node('a', 0, 1), node('b', 1, 0)])
  expect(idsOf(await retriever.retrieve('wine'))).toEqual(['b', 'a'])
  expect([await retriever.count(), await retriever.has('c'), await retriever.remove(['b', 'c'])]).toEqual([2, false, 1])
  await retriever.add([node('a', 1, 0, 0)])
  await expect(retriever.retrieve('wine')).rejects.toMatchObject(error)
  expect(await retriever.remove(['a'])).toBe(1)
  expect(await retriever.retrieve('wine')).toEqual([])
})

it.each([2 ** 31 - 1, Number.MAX_SAFE_INTEGER])(
  'returns all nodes if there are fewer than %i',
  async (similarityTopK) => {
    const retriever = await create({ similarityTopK })
    await retriever.add([new TextNode({ id: 'red', text: 'red' })])
    for (const options of [{}, { filters: [{ key: 'none', operator: 'is_empty' as const }] }])
      expect(idsOf(await retriever.retrieve('wine', options))).toEqual(['red'])
  },
)

it('names its class in the error of a limit', async () => {
  const retriever = await create()
  retriever.similarityTopK = -1
  const message = expect.stringContaining('PostgresVectorRetriever.similarityTopK: expected an integer')
  await expect(retriever.retrieve('wine')).rejects.toMatchObject({ message })
})

it('refuses numbers that are not finite', async () => {
  const retriever = await create()
  const node = TextNode.construct({ id: 'a', text: 'a', embedding: [1, Number.NaN], metadata: {} })
  await expect(retriever.add([node])).rejects.toMatchObject({ code: 'model_validation' })
  expect(await retriever.count()).toBe(0)
})

it('rejects with the reason of the signal', async () => {
  const retriever = await create()
  const signal = AbortSignal.abort('enough')
  await expect(retriever.add([new TextNode({ text: 'red' })], { signal })).rejects.toBe('enough')
  await expect(retriever.retrieve('wine', { signal })).rejects.toBe('enough')
})

it('stores nodes without the extension, and says how to search them', async () => {
  const database = await newDatabase()
  const { rows } = await database.query(`select from pg_type where typname = 'vector'`)
  if (rows.length > 0) await database.query('drop extension vector cascade')
  const retriever = new PostgresVectorRetriever(database, { embedModel })
  await retriever.add([new TextNode({ id: 'red', text: 'red' })])
  expect(await retriever.missing(['red', 'blue'])).toEqual(['blue'])
  const error = { code: 'configuration', message: expect.stringContaining('CREATE EXTENSION vector') }
  await expect(retriever.retrieve('wine')).rejects.toMatchObject(error)
  await expect(retriever.createHnswIndex()).rejects.toMatchObject(error)
})

it('refuses an option that is not a boolean', async () => {
  const database = await newDatabase()
  await expect(openDatabase(database['pool'], { pgvector: 1 as never })).rejects.toMatchObject({
    code: 'model_validation',
  })
})
