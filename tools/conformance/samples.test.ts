import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeJsonText } from '@x/core-model'
import { lineOf, pythonLine } from '@x/core-model/python'
import { FileChatStore, SimpleDocumentStore, StorageFolder } from '@x/storage/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeSamples } from './sample-folders.ts'

const samples = writeSamples()
/** Releases whose own programs wrote a storage folder, and the line that their files show. */
const releases = {
  '0.10.15': '0.10',
  '0.10.68': '0.10.48',
  '0.11.23': '0.10.48',
  '0.12.0': '0.10.48',
  '0.12.5': '0.12.1',
  '0.12.22': '0.12.10',
  '0.12.52': '0.12.32',
  '0.13.6': '0.12.32',
  '0.14.14': '0.12.32',
} as const

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'samples-'))
})
afterEach(() => rm(directory, { recursive: true }))

describe.each(Object.entries(releases))('the files that LlamaIndex for Python %s wrote', (release, line) => {
  const sample = join(samples, release)
  const same = async (name: string) =>
    expect(await readFile(join(directory, name), 'utf8')).toBe(await readFile(join(sample, name), 'utf8'))

  it('are read and written again: the same bytes', async () => {
    const folder = await StorageFolder.read(sample)
    expect(folder.leftOut).toEqual([])
    expect(lineOf(folder.documents.toDict())).toBe(line)
    await folder.write(directory)
    const chats = await FileChatStore.fromPersistPath(join(sample, 'chat_store.json'))
    await chats.persist(join(directory, 'chat_store.json'))
    const names = await readdir(sample)
    expect((await readdir(directory)).sort()).toEqual(names.sort())
    for (const name of names) await same(name)
  })

  it('are written again by all operations of the stores: the same bytes', async () => {
    const store = await SimpleDocumentStore.fromPersistDir(sample)
    const nodes = Object.values(await store.docs())
    // No hash differs, so nothing is embedded again.
    expect(await store.upsert(nodes)).toMatchObject({ added: [], changed: [], removed: [] })
    const before = store.toDict()
    await store.addDocuments(nodes)
    const after = store.toDict()
    for (const name of ['docstore/data', 'docstore/metadata'])
      expect(writeJsonText(after[name])).toBe(writeJsonText(before[name]))
    const chats = await FileChatStore.fromPersistPath(join(sample, 'chat_store.json'))
    for (const key of chats.getKeys()) chats.setMessages(key, chats.getMessages(key))
    await chats.persist(join(directory, 'chat_store.json'))
    await same('chat_store.json')
  })

  it.each(Object.keys(releases))('are written for %s, whose form they then have', async (other) => {
    const folder = await StorageFolder.read(sample)
    await folder.write(directory, { line: other })
    const again = await SimpleDocumentStore.fromPersistDir(directory)
    const keys = async (store: SimpleDocumentStore) =>
      Object.values(store.toDict()['docstore/data']!).map((record) => Object.keys(record['__data__'] as object))
    expect(await keys(again)).toEqual(await keys(await SimpleDocumentStore.fromPersistDir(join(samples, other))))
    const text = async (store: SimpleDocumentStore) =>
      Object.values(await store.docs()).map((node) => [node.id, node.text, node.getContent('all'), node.metadata])
    expect(await text(again)).toEqual(await text(folder.documents))
    for (const node of Object.values(await again.docs()))
      expect(await again.getDocumentHash(node.id)).toBe(pythonLine(other).hashOf(node))
  })
})
