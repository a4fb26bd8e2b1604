/// <reference types="node" />
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChatMessage, TextNode } from '@x/core-model'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SimpleChatStore, SimpleDocumentStore } from './node.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'store-'))
})
afterEach(() => rm(directory, { recursive: true }))

describe('SimpleDocumentStore with files', () => {
  it('writes a file that gives the same store', async () => {
    const store = new SimpleDocumentStore()
    await store.addDocuments([new TextNode({ id: 'a', text: 'é🍎', relationships: { '1': { nodeId: 'D' } } })])
    await store.persist(join(directory, 'docstore.json'))
    expect((await SimpleDocumentStore.fromPersistDir(directory)).toDict()).toEqual(store.toDict())
    expect(await readdir(directory)).toEqual(['docstore.json'])
  })

  it('writes what was added before, in the order of the calls', async () => {
    const store = new SimpleDocumentStore()
    const path = join(directory, 'docstore.json')
    await Promise.all([store.addDocuments([new TextNode({ id: 'a' })]), store.persist(path)])
    expect(await (await SimpleDocumentStore.fromPersistPath(path)).documentExists('a')).toBe(true)
  })

  it('reads a file whose nodes have lost their class names', async () => {
    const path = join(directory, 'docstore.json')
    const record = { __data__: { id_: 'a', text: 'ta', index_id: 'x' }, __type__: '3' }
    await writeFile(path, JSON.stringify({ 'docstore/data': { a: record } }))
    expect((await (await SimpleDocumentStore.fromPersistPath(path)).getNode('a')).toDict()).toMatchObject({
      index_id: 'x',
      class_name: 'IndexNode',
    })
  })

  it.each(['', '{"docstore/data": {"a', '[]', '"text"', '{"name": "x", "version": 1}'])(
    'refuses %j and leaves it untouched',
    async (text) => {
      const path = join(directory, 'foreign.json')
      await writeFile(path, text)
      await expect(SimpleDocumentStore.fromPersistPath(path)).rejects.toMatchObject({
        code: 'store_read',
        path,
        cause: expect.any(Error),
      })
      await expect(SimpleChatStore.fromPersistPath(path)).rejects.toMatchObject({ code: 'store_read', path })
      expect(await readFile(path, 'utf8')).toBe(text)
    },
  )
})

describe('SimpleChatStore', () => {
  it('holds in its file what the last call wrote, also when an earlier one takes longer', async () => {
    const store = new SimpleChatStore()
    const path = join(directory, 'chat.json')
    store.addMessage('a', new ChatMessage({ content: 'x'.repeat(20_000_000) }))
    const first = store.persist(path)
    store.setMessages('a', [new ChatMessage({ content: 'last' })])
    await Promise.all([first, store.persist(path)])
    const kept = await SimpleChatStore.fromPersistPath(path)
    expect(kept.getMessages('a').map(({ content }) => content)).toEqual(['last'])
  })

  it('writes again after a writing that failed', async () => {
    const store = new SimpleChatStore()
    const path = join(directory, 'taken')
    await mkdir(join(path, 'inside'), { recursive: true })
    const results = await Promise.allSettled([store.persist(path), store.persist(join(directory, 'chat.json'))])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  })

  it('is read back from its file', async () => {
    const store = new SimpleChatStore()
    store.addMessage('a', new ChatMessage({ role: 'assistant', content: 'é' }))
    const path = join(directory, 'chat.json')
    await store.persist(path)
    expect((await SimpleChatStore.fromPersistPath(path)).toDict()).toEqual(store.toDict())
  })
})
