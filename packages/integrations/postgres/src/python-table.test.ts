import { IndexNode, NodeWithScore, TextNode } from '@x/core-model'
import { TableEmbedding } from '@x/llm/testing'
import { expect, it } from 'vitest'
import { newPythonTable, vectorDatabases } from '../test/new-database.ts'
import { PostgresVectorRetriever } from './postgres-vector-retriever.ts'
import { pythonTable } from './python-table.ts'

const newVectorDatabase = vectorDatabases()
const embedModel = new TableEmbedding({ texts: { 'blue wine': [0, 3] }, queries: { fruit: [1, 0.2], blue: [0, 1] } })

async function open() {
  const database = await newVectorDatabase()
  await database.query(newPythonTable(database, 'fruit', 2))
  const retriever = new PostgresVectorRetriever(database, {
    embedModel,
    similarityTopK: 5,
    pythonTable: pythonTable('Fruit'),
  })
  const rows = async () =>
    (await database.query(`select * from ${database.tables.quotedSchema}.data_fruit order by id`)).rows
  return { database, retriever, rows }
}

it('finds the nodes that Python has written', async () => {
  const { database, retriever } = await open()
  const content = {
    id_: 'n1',
    embedding: null,
    metadata: { file: 'a.md' },
    excluded_embed_metadata_keys: ['file'],
    relationships: { '1': { node_id: 'doc', node_type: '4', metadata: {}, hash: 'h', class_name: 'RelatedNodeInfo' } },
    text: '',
    start_char_idx: 3,
    class_name: 'TextNode',
  }
  const more = { _node_type: 'TextNode', document_id: 'doc', doc_id: 'doc', ref_doc_id: 'doc' }
  const index = { ...content, id_: 'n2', relationships: {}, index_id: 'table', class_name: 'IndexNode' }
  const newer = { id_: 'n3', metadata: { file: 'c.md' }, class_name: 'TextNode', text_template: '{content}' }
  const table = `${database.tables.quotedSchema}.data_fruit`
  const rows = [
    ['n1', 'pears', { file: 'a.md', _node_content: JSON.stringify(content), ...more }, '[1,0]'],
    ['n2', 'prices', { file: 'b.md', _node_content: JSON.stringify(index), ...more, _node_type: 'IndexNode' }, '[2,1]'],
    ['n3', 'grapes', { file: 'c.md', _node_content: JSON.stringify(newer), ...more }, '[0,1]'],
    ['n4', 'old', { file: 'd.md' }, '[-1,0]'],
    ['n5', 'without a vector', { file: 'e.md' }, null],
  ] as const
  for (const [id, text, metadata, vector] of rows)
    await database.query(`insert into ${table} (node_id, text, metadata_, embedding) values ($1, $2, $3, $4::vector)`, [
      id,
      text,
      JSON.stringify(metadata),
      vector,
    ])
  const found = await retriever.retrieve('fruit')
  expect(found.map(({ id, text }) => [id, text])).toEqual([
    ['n1', 'pears'],
    ['n2', 'prices'],
    ['n3', 'grapes'],
    ['n4', 'old'],
  ])
  expect(found[0]!.score).toBeCloseTo(0.98058, 4)
  expect([found[0]!.node.refDocId, found[0]!.node.startCharIdx, found[0]!.metadata]).toEqual([
    'doc',
    3,
    { file: 'a.md' },
  ])
  expect(found[1]!.node).toBeInstanceOf(IndexNode)
  const filters = [{ key: 'file', operator: 'in', value: ['c.md', 'd.md'] }] as const
  expect((await retriever.retrieve('fruit', { filters })).map(({ id }) => id)).toEqual(['n3', 'n4'])
  await retriever.createHnswIndex()
  expect((await retriever.retrieve('blue'))[0]!.id).toBe('n3')
})

it('writes rows as Python does', async () => {
  const { retriever, rows } = await open()
  const relationships = { 1: { nodeId: 'doc' } }
  const node = new TextNode({
    id: 'a',
    text: 'blue wine',
    metadata: { page: 1 },
    relationships,
    excludedEmbedMetadataKeys: ['page'],
  })
  await retriever.add([node, new TextNode({ id: 'b', text: 'pear', embedding: [1, 0] })])
  const [first, second] = await rows()
  const { _node_content: content, ...metadata } = first.metadata_
  expect([first.node_id, first.text, first.embedding]).toEqual(['a', 'blue wine', '[0,3]'])
  expect(metadata).toEqual({ page: 1, _node_type: 'TextNode', document_id: 'doc', doc_id: 'doc', ref_doc_id: 'doc' })
  expect(JSON.parse(content)).toEqual({ ...node.toDict(), text: '', embedding: null })
  expect(second.metadata_.ref_doc_id).toBe('None')
  await retriever.update([node.copy({ update: { metadata: { page: 2 } } })])
  const [changed] = await rows()
  expect([changed.id, changed.metadata_.page, changed.embedding]).toEqual([first.id, 2, '[0,3]'])
  const [found] = await retriever.retrieve('blue')
  expect(found).toBeInstanceOf(NodeWithScore)
  expect({ ...found!.node.toDict(), metadata: null }).toEqual({ ...node.toDict(), metadata: null })
  expect(await retriever.remove(['a'])).toBe(1)
  expect((await rows()).map(({ node_id }) => node_id)).toEqual(['b'])
})

it('filters nodes next to metadata that jsonb cannot contain', async () => {
  const { retriever } = await open()
  const texts = ['nul \u0000', 'half \ud83d', 'pear']
  await retriever.add(
    texts.map((kind, i) => new TextNode({ id: `n${i}`, text: 'fruit', embedding: [1, 0], metadata: { kind } })),
  )
  for (const [i, value] of texts.entries())
    expect((await retriever.retrieve('fruit', { filters: [{ key: 'kind', value }] })).map(({ id }) => id)).toEqual([
      `n${i}`,
    ])
})

it('refuses a name that is no name of a table', () => {
  for (const name of ['', 'a\u0000', 'x'.repeat(41), '漢'.repeat(14), `${'İ'.repeat(20)}`, 5 as never])
    expect(() => pythonTable(name)).toThrow(expect.objectContaining({ code: 'model_validation' }))
})

it('refuses a name without its table, and says what to write', async () => {
  const { database } = await open()
  expect(() => new PostgresVectorRetriever(database, { embedModel, pythonTable: 'Fruit' as never })).toThrow(
    'PostgresVectorRetriever.pythonTable: expected pythonTable(name), received',
  )
})
