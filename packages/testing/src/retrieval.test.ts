import type { TextNode } from '@x/core-model'
import { IndexedDBKeywordRetriever, IndexedDBVectorRetriever } from '@x/retrieval/indexeddb'
import { IDBFactory } from 'fake-indexeddb'
import 'fake-indexeddb/auto'
import { Bm25Retriever, VectorRetriever } from '@x/retrieval'
import { describe, expect, it } from 'vitest'
import { type CheckedIndexOptions, indexChecks, LetterEmbedding } from './retrieval.ts'

describe('a keyword index in memory', () => {
  const create = (options: CheckedIndexOptions) => new Bm25Retriever(options)
  for (const { name, run } of indexChecks(create, { kind: 'words', hasBm25Scores: true })) it(name, run)
})

describe('a vector index in memory', () => {
  const create = (options: CheckedIndexOptions) =>
    new VectorRetriever({ embedModel: new LetterEmbedding(), similarityTopK: 10, ...options })
  for (const { name, run } of indexChecks(create, { kind: 'vectors' })) it(name, run)
})

// The same checks run in a real browser: `npm run browser`.
describe('a keyword index in IndexedDB', () => {
  const create = (options: CheckedIndexOptions) =>
    IndexedDBKeywordRetriever.open('words', { indexedDB: new IDBFactory(), durability: 'relaxed', ...options })
  for (const { name, run } of indexChecks(create, { kind: 'words', hasBm25Scores: true })) it(name, run)
})

describe('a vector index in IndexedDB', () => {
  const create = (options: CheckedIndexOptions) =>
    IndexedDBVectorRetriever.open('vectors', {
      indexedDB: new IDBFactory(),
      embedModel: new LetterEmbedding(),
      similarityTopK: 10,
      ...options,
    })
  for (const { name, run } of indexChecks(create, { kind: 'vectors' })) it(name, run)
})

describe('indexChecks', () => {
  const failing = async (create: (options: CheckedIndexOptions) => Bm25Retriever) => {
    const failed: string[] = []
    for (const { name, run } of indexChecks(create, { kind: 'words', hasBm25Scores: true }))
      await run().catch((error) => failed.push(error.code === 'contract' ? name : `${name}: ${error}`))
    return failed
  }

  it('fail for an index that filters the best nodes only', async () => {
    class Late extends Bm25Retriever {
      override async retrieve(query: string, { filters, ...options }: { filters?: never } = {}) {
        const found = await super.retrieve(query, options)
        return filters ? found.filter(({ metadata }) => metadata['tenant'] === filters[0]!['value']) : found
      }
    }
    expect(await failing(() => new Late())).toContain('applies filters before it selects the best nodes')
  })

  it('fail for an index that keeps removed and replaced nodes, or has other scores', async () => {
    class Keeping extends Bm25Retriever {
      override remove() {
        return 0
      }
    }
    expect(await failing(() => new Keeping())).toEqual(
      expect.arrayContaining([
        'removes nodes, and ignores ids that it does not contain',
        'says which nodes it contains',
      ]),
    )
    expect(await failing((options) => new Bm25Retriever({ k1: 1.2, ...options }))).toEqual(['has the scores of BM25'])
    class Doubled extends Bm25Retriever {
      override add(nodes: Iterable<TextNode>) {
        super.add([...nodes].map((node) => node.copy({ update: { id: `${node.id}!` } })))
      }
    }
    expect((await failing(() => new Doubled())).length).toBeGreaterThan(5)
  })
})
