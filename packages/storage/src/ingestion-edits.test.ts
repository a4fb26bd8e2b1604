import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IDBFactory } from 'fake-indexeddb'
import 'fake-indexeddb/auto'
import { expect, it } from 'vitest'
import { CountingEmbedding, runEdits } from '../../retrieval/test/ingestion-edits.ts'
import { IndexedDBDocumentStore } from './indexeddb.ts'
import { SimpleDocumentStore } from './simple-document-store-file.ts'

it('after edits, a store in IndexedDB equals that of a fresh ingestion', async () => {
  const embedModel = new CountingEmbedding()
  const store = await IndexedDBDocumentStore.open('test', { indexedDB: new IDBFactory() })
  expect(
    await runEdits({ open: async () => ({ store, indexes: [] }), embedModel, edits: 30, lineNumbers: true }),
  ).toEqual([])
})

it('after edits, a store in a file equals that of a fresh ingestion', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'edits-'))
  const path = join(directory, 'docstore.json')
  const embedModel = new CountingEmbedding()
  let store = new SimpleDocumentStore()
  const open = async () => ({ store, indexes: [] })
  const close = async () => {
    await store.persist(path)
    store = await SimpleDocumentStore.fromPersistPath(path)
  }
  expect(await runEdits({ open, close, embedModel, edits: 30, lineNumbers: true })).toEqual([])
  await rm(directory, { recursive: true })
})
