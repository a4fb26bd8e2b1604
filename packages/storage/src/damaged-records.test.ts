import { IndexNode, TextNode } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { NodeRecords } from './node-records.ts'
import { nodeOfText, nodeText } from './node-text.ts'
import { SimpleDocumentStore } from './simple-document-store.ts'

const nodes = [
  new TextNode({
    id: 'a',
    text: 'Pears 7',
    metadata: { 10: 1.5, b: '\ud800', 2: [null, { x: 1e21 }] },
    embedding: [0.1, -0.25],
  }),
  new IndexNode({ id: 'b', text: 'Apples', indexId: 't' }),
]

/** A store whose records are changed as JSON text, as on a disk. */
async function altered(change: (text: string) => string, checksums = true) {
  const store = new SimpleDocumentStore({ checksums })
  await store.addDocuments(nodes)
  return SimpleDocumentStore.fromDict(JSON.parse(change(JSON.stringify(store.toDict()))))
}

describe('a damaged record', () => {
  it('names the node, and is left out on request', async () => {
    const store = await altered((text) => text.replace('"text":"Apples"', '"text":7'), false)
    const error = expect.objectContaining({
      code: 'store_read',
      path: 'docstore/data',
      nodeId: 'b',
      message: expect.stringContaining('docstore/data: the record of the node "b" cannot be read: '),
    })
    await expect(store.docs()).rejects.toThrow(error)
    await expect(store.getNode('b')).rejects.toThrow(error)
    expect((await store.getNode('a')).text).toBe('Pears 7')
    expect(Object.keys(await store.docs({ onUnreadable: 'skip' }))).toEqual(['a'])
    const errors: unknown[] = []
    expect(Object.keys(await store.docs({ onUnreadable: (error) => errors.push(error) }))).toEqual(['a'])
    expect(errors).toEqual([error])
    await expect(store.docs({ onUnreadable: 'ignore' as never })).rejects.toThrow('docs.onUnreadable: expected "throw"')
  })
})

describe('a checksum', () => {
  it('is that of the record that is read', async () => {
    const store = await altered((text) => text)
    expect(Object.values(await store.docs()).map((node) => node.toDict())).toEqual(nodes.map((node) => node.toDict()))
    const records = new NodeRecords({ checksums: true })
    for (const node of nodes) {
      const text = nodeText(node, records, { embedding: null })
      expect(nodeOfText(text, new NodeRecords()).toDict()).toEqual({ ...node.toDict(), embedding: null })
    }
  })

  it.each([
    ['Pears 7', 'Pears 6'],
    ['1.5', '1.4'],
    ['"a"', '"A"'],
    ['Apples', 'Applez'],
  ])('finds that %s was altered to %s', async (from, to) => {
    await expect((await altered((text) => text.replaceAll(from, to))).docs()).rejects.toMatchObject({
      code: 'store_read',
      message: expect.stringContaining('it was altered: its checksum is another one'),
    })
    const records = new NodeRecords({ checksums: true })
    const [text] = nodes.map((node) => nodeText(node, records)).filter((one) => one.includes(from))
    expect(() => nodeOfText(text!.replaceAll(from, to), records)).toThrow(
      expect.objectContaining({ code: 'store_read' }),
    )
  })

  it('is written on request only', async () => {
    const records = new NodeRecords()
    expect(records.recordOf(nodes[0]!)).not.toHaveProperty('__checksum__')
    expect(nodeOfText(nodeText(nodes[0]!, records).replace('Pears 7', 'Pears 6'), records).text).toBe('Pears 6')
    for (const text of ['{"__data__":', '7', 'null'])
      expect(() => nodeOfText(text, records, { path: 'x.db', nodeId: 'a' })).toThrow(
        expect.objectContaining({ code: 'store_read', path: 'x.db', nodeId: 'a' }),
      )
  })
})
