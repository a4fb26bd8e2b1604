import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { FileChatStore, SimpleDocumentStore, StorageFolder } from '@x/storage/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeSamples } from './sample-folders.ts'

/** Small folders in the forms of lines. What real releases wrote is tested in `samples.test.ts`. */
const lines = ['0.10', '0.11', '0.12', '0.14']
const samples = writeSamples()

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lines-'))
})
afterEach(() => rm(directory, { recursive: true }))

const json = async (path: string) => JSON.parse(await readFile(path, 'utf8'))

/** Leaves out the hashes of sources in relationships, which are of the time when the nodes were made. */
const withoutSources = (store: unknown) =>
  JSON.parse(JSON.stringify(store, (key, value) => (key === '1' ? null : value)))

describe.each(lines)('the sample files of the line %s', (line) => {
  it('are read, and written again unchanged', async () => {
    const store = await SimpleDocumentStore.fromPersistDir(join(samples, line))
    const nodes = Object.values(await store.docs())
    // Every node counts as unchanged, so nothing is embedded again.
    expect(await store.upsert(nodes)).toMatchObject({ added: [], changed: [], removed: [] })
    await store.addDocuments(nodes)
    await store.persist(join(directory, 'docstore.json'))
    expect(await json(join(directory, 'docstore.json'))).toEqual(await json(join(samples, line, 'docstore.json')))
    const chats = await FileChatStore.fromPersistPath(join(samples, line, 'chat_store.json'))
    await chats.persist(join(directory, 'chat_store.json'))
    const [written, read] = await Promise.all(
      [directory, join(samples, line)].map((at) => json(join(at, 'chat_store.json'))),
    )
    expect(JSON.parse(written)).toEqual(JSON.parse(read))
  })

  it('are a storage folder, which is written again unchanged', async () => {
    const folder = await StorageFolder.read(join(samples, line))
    expect(folder.indexes).toEqual([{ id: 'main', vectorStores: ['default'], nodeIds: ['n1', 'n2'] }])
    expect(folder.leftOut.map(({ key }) => key)).toEqual(['index_store.json: words'])
    expect((await folder.nodesOf('main')).map(({ embedding }) => embedding?.length)).toEqual([4, 4])
    await folder.write(directory)
    for (const name of ['docstore', 'default__vector_store', 'image__vector_store', 'graph_store'])
      expect(await json(join(directory, `${name}.json`))).toEqual(await json(join(samples, line, `${name}.json`)))
  })

  it.each(lines)('are written in the line %s', async (other) => {
    const store = await SimpleDocumentStore.fromPersistDir(join(samples, line))
    const path = join(directory, 'docstore.json')
    await store.persist(path, { line: other })
    const expected = await json(join(samples, other, 'docstore.json'))
    expect(withoutSources(await json(path))).toEqual(withoutSources(expected))
    // Calls that were read from the data of the provider stay there.
    if (line === '0.12' && other === '0.14') return
    const chats = await FileChatStore.fromPersistPath(join(samples, line, 'chat_store.json'))
    await chats.persist(join(directory, 'chat_store.json'), { line: other })
    expect(JSON.parse(await json(join(directory, 'chat_store.json')))).toEqual(
      JSON.parse(await json(join(samples, other, 'chat_store.json'))),
    )
  })
})
