import { TextNode } from '@x/core-model'
import { IDBFactory } from 'fake-indexeddb'
import 'fake-indexeddb/auto'
import { describe, expect, it } from 'vitest'
import { IndexedDBDocumentStore, IndexedDBKeyValueStore } from './indexeddb.ts'

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

describe('IndexedDBDocumentStore', () => {
  it('contains the nodes again after it is closed and opened', async () => {
    const options = { indexedDB: new IDBFactory(), durability: 'relaxed', namespace: 'other' } as const
    const store = await IndexedDBDocumentStore.open('documents', options)
    await store.addDocuments([new TextNode({ id: 'a', text: 'Hello' })])
    store.close()
    const again = await IndexedDBDocumentStore.open('documents', options)
    expect((await again.getNode('a')).text).toBe('Hello')
    const elsewhere = await IndexedDBDocumentStore.open('others', options)
    expect(await elsewhere.documentExists('a')).toBe(false)
  })

  it('needs no global class beside the factory', async () => {
    const global = globalThis as { IDBKeyRange?: unknown }
    const { IDBKeyRange } = global
    delete global.IDBKeyRange
    try {
      const store = await IndexedDBDocumentStore.open('documents', { indexedDB: new IDBFactory() })
      await store.addDocuments([new TextNode({ id: 'a', text: 'Hello' })])
      expect(Object.keys(await store.docs())).toEqual(['a'])
      expect(Object.values(await store.getAllDocumentHashes())).toEqual(['a'])
    } finally {
      global.IDBKeyRange = IDBKeyRange
    }
  })

  it('allows another connection to delete the database', async () => {
    const indexedDB = new IDBFactory()
    const store = await IndexedDBDocumentStore.open('documents', { indexedDB })
    await new Promise((resolve) => {
      indexedDB.deleteDatabase('documents').onsuccess = resolve
    })
    const closed = { code: 'store_read', path: 'documents', message: expect.stringContaining('open it again') }
    await expect(store.docs()).rejects.toMatchObject(closed)
    await expect(store.addDocuments([new TextNode({ text: 'Hello' })])).rejects.toMatchObject(closed)
  })

  it('refuses what is no name, and the database of another program', async () => {
    const indexedDB = new IDBFactory()
    for (const name of [undefined, null, 5, {}])
      await expect(IndexedDBDocumentStore.open(name as string, { indexedDB })).rejects.toMatchObject({
        code: 'model_validation',
        message: expect.stringContaining('IndexedDBKeyValueStore.open.name'),
      })
    await new Promise((resolve) => {
      const request = indexedDB.open('theirs', 1)
      request.onsuccess = () => resolve(request.result.close())
    })
    await expect(IndexedDBDocumentStore.open('theirs', { indexedDB })).rejects.toMatchObject({
      code: 'store_read',
      message: expect.stringContaining('another program'),
    })
  })

  it('rejects a database of a newer version, and a platform without IndexedDB', async () => {
    const indexedDB = new IDBFactory()
    await new Promise((resolve) => {
      const request = indexedDB.open('documents', 99)
      request.onsuccess = () => resolve(request.result.close())
    })
    await expect(IndexedDBDocumentStore.open('documents', { indexedDB })).rejects.toMatchObject({
      code: 'store_read',
      path: 'documents',
      cause: expect.objectContaining({ name: 'VersionError' }),
    })
    const none = null as unknown as IDBFactory
    await expect(IndexedDBKeyValueStore.open('documents', { indexedDB: none })).rejects.toThrow('no IndexedDB')
  })

  it('says that the site may not store more', async () => {
    const indexedDB = new IDBFactory()
    const node = new TextNode({ id: 'a', text: 'Hello' })
    await (await IndexedDBDocumentStore.open('documents', { indexedDB })).addDocuments([node])
    useUp(indexedDB)
    const store = await IndexedDBDocumentStore.open('documents', { indexedDB })
    await expect(store.addDocuments([new TextNode({ text: 'More' })])).rejects.toMatchObject({
      code: 'store_write',
      path: 'documents',
      systemCode: 'QuotaExceededError',
      message: expect.stringContaining('delete data of the site'),
      cause: { name: 'QuotaExceededError' },
    })
    expect(Object.keys(await store.docs())).toEqual(['a'])
  })

  it('discards a transaction that awaits a promise of its own', async () => {
    const store = await IndexedDBKeyValueStore.open('documents', { indexedDB: new IDBFactory() })
    const waiting = store.transaction(async (inside) => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      await inside.put('a', {})
    })
    await expect(waiting).rejects.toMatchObject({ name: 'TransactionInactiveError' })
    expect(await store.getAll()).toEqual({})
  })
})
