import { TextNode } from '@x/core-model'
import { filterOperators, type MetadataFilter, type MetadataFilters, nodeFilter } from '@x/retrieval'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openDatabase } from './sqlite-database.ts'
import { SqliteKeywordRetriever } from './sqlite-keyword-retriever.ts'
import { SqliteVectorRetriever } from './sqlite-vector-retriever.ts'

const scalar = fc.oneof(
  fc.constantFrom<string | number | boolean>(
    'a',
    'b',
    'Ä',
    '',
    '1',
    'x"y',
    'a\u0000b',
    '\ud83d\ude00',
    0,
    1,
    2.5,
    -1,
    2 ** 53,
    1e300,
    true,
    false,
  ),
  fc.integer({ min: -3, max: 3 }),
)
const entry = fc.oneof(scalar, fc.constant(null), fc.constant(9007199254740993n), fc.array(scalar, { maxLength: 2 }))
const key = fc.constantFrom('k', 'team', 'a.b', 'q"q', 'back\\slash', 'ö', '$', '[0]')
const metadata = fc.dictionary(key, entry, { maxKeys: 4 })
const filter: fc.Arbitrary<MetadataFilter> = fc
  .record({
    key,
    operator: fc.constantFrom(...filterOperators),
    value: scalar,
    values: fc.array(scalar, { maxLength: 3 }),
  })
  .map(({ key, operator, value, values }) => {
    if (['in', 'nin', 'any', 'all'].includes(operator)) return { key, operator, value: values }
    if (['>', '>=', '<', '<='].includes(operator))
      return { key, operator, value: typeof value === 'boolean' ? 1 : value }
    return { key, operator, value: operator === 'text_match' ? String(value) : value }
  })
const filters = fc.letrec<{ group: MetadataFilters }>((tie) => ({
  group: fc.record({
    filters: fc.array(fc.oneof({ maxDepth: 2 }, filter, tie('group')), { maxLength: 3 }),
    condition: fc.constantFrom('and', 'or', 'not'),
  }),
})).group

it.each(['node:sqlite', 'better-sqlite3'] as const)(
  'searches with filters find exactly the nodes that meet them (%s)',
  async (library) => {
    const embedModel = {
      getQueryEmbedding: async () => [1, 1],
      getTextEmbedding: async () => [1, 1],
      getTextEmbeddingBatch: async (texts: readonly string[]) => texts.map(() => [1, 1]),
    }
    await fc.assert(
      fc.asyncProperty(fc.array(metadata, { minLength: 1, maxLength: 8 }), filters, async (all, group) => {
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
      }),
      { numRuns: 150 },
    )
  },
)
