import { TextNode } from '@x/core-model'
import { Bm25Retriever, wordTokenizer } from '@x/retrieval'
import { expect, it } from 'vitest'
import { newDatabase, newPool, newSchema } from '../test/new-database.ts'
import { openDatabase } from './open-database.ts'
import { PostgresKeywordRetriever } from './postgres-keyword-retriever.ts'

const node = (id: string, text: string) => new TextNode({ id, text })
const idsOf = (found: readonly { id: string }[]) => found.map(({ id }) => id)
const scoresOf = (found: readonly { id: string; score: number | null }[]) =>
  found.map(({ id, score }) => [id, score!.toFixed(9)])

it('returns the same nodes and scores as Bm25Retriever for any terms', async () => {
  const texts = [
    'Two queries about boxes',
    'call nodeParser.__init__ now',
    'Die Straße über den Fluss',
    '検索結果を表示する',
    '서울에서 만나요',
    `"quotes" OR AND NOT near( * ^ {x} a_b C++ 'it''s' \u0000 \ud83d`,
    '',
    `${'long'.repeat(1000)} pear`,
    `${'long'.repeat(1001)} pear pear`,
  ]
  const nodes = texts.map((text, i) => node(`${i}`, text))
  for (const options of [{}, { k1: 0.9, b: 0.4 }, { k1: 0, b: 0 }]) {
    const [store, memory] = [new PostgresKeywordRetriever(await newDatabase(), options), new Bm25Retriever(options)]
    await store.add(nodes)
    memory.add(nodes)
    for (const query of [...texts, 'query box', 'strasse', '結果', 'OR', 'pear pear init', 'zebra', '***'])
      expect(scoresOf(await store.retrieve(query)), query).toEqual(scoresOf(await memory.retrieve(query)))
  }
})

it('has the scores of Bm25Retriever after any additions, replacements and removals', async () => {
  const store = new PostgresKeywordRetriever(await newDatabase(), { similarityTopK: 100 })
  const memory = new Bm25Retriever({ similarityTopK: 100 })
  let state = 7
  const below = (limit: number) => {
    state = (state * 16807) % 2147483647
    return state % limit
  }
  const text = () => Array.from({ length: 1 + below(12) }, () => `w${below(9)}`).join(' ')
  for (let round = 0; round < 40; round++) {
    const added = Array.from({ length: below(6) }, () => node(`${below(30)}`, text()))
    const removed = Array.from({ length: below(4) }, () => `${below(30)}`).filter((id) => !idsOf(added).includes(id))
    await store.apply({ added, removed })
    memory.add(added)
    memory.remove(removed)
    const query = text()
    expect(scoresOf(await store.retrieve(query)), `round ${round}`).toEqual(scoresOf(await memory.retrieve(query)))
    expect(await store.count()).toBe(memory.size)
  }
})

it('writers of the same and of other nodes at the same time leave one version of each node', async () => {
  const schema = newSchema()
  const pool = newPool({ max: 8 })
  const writers = await Promise.all(
    Array.from({ length: 8 }, async () => new PostgresKeywordRetriever(await openDatabase(pool, { schema }))),
  )
  await Promise.all(
    writers.map(async (writer, i) => {
      for (let round = 0; round < 6; round++) {
        await writer.add([node('shared', `text of writer${i}`), node(`own${i}`, `own text ${round}`)])
        if (round % 2 === 0) await writer.remove([`own${(i + 1) % 8}`])
      }
    }),
  )
  const [reader] = writers
  const found = await reader!.retrieve('text')
  const memory = new Bm25Retriever({ nodes: found.map((entry) => entry.node) })
  expect(await reader!.count()).toBe(found.length)
  for (const query of ['text', 'own', 'writer3', '5'])
    expect(scoresOf(await reader!.retrieve(query)).sort()).toEqual(scoresOf(await memory.retrieve(query)).sort())
})

it('many writers of one node all succeed', async () => {
  const schema = newSchema()
  const pool = newPool({ max: 16 })
  const text = Array.from({ length: 300 }, (_, i) => `word${i}`).join(' ')
  const adding = Array.from({ length: 16 }, async (_, i) => {
    const writer = new PostgresKeywordRetriever(await openDatabase(pool, { schema }))
    for (let round = 0; round < 4; round++) await writer.add([node('shared', `${text} writer${i}`)])
    return writer
  })
  const [writer] = await Promise.all(adding)
  expect(idsOf(await writer!.retrieve('word7'))).toEqual(['shared'])
})

it('adds all nodes or none', async () => {
  const retriever = new PostgresKeywordRetriever(await newDatabase())
  const broken = TextNode.construct({ id: 'b', text: 'red', metadata: { score: Number.NaN } })
  await expect(retriever.add([node('a', 'red'), broken])).rejects.toMatchObject({ code: 'serialization' })
  expect([await retriever.count(), await retriever.retrieve('red')]).toEqual([0, []])
})

it('a transaction that fails leaves the index unchanged', async () => {
  const database = await newDatabase()
  const retriever = new PostgresKeywordRetriever(database)
  await retriever.add([node('a', 'red apples')])
  const before = scoresOf(await retriever.retrieve('red'))
  const failing = database.transaction(async (inside) => {
    const own = new PostgresKeywordRetriever(inside)
    await own.apply({ added: [node('b', 'red pears')], removed: ['a'], kept: ['c'] })
    expect(idsOf(await own.retrieve('red'))).toEqual(['b'])
    throw new Error('enough')
  })
  await expect(failing).rejects.toThrow('enough')
  expect(scoresOf(await retriever.retrieve('red'))).toEqual(before)
})

it('refuses a tokenizer that returns different terms, unless the index is empty', async () => {
  const database = await newDatabase()
  const other = new PostgresKeywordRetriever(database, { tokenize: wordTokenizer({ ngrams: 4 }) })
  const retriever = new PostgresKeywordRetriever(database)
  await retriever.add([node('a', 'Hochhaus')])
  await expect(other.add([node('b', 'Hochhaus')])).rejects.toMatchObject({ code: 'configuration' })
  await expect(other.add([node('a', 'Hochhaus')])).resolves.toBeUndefined()
  await expect(retriever.retrieve('Hochhaus')).rejects.toMatchObject({ code: 'configuration' })
  expect(idsOf(await other.retrieve('haus'))).toEqual(['a'])
  await other.remove(['a'])
  await retriever.add([node('a', 'parsers')])
  expect(idsOf(await retriever.retrieve('parser'))).toEqual(['a'])
})

it('keeps its tokenizer when a retriever with a different one removes all nodes', async () => {
  const database = await newDatabase()
  const retriever = new PostgresKeywordRetriever(database)
  await retriever.add([node('a', 'red')])
  await new PostgresKeywordRetriever(database, { tokenize: wordTokenizer({ ngrams: 4 }) }).remove(['a'])
  expect(await retriever.retrieve('red')).toEqual([])
})

it('returns which ids it lacks', async () => {
  const retriever = new PostgresKeywordRetriever(await newDatabase())
  await retriever.add([node('a', 'red'), node('\u0000', 'red')])
  expect(await retriever.missing(['a', 'b', '\u0000'])).toEqual(['b'])
  expect(await retriever.apply({ kept: ['a', 'c'] })).toEqual(['c'])
  expect(await retriever.apply({ added: [node('d', 'red')], kept: ['a', 'd', 'e'] })).toEqual(['e'])
})

it.each([-1, 0.5, '3'])('refuses %s as similarityTopK', async (similarityTopK) => {
  const database = await newDatabase()
  const options = { similarityTopK: similarityTopK as number }
  expect(() => new PostgresKeywordRetriever(database, options)).toThrow(
    expect.objectContaining({ code: 'model_validation' }),
  )
})
