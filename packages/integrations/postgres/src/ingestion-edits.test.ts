import { expect, it } from 'vitest'
import { CountingEmbedding, runEdits } from '../../../../tools/ingestion-edits.ts'
import { newDatabase } from '../test/new-database.ts'
import { PostgresDocumentStore } from './postgres-document-store.ts'

it.each([false, true])(
  'after edits, the store equals that of a fresh ingestion (lineNumbers: %s)',
  async (lineNumbers) => {
    const embedModel = new CountingEmbedding()
    const store = new PostgresDocumentStore(await newDatabase())
    expect(await runEdits({ open: async () => ({ store, indexes: [] }), embedModel, edits: 30, lineNumbers })).toEqual(
      [],
    )
  },
)
