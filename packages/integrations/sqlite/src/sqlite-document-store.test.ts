import { TextNode, writeJsonText } from '@x/core-model'
import { fields, string } from '@x/core-model/fields'
import type { KVDocumentStore } from '@x/storage'
import { documentStoreChecks } from '@x/testing/storage'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { openDatabase } from './sqlite-database.ts'
import { SqliteDocumentStore } from './sqlite-document-store.ts'

const node = (id: string, source?: string) =>
  new TextNode({ id, text: id, ...(source !== undefined && { relationships: { 1: { nodeId: source } } }) })

describe.each(['node:sqlite', 'better-sqlite3'] as const)('a document store over %s', (library) => {
  const create = async (): Promise<Pick<KVDocumentStore, keyof KVDocumentStore>> =>
    new SqliteDocumentStore(await openDatabase(':memory:', { library }))
  for (const { name, run } of documentStoreChecks(create)) it(name, run)
})

describe('SqliteDocumentStore', () => {
  const create = async () => new SqliteDocumentStore(await openDatabase(':memory:'))

  it('stores your own node classes', async () => {
    class CodeNode extends fields(TextNode, 'CodeNode', { language: string() }) {}
    const database = await openDatabase(':memory:')
    const store = new SqliteDocumentStore(database, { nodeClasses: [CodeNode] })
    await store.addDocuments([new CodeNode({ id: 'c', text: 'x', language: 'py' })])
    expect(await store.getNode('c')).toBeInstanceOf(CodeNode)
    await expect(new SqliteDocumentStore(database).getNode('c')).rejects.toMatchObject({ code: 'unknown_node_type' })
  })

  it('keeps the record of a node when only its hash is stored again', async () => {
    const store = await create()
    await store.addDocuments([node('a', 'S')])
    await store.addDocuments([node('a', 'T')], { storeText: false })
    expect((await store.getNode('a')).refDocId).toBe('S')
    expect(await store.getAllRefDocInfo()).toEqual({ T: { nodeIds: ['a'], metadata: {} } })
  })

  it('merges metadata of sources with floats as they were written', async () => {
    const store = await create()
    const read = (id: string) =>
      TextNode.fromJson(`{"id_": "${id}", "metadata": {"${id}": 1.0}, "relationships": {"1": {"node_id": "S"}}}`)
    await store.addDocuments([read('a')])
    await store.addDocuments([read('b')])
    expect(writeJsonText((await store.getRefDocInfo('S'))?.metadata)).toBe('{"a":1.0,"b":1.0}')
  })

  it('returns all nodes one by one, also while they are deleted', async () => {
    const store = await create()
    const ids = Array.from({ length: 1700 }, (_, i) => `n${i}`)
    await store.addDocuments(ids.map((id) => node(id)))
    const found: string[] = []
    for await (const { id } of store.nodes()) {
      found.push(id)
      await store.deleteDocument(id)
    }
    expect(found).toEqual(ids)
    for await (const { id } of store.nodes()) expect.fail(id)
  })

  it('writes several operations in one transaction', async () => {
    const database = await openDatabase(':memory:')
    const store = new SqliteDocumentStore(database)
    const stop = new Error('stop')
    const adding = () =>
      database.transaction(() => {
        void store.addDocuments([node('a')])
        void store.addDocuments([node('b')])
        throw stop
      })
    expect(adding).toThrow(stop)
    expect(await store.docs()).toEqual({})
    await store.addDocuments([node('c')])
    expect(Object.keys(await store.docs())).toEqual(['c'])
  })

  it.each(['of its own', 'in one source'])(
    'the cost of adding a document %s does not depend on the size of the store',
    { tags: 'growth' },
    async (kind) => {
      const fill = async (size: number) => {
        const store = await create()
        for (let i = 0; i < size; i++)
          await store.addDocuments([node(`n${i}`, kind === 'in one source' ? 'S' : `s${i}`)])
      }
      expect(await growthOf(fill, 100)).toBeLessThan(1.75)
    },
  )
})
