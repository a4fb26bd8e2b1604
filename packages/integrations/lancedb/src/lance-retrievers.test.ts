import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, Index } from '@lancedb/lancedb'
import { TextNode } from '@x/core-model'
import { wordTokenizer } from '@x/retrieval'
import { LetterEmbedding } from '@x/testing/retrieval'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LanceKeywordRetriever } from './lance-keyword-retriever.ts'
import { labelCondition } from './lance-table.ts'
import { LanceVectorRetriever } from './lance-vector-retriever.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lance-'))
})
afterAll(() => rm(folder, { recursive: true }))
const open = () => connect(folder)
const embedModel = new LetterEmbedding()
const node = (id: string, text: string, metadata = {}, embedding: number[] | null = null) =>
  new TextNode({ id, text, metadata, embedding, excludedEmbedMetadataKeys: Object.keys(metadata) })

describe('an index in a folder', () => {
  it('is there after a restart, and shared by connections', async () => {
    const one = new LanceKeywordRetriever(await open(), { table: 'shared' })
    const two = new LanceKeywordRetriever(await open(), { table: 'shared' })
    expect([await two.count(), await two.retrieve('pears')]).toEqual([0, []])
    expect(await two.remove(['a'])).toBe(0)
    await one.add([node('a', 'red apples')])
    await two.add([node('b', 'green pears')])
    expect(await one.count()).toBe(2)
    expect((await one.retrieve('pears')).map(({ nodeId }) => nodeId)).toEqual(['b'])
    expect(await two.remove(['a', 'none'])).toBe(1)
    expect(await one.has('a')).toBe(false)
    expect(await new LanceKeywordRetriever(await open(), { table: 'shared' }).count()).toBe(1)
  })

  it('loses nothing when several writers add at the same time', async () => {
    const writers = await Promise.all(
      [1, 2, 3].map(
        async () => new LanceVectorRetriever(await open(), { embedModel, table: 'busy', similarityTopK: 100 }),
      ),
    )
    await writers[0]!.add([node('first', 'first')])
    const added = writers.map(async (writer, at) => {
      for (let i = 0; i < 5; i++) await writer.add([node(`${at}-${i}`, 'word')])
      await Promise.all(['x', 'y'].map((name) => writer.add([node(`${at}-${name}`, 'word')])))
    })
    await Promise.all(added)
    expect(await writers[0]!.count()).toBe(22)
  })

  it('finds the same with indexes of LanceDB', async () => {
    const connection = await open()
    const words = new LanceKeywordRetriever(connection, { table: 'indexed-words', similarityTopK: 3 })
    const vectors = new LanceVectorRetriever(connection, { embedModel, table: 'indexed-vectors', similarityTopK: 3 })
    const nodes = Array.from({ length: 600 }, (_, i) =>
      node(`${i}`, `${'abcdefghij'[i % 10]!.repeat(1 + (i % 7))} word${i % 50}`, { tenant: `t${i % 3}` }),
    )
    for (const index of [words, vectors]) await index.add(nodes)
    const filters = [{ key: 'tenant', value: 't1' }]
    const find = async () => [
      (await words.retrieve('word7', { filters })).map(({ nodeId, score }) => [nodeId, score]),
      (await vectors.retrieve('ccc word', { filters })).map(({ nodeId }) => nodeId),
    ]
    const before = await find()
    const table = await connection.openTable('indexed-words')
    await table.createIndex('terms', { config: Index.labelList() })
    await (await connection.openTable('indexed-vectors')).createIndex('labels', { config: Index.labelList() })
    expect(await find()).toEqual(before)
    await words.add([node('new', 'word7', { tenant: 't1' })])
    expect((await words.retrieve('word7', { filters })).map(({ nodeId }) => nodeId)).toContain('new')
  })
})

describe('LanceVectorRetriever', () => {
  it('keeps vectors of one length, until all are replaced', async () => {
    const index = new LanceVectorRetriever(await open(), { embedModel, table: 'lengths' })
    await index.add([node('a', 'a', {}, [1, 0]), node('b', 'b', {}, [0, 1])])
    await expect(index.add([node('c', 'c', {}, [1, 0, 0])])).rejects.toMatchObject({ code: 'embedding_dimension' })
    await expect(index.add([node('d', 'd', {}, [1]), node('e', 'e', {}, [1, 0])])).rejects.toMatchObject({
      code: 'embedding_dimension',
    })
    await expect(index.retrieve('a')).rejects.toMatchObject({ code: 'embedding_dimension' })
    expect(await index.count()).toBe(2)
    await index.apply({ added: [node('a', 'a')], removed: ['b'] })
    expect((await index.retrieve('a')).map(({ nodeId }) => nodeId)).toEqual(['a'])
  })

  it('updates what it contains, and ignores the rest', async () => {
    const index = new LanceVectorRetriever(await open(), { embedModel, table: 'updates' })
    await index.update([node('a', 'a')])
    await index.add([node('a', 'a')])
    await index.update([node('a', 'a', { page: 2 }), node('b', 'b')])
    expect((await index.retrieve('a')).map(({ nodeId, metadata, score }) => [nodeId, metadata, score])).toEqual([
      ['a', { page: 2 }, 1],
    ])
    index.similarityTopK = 0
    expect(await index.retrieve('a')).toEqual([])
  })

  it('refuses names and options that cannot be', async () => {
    const connection = await open()
    for (const options of [{ table: 'a/b' }, { table: '' }, { topK: 1 }, { embedModel: undefined }])
      expect(() => new LanceVectorRetriever(connection, { embedModel, ...options } as never)).toThrow(
        expect.objectContaining({ code: 'model_validation' }),
      )
  })
})

describe('LanceKeywordRetriever', () => {
  it('refuses an index of another tokenizer', async () => {
    await new LanceKeywordRetriever(await open(), { table: 'english' }).add([node('a', 'red apples'), node('b', '…')])
    const other = new LanceKeywordRetriever(await open(), {
      table: 'english',
      tokenize: wordTokenizer({ stopWords: [] }),
    })
    await expect(other.retrieve('apples')).rejects.toMatchObject({ code: 'configuration' })
    await expect(other.add([node('c', 'c')])).rejects.toMatchObject({ code: 'configuration' })
    expect(await other.retrieve('…')).toEqual([])
  })
})

it('conditions on labels are true for all nodes that meet the filters', () => {
  expect(labelCondition(undefined)).toBeNull()
  expect(labelCondition([{ key: 'a', operator: '>', value: 1 }])).toBeNull()
  expect(labelCondition([{ key: 'a', value: [1] }])).toBeNull()
  expect(labelCondition([{ key: 'a', operator: 'in', value: [] }])).toBeNull()
  expect(
    labelCondition([
      { key: "a'", value: 'x' },
      { key: 'b', operator: '>', value: 1 },
    ]),
  ).toBe(`((array_has_any(labels, ['"a''"="x"'])))`)
  expect(labelCondition([{ key: 'a', operator: 'in', value: ['x', 1, true] }])).toBe(
    `((array_has_any(labels, ['"a"="x"', '"a"=1', '"a"=true'])))`,
  )
})
