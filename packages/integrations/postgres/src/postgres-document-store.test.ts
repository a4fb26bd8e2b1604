import { Document, isToolkitError, TextNode } from '@x/core-model'
import { fields, string } from '@x/core-model/fields'
import { fromContent, MarkdownNodeParser } from '@x/node-parser'
import { Bm25Retriever, IngestionPipeline } from '@x/retrieval'
import type { KVDocumentStore } from '@x/storage'
import { documentStoreChecks } from '@x/testing/storage'
import { describe, expect, it } from 'vitest'
import { isFull, rounds } from '../../../../tools/extent.ts'
import { newDatabase, newPool, newSchema } from '../test/new-database.ts'
import { openDatabase } from './open-database.ts'
import { PostgresDocumentStore } from './postgres-document-store.ts'
import type { PostgresPool } from './postgres-driver.ts'

const node = (id: string, source?: string, text = id) =>
  new TextNode({ id, text, ...(source !== undefined && { relationships: { 1: { nodeId: source } } }) })

/** A database that counts its round trips. */
async function countingDatabase() {
  const pool: PostgresPool = newPool()
  const trips = { count: 0 }
  const counted = (target: Pick<PostgresPool, 'query'>) => (text: string, values?: unknown[]) => {
    trips.count++
    return target.query(text, values)
  }
  const database = await openDatabase(
    {
      query: counted(pool),
      connect: async () => {
        const client = await pool.connect()
        const { release } = client
        return Object.assign(Object.create(client), { query: counted(client), release: release.bind(client) })
      },
    },
    { schema: newSchema() },
  )
  const tripsOf = async (operation: () => Promise<unknown>) => {
    trips.count = 0
    await operation()
    return trips.count
  }
  return { database, tripsOf }
}

describe('a document store in Postgres', () => {
  const create = async (): Promise<Pick<KVDocumentStore, keyof KVDocumentStore>> =>
    new PostgresDocumentStore(await newDatabase())
  for (const { name, run } of documentStoreChecks(create)) it(name, run)
})

describe('PostgresDocumentStore', () => {
  const vector = Array.from({ length: 256 }, (_, i) => i / 7)
  const embedModel = {
    getQueryEmbedding: async () => vector,
    getTextEmbedding: async () => vector,
    getTextEmbeddingBatch: async (texts: readonly string[]) => texts.map(() => vector),
  }
  const document = (sections: number, edit = '') =>
    new Document({ id: 'd', text: Array.from({ length: sections }, (_, i) => `# S${i}\n\ntext${edit}`).join('\n\n') })

  it.each(isFull ? [1, 10, 1000, 4000] : [1, 10, 400])(
    'a document of %i nodes is ingested with at most 10 round trips',
    async (size) => {
      const { database, tripsOf } = await countingDatabase()
      const transformations = [new MarkdownNodeParser({ idFunc: fromContent() })]
      const store = new PostgresDocumentStore(database)
      const index = new Bm25Retriever()
      const plain = new IngestionPipeline({ transformations, store, indexes: [index], embedModel })
      const inTransaction = new IngestionPipeline({
        transformations,
        store,
        embedModel,
        transaction: (work) =>
          database.transaction((inside) => work({ store: new PostgresDocumentStore(inside), indexes: [] })),
      })
      const trips: number[] = []
      for (const pipeline of [plain, inTransaction])
        for (const edited of [document(size), document(size, '!'), document(size + 1, '!'), document(1)])
          trips.push(await tripsOf(() => pipeline.run([edited])))
      expect(Math.max(...trips)).toBeLessThanOrEqual(10)
      expect(Object.keys(await store.docs())).toHaveLength(1)
      expect(index.size).toBe(1)
      expect(await tripsOf(() => inTransaction.run([document(1)]))).toBe(1)
    },
  )

  it('documents are ingested at the same time', async () => {
    const store = new PostgresDocumentStore(await newDatabase())
    const transformations = [new MarkdownNodeParser({ idFunc: fromContent() })]
    const pipeline = new IngestionPipeline({ transformations, store, embedModel })
    const documents = Array.from({ length: 40 }, (_, i) => new Document({ id: `d${i}`, text: `# A\n\n${i}` }))
    expect(await pipeline.run(documents, { maxConcurrency: 8 })).toMatchObject({ added: 40 })
    expect(await pipeline.run(documents, { maxConcurrency: 8 })).toMatchObject({ unchanged: 40 })
    expect(Object.keys(await store.docs())).toHaveLength(40)
    expect(await pipeline.run([new Document({ id: 'd0', text: '' })])).toMatchObject({ changed: 1 })
    expect(await store.getRefDocInfo('d0')).toBeNull()
  })

  const create = async () => new PostgresDocumentStore(await newDatabase())

  it('stores your own node classes', async () => {
    class CodeNode extends fields(TextNode, 'CodeNode', { language: string() }) {}
    const database = await newDatabase()
    const store = new PostgresDocumentStore(database, { nodeClasses: [CodeNode] })
    await store.addDocuments([new CodeNode({ id: 'c', text: 'x', language: 'py' })])
    expect(await store.getNode('c')).toBeInstanceOf(CodeNode)
    await expect(new PostgresDocumentStore(database).getNode('c')).rejects.toMatchObject({ code: 'unknown_node_type' })
  })

  it('distinguishes ids with any characters, and refuses ids that are too long', async () => {
    const store = await create()
    const ids = [
      'a\0b',
      'a\u001b0000b',
      'a\u001bb',
      'ab',
      'a\ud800',
      'a\udc00',
      'a\ufffd',
      '\\',
      "'",
      '{a,"b"}',
      'NULL',
      '',
    ]
    await store.addDocuments(ids.map((id) => node(id, `of ${id}`)))
    await store.setDocumentHash('a\0', 'h\0')
    expect((await store.getNodes(ids)).map(({ id }) => id)).toEqual(ids)
    for (const id of ids) expect((await store.getRefDocInfo(`of ${id}`))?.nodeIds).toEqual([id])
    expect(await store.upsert(ids.map((id) => node(id, `of ${id}`)))).toMatchObject({ unchanged: ids })
    const hashes = await store.getAllDocumentHashes()
    expect([await store.getDocumentHash('a\0'), hashes['h\0'], hashes[node('a\0b').hash]]).toEqual([
      'h\0',
      'a\0',
      'a\0b',
    ])
    for (const id of ids) await store.deleteRefDoc(`of ${id}`)
    await store.deleteDocument('a\0')
    expect(await store.getAllDocumentHashes()).toEqual({})
    await store.addDocuments([node('ü'.repeat(650))])
    await expect(store.addDocuments([node('ok'), node('ü'.repeat(651))])).rejects.toMatchObject({
      code: 'model_validation',
      message: expect.stringMatching(/at most 1300 bytes, not of \d+/),
    })
    expect(Object.keys(await store.docs())).toHaveLength(1)
    const message = 'PostgresDatabase.key: expected a string of at most 1300 bytes, received undefined.'
    await expect(store.getNode(undefined as never)).rejects.toMatchObject({ code: 'model_validation', message })
  })

  it('keeps metadata with any characters, in its order', async () => {
    const store = await create()
    const metadata = { z: 'a\0b', '\0': 1, a: { '10': '\ud800', '9': 2n ** 70n } }
    const stored = new TextNode({ id: 'm', text: 'a\0b', metadata, relationships: { 1: { nodeId: 'S' } } })
    await store.addDocuments([stored])
    const read = await store.getNode('m')
    expect([JSON.stringify(Object.keys(read.metadata)), read.hash]).toEqual(['["z","\\u0000","a"]', stored.hash])
    expect(read.toJson()).toBe(stored.toJson())
    expect((await store.getRefDocInfo('S'))?.metadata).toEqual(metadata)
  })

  it('stores documents of many megabytes', async () => {
    const store = await create()
    const documents = ['x', 'é🍎', '"\\'].map((piece, n) =>
      node(`n${n}`, 'S', piece.repeat(rounds(3_000_000, 12_000_000) / piece.length)),
    )
    await store.addDocuments(documents)
    for (const { id, hash } of documents) expect((await store.getNode(id)).hash).toBe(hash)
    expect(await store.upsert(documents)).toMatchObject({ unchanged: ['n0', 'n1', 'n2'] })
  })

  it('stores the last of several nodes with one id', async () => {
    const store = await create()
    await store.addDocuments([node('a', 'S', '1'), node('b', 'S'), node('a', 'S', '2'), node('c', 'T'), node('c', 'S')])
    expect([(await store.getNode('a')).text, await store.getAllRefDocInfo()]).toEqual([
      '2',
      { S: { nodeIds: ['a', 'b', 'c'], metadata: {} } },
    ])
  })

  it('keeps the record of a node when only its hash is stored again', async () => {
    const store = await create()
    await store.addDocuments([node('a', 'S')])
    await store.addDocuments([node('a', 'T')], { storeText: false })
    expect((await store.getNode('a')).refDocId).toBe('S')
    expect(await store.getAllRefDocInfo()).toEqual({ T: { nodeIds: ['a'], metadata: {} } })
  })

  it('returns all nodes one by one, also while they are deleted', async () => {
    const store = await create()
    const ids = Array.from({ length: 1200 }, (_, i) => `n${i}`)
    await store.addDocuments(ids.map((id) => node(id)))
    const found: string[] = []
    for await (const { id } of store.nodes()) {
      found.push(id)
      if (found.length % 100 === 0) await store.deleteDocument(id)
    }
    expect(found).toEqual(ids)
  })

  it('reads and writes a thousand nodes in a few round trips', async () => {
    const { database, tripsOf } = await countingDatabase()
    const store = new PostgresDocumentStore(database)
    const many = Array.from({ length: 1000 }, (_, i) => node(`n${i}`, 'S'))
    expect(await tripsOf(() => store.upsert(many))).toBe(6)
    expect(await tripsOf(() => store.addDocuments(many))).toBe(5)
    expect(await tripsOf(() => store.getNodes(many.map(({ id }) => id)))).toBe(1)
    expect(await tripsOf(() => store.getRefDocInfo('S'))).toBe(1)
    expect(await tripsOf(() => store.deleteRefDoc('S'))).toBe(6)
  })
})

describe('several store objects', () => {
  const stores = async (count: number) => {
    const database = await newDatabase()
    return Array.from({ length: count }, () => new PostgresDocumentStore(database))
  }

  it('lose no nodes when they write to one source at the same time', async () => {
    const writers = await stores(8)
    await Promise.all(
      writers.map(async (store, n) => {
        for (let i = 0; i < 5; i++)
          await store.addDocuments([
            new TextNode({ id: `${n}-${i}`, metadata: { [`k${n}-${i}`]: 1 }, relationships: { 1: { nodeId: 'S' } } }),
          ])
      }),
    )
    const info = await writers[0]!.getRefDocInfo('S')
    expect([info?.nodeIds.length, Object.keys(info?.metadata ?? {}).length]).toEqual([40, 40])
  })

  it('store the nodes of exactly one upsert when they replace a source at the same time', async () => {
    const writers = await stores(6)
    for (let round = 0; round < 5; round++) {
      const lists = writers.map((_, n) => [`${n}`, 'shared', `${n}'`])
      await Promise.all(writers.map((store, n) => store.upsert(lists[n]!.map((id) => node(id, 'S', `${id} by ${n}`)))))
      const { nodeIds } = (await writers[0]!.getRefDocInfo('S'))!
      const winner = lists.findIndex((list) => list.every((id) => nodeIds.includes(id)))
      expect(nodeIds).toHaveLength(3)
      expect((await writers[0]!.getNode('shared')).text).toBe(`shared by ${winner}`)
      expect(Object.keys(await writers[0]!.docs())).toHaveLength(3)
    }
  })

  it('keep sources and nodes consistent when nodes are moved and deleted', async () => {
    const writers = await stores(6)
    let state = 7
    const random = (limit: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((state / 2 ** 32) * limit)
    }
    const quiet = { raiseError: false }
    await Promise.all(
      writers.map(async (store) => {
        for (let i = 0; i < 25; i++) {
          const source = ['S', 'T', 'U', 'a'][random(4)]!
          const ids = ['a', 'b', 'c', 'd', 'e'].filter(() => random(2) === 0)
          const operation = () => {
            if (i % 5 === 0) return store.deleteRefDoc(source, quiet)
            if (i % 5 === 1) return store.deleteDocument('abcde'[random(5)]!, quiet)
            return i % 5 === 2
              ? store.upsert(ids.map((id) => node(id, source)))
              : store.addDocuments(ids.map((id) => node(id, source)))
          }
          // An operation may be refused because of too many others; then it has no effect.
          await operation().catch((error) => {
            if (!isToolkitError(error, 'postgres_conflict')) throw error
          })
        }
      }),
    )
    const [store] = writers
    const nodes = Object.values(await store!.docs())
    const infos = Object.entries(await store!.getAllRefDocInfo())
    const listed = infos.flatMap(([source, { nodeIds }]) => nodeIds.map((id) => `${id} of ${source}`))
    expect(listed.sort()).toEqual(nodes.map(({ id, refDocId }) => `${id} of ${refDocId}`).sort())
    expect(infos.every(([, { nodeIds }]) => nodeIds.length > 0)).toBe(true)
  })
})
