import { expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import { CountingEmbedding, runEdits } from '../../../retrieval/test/ingestion-edits.ts'
import { openDatabase } from './sqlite-database.ts'
import { SqliteDocumentStore } from './sqlite-document-store.ts'
import { SqliteKeywordRetriever } from './sqlite-keyword-retriever.ts'
import { SqliteVectorRetriever } from './sqlite-vector-retriever.ts'

it.each([
  { lineNumbers: false, embeds: true },
  { lineNumbers: true, embeds: true },
  { lineNumbers: true, embeds: false },
])('after edits, store and indexes equal those of a fresh ingestion: %j', async (options) => {
  const embedModel = new CountingEmbedding()
  const database = await openDatabase(':memory:')
  const target = {
    store: new SqliteDocumentStore(database),
    indexes: [
      new SqliteKeywordRetriever(database, { similarityTopK: 1000 }),
      new SqliteVectorRetriever(database, { embedModel, similarityTopK: 1000 }),
    ],
  }
  expect(await runEdits({ open: async () => target, embedModel, edits: rounds(20, 60), ...options })).toEqual([])
  database.close()
})
