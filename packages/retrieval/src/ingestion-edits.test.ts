import { SimpleDocumentStore } from '@x/storage'
import { describe, expect, it } from 'vitest'
import { CountingEmbedding, runEdits } from '../test/ingestion-edits.ts'
import { Bm25Retriever } from './bm25-retriever.ts'
import { VectorRetriever } from './vector-retriever.ts'

describe.each([
  { lineNumbers: false, embeds: true },
  { lineNumbers: true, embeds: true },
  { lineNumbers: false, embeds: false },
  { lineNumbers: true, embeds: false },
])('after edits, with %j', (options) => {
  it.each([3, 5, 7])('store and indexes equal those of a fresh ingestion (seed %i)', async (seed) => {
    const embedModel = new CountingEmbedding()
    const store = new SimpleDocumentStore()
    const indexes = [
      new Bm25Retriever({ similarityTopK: 1000 }),
      new VectorRetriever({ embedModel, similarityTopK: 1000 }),
    ]
    expect(await runEdits({ open: async () => ({ store, indexes }), embedModel, edits: 60, seed, ...options })).toEqual(
      [],
    )
  })
})
