import { TextNode } from '@x/core-model'
import { nodeFilter, type VectorRetriever } from '@x/retrieval'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import { filtersArbitrary, metadataArbitrary } from '../../../retrieval/test/filter-arbitraries.ts'
import { newDatabase, vectorDatabases } from '../test/new-database.ts'
import { PostgresKeywordRetriever } from './postgres-keyword-retriever.ts'
import { PostgresVectorRetriever } from './postgres-vector-retriever.ts'

const newVectorDatabase = vectorDatabases()
const embedModel = {
  getQueryEmbedding: async () => [1, 1],
  getTextEmbedding: async () => [1, 1],
  getTextEmbeddingBatch: async (texts: readonly string[]) => texts.map(() => [1, 1]),
}

it.each(['words', 'vectors'])(
  'searches of %s with filters find exactly the nodes that meet them',
  { timeout: 180_000 },
  async (kind) => {
    const retriever =
      kind === 'words'
        ? new PostgresKeywordRetriever(await newDatabase())
        : new PostgresVectorRetriever(await newVectorDatabase(), { embedModel })
    await fc.assert(
      fc.asyncProperty(
        fc.array(metadataArbitrary, { minLength: 1, maxLength: 8 }),
        filtersArbitrary,
        fc.integer({ min: 1, max: 9 }),
        async (all, group, limit) => {
          const nodes = all.map((metadata, i) => {
            const excludedEmbedMetadataKeys = Object.keys(metadata)
            return new TextNode({ id: `${i}`, text: 'word', metadata, excludedEmbedMetadataKeys })
          })
          await retriever.remove(Array.from({ length: 8 }, (_, i) => `${i}`))
          await retriever.add(nodes)
          const expected = nodes.filter(nodeFilter(group)).map(({ id }) => id)
          retriever.similarityTopK = limit
          const found = await (retriever as Pick<VectorRetriever, 'retrieve'>).retrieve('word', { filters: group })
          expect(found.map(({ nodeId }) => nodeId)).toEqual(expected.slice(0, limit))
        },
      ),
      { numRuns: rounds(40, 300) },
    )
  },
)
