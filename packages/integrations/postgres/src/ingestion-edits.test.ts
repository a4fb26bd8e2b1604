import { Document } from '@x/core-model'
import { fromContent, MarkdownNodeParser } from '@x/node-parser'
import { HybridRetriever, IngestionPipeline, type IngestionTarget } from '@x/retrieval'
import { LetterEmbedding } from '@x/testing/retrieval'
import { expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import { CountingEmbedding, runEdits, runTwo } from '../../../retrieval/test/ingestion-edits.ts'
import { vectorDatabases } from '../test/new-database.ts'
import type { PostgresDatabase } from './postgres-database.ts'
import { PostgresDocumentStore } from './postgres-document-store.ts'
import type { PostgresPool } from './postgres-driver.ts'
import { PostgresKeywordRetriever } from './postgres-keyword-retriever.ts'
import { PostgresVectorRetriever } from './postgres-vector-retriever.ts'

const newVectorDatabase = vectorDatabases()

/** A store and two indexes of one database, and transactions over all of them. */
function targetOf(database: PostgresDatabase, embedModel: LetterEmbedding | CountingEmbedding) {
  const inside = (each: PostgresDatabase) => ({
    store: new PostgresDocumentStore(each),
    indexes: [
      new PostgresKeywordRetriever(each, { similarityTopK: 100 }),
      new PostgresVectorRetriever(each, { embedModel, similarityTopK: 100 }),
    ] as const,
  })
  const transaction = <T>(work: (target: IngestionTarget) => Promise<T>) =>
    database.transaction((each) => work(inside(each)))
  return { ...inside(database), transaction }
}

it.each([false, true])(
  'after edits, the store and the indexes equal those of a fresh ingestion (lineNumbers: %s)',
  async (lineNumbers) => {
    const embedModel = new CountingEmbedding()
    const target = targetOf(await newVectorDatabase(), embedModel)
    expect(await runEdits({ open: async () => target, embedModel, edits: rounds(12, 30), lineNumbers })).toEqual([])
    const { transaction: _, ...each } = targetOf(await newVectorDatabase(), embedModel)
    expect(await runEdits({ open: async () => each, embedModel, edits: rounds(5, 10), lineNumbers, seed: 5 })).toEqual(
      [],
    )
  },
)

it('a run removes no document that another one stores meanwhile', async () => {
  const embedModel = new CountingEmbedding()
  const database = await newVectorDatabase()
  const [first, second] = [targetOf(database, embedModel), targetOf(database, embedModel)]
  const ids = ['kept', 'new', 'slow']
  const counts = { unchanged: 1, changed: 0, added: 1, removed: 1 }
  expect(await runTwo(first, second)).toEqual({ counts, lists: 1, ids: [ids, ids, ids] })
})

it('documents of any size need at most ten round trips, and are found by words and by meaning', async () => {
  let trips = 0
  const counted = <T extends { query: PostgresPool['query'] }>(client: T): T =>
    Object.assign(Object.create(client), {
      query: (sql: string, values?: unknown[]) => {
        trips++
        return client.query(sql, values)
      },
    })
  const database = await newVectorDatabase((pool) =>
    Object.assign(counted(pool), {
      connect: async () => {
        const client = await pool.connect()
        return Object.assign(counted(client), { release: (error?: boolean) => client.release(error) })
      },
    }),
  )
  const embedModel = new LetterEmbedding()
  const { store, indexes, transaction } = targetOf(database, embedModel)
  const pipeline = new IngestionPipeline({
    transformations: [new MarkdownNodeParser({ idFunc: fromContent() })],
    store,
    indexes,
    transaction,
    embedModel,
  })
  const sections = Array.from({ length: 300 }, (_, i) => `# Part ${i}\n\nIt is about number${i}.`)
  const ingest = async (text: string) => {
    trips = 0
    const outcome = await pipeline.ingest(new Document({ id: 'big.md', text }))
    return [outcome, trips]
  }
  const counts = [await ingest(sections.join('\n\n'))]
  counts.push(await ingest(sections.join('\n\n')))
  sections.splice(100, 1, '# New\n\nA pear.')
  counts.push(await ingest(sections.join('\n\n')))
  expect(counts).toEqual([
    ['added', 10],
    ['unchanged', 3],
    ['changed', 10],
  ])
  const hybrid = new HybridRetriever({ retrievers: indexes, similarityTopK: 1 })
  expect((await hybrid.retrieve('pear')).map(({ text }) => text)).toEqual(['# New\n\nA pear.'])
  await pipeline.remove('big.md')
  expect(await Promise.all(indexes.map((index) => index.count()))).toEqual([0, 0])
})
