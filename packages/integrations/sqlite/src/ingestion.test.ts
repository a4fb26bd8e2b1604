/// <reference types="node" />
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Document } from '@x/core-model'
import { fromContent, MarkdownNodeParser } from '@x/node-parser'
import { HybridRetriever, IngestionPipeline, type IngestionStoppedError } from '@x/retrieval'
import { expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import { CountingEmbedding, runEdits, runTwo } from '../../../retrieval/test/ingestion-edits.ts'
import { openDatabase } from './sqlite-database.ts'
import { SqliteDocumentStore } from './sqlite-document-store.ts'
import { SqliteKeywordRetriever } from './sqlite-keyword-retriever.ts'
import { SqliteVectorRetriever } from './sqlite-vector-retriever.ts'

/** One dimension per letter, so that words with the same letters are similar. Counts the strings. */
class LetterEmbedding {
  embedded = 0
  async getQueryEmbedding(text: string) {
    return Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => text.toLowerCase().split(letter).length - 1)
  }
  async getTextEmbedding(text: string) {
    this.embedded++
    return this.getQueryEmbedding(text)
  }
  getTextEmbeddingBatch(texts: readonly string[]) {
    return Promise.all(texts.map((text) => this.getTextEmbedding(text)))
  }
}

it('documents are indexed once, and found by words and by meaning after a restart', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sqlite-'))
  const embedModel = new LetterEmbedding()
  const fruit = '# Pears\n\nThey are green.\n\n# Apples\n\nThey are red.'
  const wine = new Document({ id: 'wine.md', text: '# Wine\n\nIt is made of grapes.' })
  const run = async (documents: Document[]) => {
    const database = await openDatabase(join(directory, 'data.db'))
    const store = new SqliteDocumentStore(database)
    const words = new SqliteKeywordRetriever(database)
    const meaning = new SqliteVectorRetriever(database, { embedModel, similarityTopK: 10 })
    const transformations = [new MarkdownNodeParser({ idFunc: fromContent() })]
    const pipeline = new IngestionPipeline({ transformations, store, indexes: [words, meaning], embedModel })
    const { unchanged, changed, added, removed } = await pipeline.run(documents, { removeMissing: true })
    const hybrid = new HybridRetriever({ retrievers: [words, meaning], similarityTopK: 1 })
    const [best] = await hybrid.retrieve('green sparepa')
    const state = { counts: [unchanged, changed, added, removed], best: best?.text, sizes: [words.size, meaning.size] }
    database.close()
    return state
  }
  const best = '# Pears\n\nThey are green.'
  expect(await run([new Document({ id: 'fruit.md', text: fruit }), wine])).toEqual({
    counts: [0, 0, 2, 0],
    best,
    sizes: [3, 3],
  })
  expect(embedModel.embedded).toBe(3)
  expect(await run([new Document({ id: 'fruit.md', text: fruit }), wine])).toEqual({
    counts: [2, 0, 0, 0],
    best,
    sizes: [3, 3],
  })
  expect(embedModel.embedded).toBe(3)
  const changed = new Document({ id: 'fruit.md', text: fruit.replace('red', 'yellow') })
  expect(await run([changed])).toEqual({ counts: [0, 1, 0, 1], best, sizes: [2, 2] })
  expect(embedModel.embedded).toBe(4)
  await rm(directory, { recursive: true })
})

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

it('a run removes no document that another connection stores meanwhile', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sqlite-'))
  const open = async () => {
    const database = await openDatabase(join(directory, 'data.db'))
    const indexes = [new SqliteKeywordRetriever(database, { similarityTopK: 100 })]
    return { database, store: new SqliteDocumentStore(database), indexes }
  }
  const [first, second] = [await open(), await open()]
  const ids = ['kept', 'new', 'slow']
  const counts = { unchanged: 1, changed: 0, added: 1, removed: 1 }
  const targets = [first, second].map(({ store, indexes }) => ({ store, indexes }))
  expect(await runTwo(targets[0]!, targets[1]!)).toEqual({ counts, lists: 1, ids: [ids, ids] })
  for (const { database } of [first, second]) database.close()
  await rm(directory, { recursive: true })
})

it.each([
  ['a full disk', 'sqlite_full', 0],
  ['another connection that writes', 'sqlite_busy', 0],
  ['a file that is read only', 'sqlite_readonly', 2],
])('%s ends a run that skips documents, and the next run continues', async (_, code, blamed) => {
  const directory = await mkdtemp(join(tmpdir(), 'sqlite-'))
  const path = join(directory, 'data.db')
  const documents = (count: number) =>
    Array.from({ length: count }, (_, i) => new Document({ id: `d${i}`, text: `about ${i} ${'fruit '.repeat(90)}` }))
  const embedModel = new LetterEmbedding()
  const run = async (count: number, pragma: string, options: Parameters<typeof openDatabase>[1] = {}) => {
    const database = await openDatabase(path, { busyTimeoutMs: 200, ...options })
    if (pragma) database.run(pragma)
    const store = new SqliteDocumentStore(database)
    const indexes = [new SqliteKeywordRetriever(database), new SqliteVectorRetriever(database, { embedModel })]
    const transformations = [new MarkdownNodeParser({ idFunc: fromContent() })]
    const pipeline = new IngestionPipeline({ transformations, store, indexes, embedModel })
    const embedded = embedModel.embedded
    const result = await pipeline.run(documents(count), { onError: 'skip' }).catch((error: unknown) => error)
    database.close()
    return { result, embedded: embedModel.embedded - embedded }
  }
  await run(3, '')
  const other = await openDatabase(path)
  if (code === 'sqlite_busy') other.run('begin immediate')
  const pragma = code === 'sqlite_full' ? 'pragma max_page_count = 1' : ''
  const { result, embedded } = await run(150, pragma, { readOnly: code === 'sqlite_readonly' })
  other.close()
  expect(result).toMatchObject({ code: 'ingestion_stopped', cause: { code } })
  const { unchanged, added, errors } = (result as IngestionStoppedError).result
  expect([unchanged, errors.length]).toEqual([3, blamed])
  expect(embedded).toBeLessThan(150)
  const { result: next } = await run(150, '')
  expect(next).toMatchObject({ unchanged: 3 + added, errors: [] })
  await rm(directory, { recursive: true })
})
