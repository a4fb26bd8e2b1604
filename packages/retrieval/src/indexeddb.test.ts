import { TextNode } from '@x/core-model'
import { IndexedDBDocumentStore } from '@x/storage/indexeddb'
import { IDBFactory } from 'fake-indexeddb'
import 'fake-indexeddb/auto'
import { describe, expect, it } from 'vitest'
import { CountingEmbedding, runEdits } from '../test/ingestion-edits.ts'
import { IndexedDBKeywordRetriever, IndexedDBVectorRetriever } from './indexeddb.ts'
import { wordTokenizer } from './word-tokenizer.ts'

const node = (id: string, text: string, metadata = {}) => new TextNode({ id, text, metadata })
const idsOf = (found: readonly { id: string }[]) => found.map(({ id }) => id)
/** Numbers of the letters of two colors, so that strings with the same color are similar. */
class ColorEmbedding extends CountingEmbedding {
  override async getQueryEmbedding(text = '') {
    return this.getTextEmbedding(text)
  }
  override async getTextEmbedding(text: string) {
    return Array.from('rgn', (letter) => text.split(letter).length - 1)
  }
}

const embedModel = new ColorEmbedding()

/** Aborts the writes of databases that are opened from now on: the site may not store more. */
function useUp(indexedDB: IDBFactory): void {
  const open = indexedDB.open.bind(indexedDB)
  indexedDB.open = (...args) => {
    const request = open(...args)
    request.addEventListener('success', () => {
      const begin = request.result.transaction.bind(request.result)
      request.result.transaction = (...given) => {
        const transaction = begin(...given) as IDBTransaction & { _abort(error: string): void }
        if (given[1] === 'readwrite') queueMicrotask(() => transaction._abort('QuotaExceededError'))
        return transaction
      }
    })
    return request
  }
}

describe('indexes in IndexedDB', () => {
  it('find the nodes again after they are closed and opened', async () => {
    const indexedDB = new IDBFactory()
    const words = await IndexedDBKeywordRetriever.open('words', { indexedDB })
    await words.add([node('a', 'red apples'), node('b', 'green pears')])
    await words.remove(['b'])
    await words.add([node('c', 'red wine'), node('d', 'red apples')])
    const before = (await words.retrieve('red apples')).map(({ id, score }) => [id, score])
    words.close()
    const again = await IndexedDBKeywordRetriever.open('words', { indexedDB })
    expect((await again.retrieve('red apples')).map(({ id, score }) => [id, score])).toEqual(before)
    const vectors = await IndexedDBVectorRetriever.open('vectors', { indexedDB, embedModel })
    await vectors.add([node('a', 'red apples'), node('b', 'green pears')])
    vectors.close()
    const opened = await IndexedDBVectorRetriever.open('vectors', { indexedDB, embedModel, similarityTopK: 1 })
    await opened.update([node('b', 'green pears', { page: 2 }), node('unknown', 'x')])
    expect((await opened.retrieve('green pears')).map(({ id, metadata }) => [id, metadata])).toEqual([
      ['b', { page: 2 }],
    ])
    expect([await opened.count(), await opened.has('a'), await opened.has('unknown')]).toEqual([2, true, false])
  })

  it('may have the name of a store', async () => {
    const indexedDB = new IDBFactory()
    for (const _ of ['made', 'opened']) {
      const words = await IndexedDBKeywordRetriever.open('notes', { indexedDB })
      const store = await IndexedDBDocumentStore.open('notes', { indexedDB })
      const vectors = await IndexedDBVectorRetriever.open('notes', { indexedDB, embedModel })
      await words.add([node('a', 'red')])
      await vectors.add([node('a', 'red')])
      await store.addDocuments([node('a', 'red')])
      expect(idsOf(await words.retrieve('red'))).toEqual(['a'])
      expect(idsOf(await vectors.retrieve('red'))).toEqual(['a'])
      expect(Object.keys(await store.docs())).toEqual(['a'])
      for (const each of [words, store, vectors]) each.close()
    }
  })

  it('say that they are closed when their data were deleted, and open again', async () => {
    const indexedDB = new IDBFactory()
    const words = await IndexedDBKeywordRetriever.open('notes', { indexedDB })
    await words.add([node('a', 'red')])
    await new Promise((resolve) => {
      indexedDB.deleteDatabase('notes/words').onsuccess = resolve
    })
    const closed = { code: 'configuration', message: expect.stringMatching(/^notes: .* open it again/) }
    await expect(words.retrieve('red')).rejects.toMatchObject(closed)
    await expect(words.add([node('b', 'red')])).rejects.toMatchObject(closed)
    expect(await (await IndexedDBKeywordRetriever.open('notes', { indexedDB })).retrieve('red')).toEqual([])
    await expect(IndexedDBKeywordRetriever.open('notes', { indexedDB: {} as never })).rejects.toMatchObject({
      code: 'model_validation',
    })
    for (const name of [undefined, null, 5, {}])
      await expect(IndexedDBKeywordRetriever.open(name as string, { indexedDB })).rejects.toMatchObject({
        code: 'model_validation',
      })
  })

  it('say that the site may not store more', async () => {
    const indexedDB = new IDBFactory()
    const nodes = await IndexedDBKeywordRetriever.open('notes', { indexedDB })
    await nodes.add([node('a', 'red')])
    useUp(indexedDB)
    await expect(IndexedDBKeywordRetriever.open('notes', { indexedDB })).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(/^notes: .* delete data of the site/),
      cause: { name: 'QuotaExceededError' },
    })
    expect(idsOf(await nodes.retrieve('red'))).toEqual(['a'])
  })

  it('see the changes of other tabs', async () => {
    const indexedDB = new IDBFactory()
    const open = () => IndexedDBVectorRetriever.open('shared', { indexedDB, embedModel, similarityTopK: 5 })
    const [one, other] = [await open(), await open()]
    await one.add([node('a', 'red'), node('b', 'green')])
    expect(idsOf(await other.retrieve('green'))).toEqual(['b', 'a'])
    await Promise.all([one.add([node('c', 'greene')]), other.add([node('d', 'greener')]), one.remove(['b'])])
    expect(idsOf(await one.retrieve('green')).sort()).toEqual(['a', 'c', 'd'])
    expect(idsOf(await other.retrieve('green'))).toEqual(idsOf(await one.retrieve('green')))
  })

  it('equal those of a fresh ingestion after edits', async () => {
    const indexedDB = new IDBFactory()
    const counting = new CountingEmbedding()
    const store = await IndexedDBDocumentStore.open('documents', { indexedDB })
    const indexes = [
      await IndexedDBKeywordRetriever.open('words', { indexedDB, similarityTopK: 100 }),
      await IndexedDBVectorRetriever.open('vectors', { indexedDB, embedModel: counting, similarityTopK: 100 }),
    ]
    const target = { store, indexes }
    expect(await runEdits({ open: async () => target, embedModel: counting, edits: 15 })).toEqual([])
  })

  it('refuse vectors of a different length, and a different tokenizer', async () => {
    const indexedDB = new IDBFactory()
    const vectors = await IndexedDBVectorRetriever.open('vectors', { indexedDB, embedModel })
    const long = new TextNode({ id: 'x', text: 'x', embedding: [1, 2] })
    await vectors.add([node('a', 'red')])
    await expect(vectors.add([node('b', 'green'), long])).rejects.toMatchObject({ code: 'embedding_dimension' })
    expect(await vectors.count()).toBe(1)
    const words = await IndexedDBKeywordRetriever.open('words', { indexedDB })
    const other = () => IndexedDBKeywordRetriever.open('words', { indexedDB, tokenize: wordTokenizer({ ngrams: 4 }) })
    await words.add([node('a', 'red')])
    await expect(other()).rejects.toMatchObject({ code: 'configuration', message: expect.stringContaining('words') })
    await words.remove(['a'])
    await (await other()).add([node('a', 'Hochhaus')])
  })

  it('say why they cannot be opened', async () => {
    const none = null as unknown as IDBFactory
    await expect(IndexedDBKeywordRetriever.open('words', { indexedDB: none })).rejects.toMatchObject({
      code: 'configuration',
    })
    const indexedDB = new IDBFactory()
    await new Promise((resolve) => {
      const request = indexedDB.open('words/words', 99)
      request.onsuccess = () => resolve(request.result.close())
    })
    await expect(IndexedDBKeywordRetriever.open('words', { indexedDB })).rejects.toMatchObject({
      code: 'configuration',
      cause: expect.objectContaining({ name: 'VersionError' }),
    })
    await expect(IndexedDBKeywordRetriever.open('a', { similarityTopK: -1 })).rejects.toMatchObject({
      code: 'model_validation',
    })
  })
})
