import { TextNode } from '@x/core-model'
import { nodeFilter } from '@x/retrieval'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import { filtersArbitrary, metadataArbitrary } from '../../../retrieval/test/filter-arbitraries.ts'
import { openDatabase } from './sqlite-database.ts'
import { SqliteKeywordRetriever } from './sqlite-keyword-retriever.ts'
import { SqliteVectorRetriever } from './sqlite-vector-retriever.ts'

it.each(['node:sqlite', 'better-sqlite3'] as const)(
  'searches with filters find exactly the nodes that meet them (%s)',
  async (library) => {
    const embedModel = {
      getQueryEmbedding: async () => [1, 1],
      getTextEmbedding: async () => [1, 1],
      getTextEmbeddingBatch: async (texts: readonly string[]) => texts.map(() => [1, 1]),
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(metadataArbitrary, { minLength: 1, maxLength: 8 }),
        filtersArbitrary,
        async (all, group) => {
          const database = await openDatabase(':memory:', { library })
          const nodes = all.map((each, i) => {
            const node = new TextNode({ id: `${i}`, text: 'word', metadata: each })
            node.excludedEmbedMetadataKeys = Object.keys(each)
            return node
          })
          const [words, vectors] = [
            new SqliteKeywordRetriever(database, { similarityTopK: 20 }),
            new SqliteVectorRetriever(database, { embedModel, similarityTopK: 20 }),
          ]
          words.add(nodes)
          await vectors.add(nodes)
          const expected = nodes.filter(nodeFilter(group)).map(({ id }) => id)
          for (const retriever of [words, vectors])
            expect((await retriever.retrieve('word', { filters: group })).map(({ nodeId }) => nodeId).sort()).toEqual(
              expected.sort(),
            )
          database.close()
        },
      ),
      { numRuns: rounds(50, 150) },
    )
  },
)

it.each(['tab\t', '\u0001', '\u001b0000'])('finds nodes by the key %j', async (key) => {
  const retriever = new SqliteKeywordRetriever(await openDatabase(':memory:'))
  retriever.add([1, 2].map((value) => new TextNode({ id: `${value}`, text: 'word', metadata: { [key]: value } })))
  const found = await retriever.retrieve('word', { filters: [{ key, value: 2 }] })
  expect(found.map(({ nodeId }) => nodeId)).toEqual(['2'])
})

it.each(['\u001b', '\u001b[31mred', 'a\u0000', '\ud800', '\u0001', '\u007f', 'tab\t'])(
  'finds nodes by the value %j',
  async (value) => {
    const retriever = new SqliteKeywordRetriever(await openDatabase(':memory:'))
    retriever.add([value, 'x'].map((own, i) => new TextNode({ id: `${i}`, text: 'word', metadata: { own } })))
    for (const filter of [
      { key: 'own', value },
      { key: 'own', operator: 'in' as const, value: [value] },
    ])
      expect((await retriever.retrieve('word', { filters: [filter] })).map(({ nodeId }) => nodeId)).toEqual(['0'])
  },
)

it('takes filters with more values, and more filters, than SQLite takes in a statement', async () => {
  const retriever = new SqliteKeywordRetriever(await openDatabase(':memory:'))
  retriever.add([1, 2.5, 'x'].map((own, i) => new TextNode({ id: `${i}`, text: 'word', metadata: { own } })))
  const value = Array.from({ length: 40_000 }, (_, i) => i + 0.5)
  const found = await retriever.retrieve('word', { filters: [{ key: 'own', operator: 'in', value }] })
  expect(found.map(({ nodeId }) => nodeId)).toEqual(['1'])
  const filters = value.map((one) => ({ key: 'own', value: one }))
  const anyOf = await retriever.retrieve('word', { filters: { condition: 'or', filters } })
  expect(anyOf.map(({ nodeId }) => nodeId)).toEqual(['1'])
})
