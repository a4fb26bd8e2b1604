import { describe, expect, it } from 'vitest'
import { pathsOf, thrownBy } from '../../../../tools/thrown.ts'
import { ChatMessage } from '../messages/chat-message.ts'
import { IndexNode } from './index-node.ts'
import { docToJson } from './node-record.ts'
import { NodeWithScore } from './node-with-score.ts'
import { RelatedNodeInfo } from './related-node-info.ts'
import { TextNode } from './text-node.ts'

const wire = (obj: unknown) => new IndexNode({ id: 'i', indexId: 'x', obj }).toDict()['obj']
const trip = (obj: unknown) => IndexNode.fromDict(JSON.parse(new IndexNode({ id: 'i', indexId: 'x', obj }).toJson()))

describe('IndexNode', () => {
  it('requires the id of its object', () => {
    expect(pathsOf(() => new IndexNode({} as never))).toEqual(['indexId'])
  })

  it('copies all fields of a text node', () => {
    const node = new TextNode({
      id: 'a',
      text: 't',
      metadata: { m: 1 },
      embedding: [1],
      relationships: { '1': new RelatedNodeInfo({ nodeId: 's' }) },
      startCharIdx: 0,
      endCharIdx: 1,
      textTemplate: '{content}',
    })
    const index = IndexNode.fromTextNode(node, 'x')
    const { class_name: _, ...fields } = node.toDict()
    expect(index.toDict()).toEqual({ ...fields, index_id: 'x', obj: null, class_name: 'IndexNode' })
    index.metadata['later'] = 1
    expect(node.metadata).toEqual({ m: 1 })
  })
})

describe('obj on the wire', () => {
  it('is null for null', () => {
    expect([wire(null), trip(null).obj]).toEqual([null, null])
    expect(wire(undefined)).toBeNull()
  })

  it('is the store record of a node, which is read as the node', () => {
    const node = new IndexNode({ id: 'n', indexId: 'y', obj: new TextNode({ id: 't' }) })
    expect(wire(node)).toEqual(docToJson(node))
    expect((trip(node).obj as IndexNode).equals(node)).toBe(true)
    expect((trip(node).obj as IndexNode).obj).toBeInstanceOf(TextNode)
  })

  const chain = (size: number) => {
    let node: TextNode = new TextNode({ id: 'last' })
    for (let n = 0; n < size; n++) node = new IndexNode({ id: `i${n}`, indexId: node.id, obj: node })
    return node
  }

  it('is written once at each level', () => {
    const read = IndexNode.fromJson(chain(300).toJson())
    expect(read.equals(chain(300))).toBe(true)
    expect(chain(30).copy().toJson()).toBe(chain(30).toJson())
  })

  it('may be 500 nodes in each other', () => {
    expect(() => chain(500).toJson()).not.toThrow()
    expect(() => chain(501).toJson()).toThrow(expect.objectContaining({ code: 'serialization' }))
  })

  it('is refused if it contains itself, or if there are too many levels', () => {
    const own = new IndexNode({ id: 'i', indexId: 'i' })
    own.obj = own
    for (const node of [own, chain(3000)])
      for (const write of [() => node.toDict(), () => node.toJson(), () => JSON.stringify(node)])
        expect(write).toThrow(expect.objectContaining({ code: 'serialization', field: 'IndexNode.obj' }))
  })

  it('is the dict of an object with toDict, which is read as plain data', () => {
    const message = new ChatMessage({ content: 'c' })
    class Table {
      toDict() {
        return { rows: 2 }
      }
    }
    expect([wire(message), wire(new Table())]).toEqual([message.toDict(), { rows: 2 }])
    expect(trip(new Table()).obj).toEqual({ rows: 2 })
  })

  it('is still a dict after reading, copying and writing', () => {
    for (const obj of [new ChatMessage({ content: 'c' }), new NodeWithScore({ node: new TextNode({ id: 't' }) })]) {
      const first = new IndexNode({ id: 'n', indexId: 'x', obj })
      const second = IndexNode.fromJson(first.toJson())
      expect(second.toJson()).toBe(first.toJson())
      expect(IndexNode.fromJson(second.copy({ deep: true }).toJson()).toJson()).toBe(first.toJson())
      second.obj = [1]
      expect(second.toDict()['obj']).toBe('[1]')
    }
  })

  it('is read by the class in the registry', () => {
    class Shelf extends IndexNode {}
    expect(Shelf.fromDict({ index_id: 'x', obj: { a: 1 } })).toBeInstanceOf(Shelf)
  })

  it.each<[unknown, string]>([
    ['hello', '"hello"'],
    ['', '""'],
    ['é😀', '"\\u00e9\\ud83d\\ude00"'],
    [[1e-7, 0.5], '[1e-07, 0.5]'],
    ['null', '"null"'],
    [[true], '[true]'],
    [{ a: { b: [1] } }, '{"a": {"b": [1]}}'],
    [0, '0'],
    [false, 'false'],
    [2n ** 64n, '18446744073709551616'],
    [{ a: [-(2n ** 64n)] }, '{"a": [-18446744073709551616]}'],
  ])('is the JSON string of %s, which is read as the value', (value, text) => {
    expect(wire(value)).toBe(text)
    expect(trip(value).obj).toEqual(value)
    expect(trip(value).toJson()).toBe(trip(trip(value).obj).toJson())
  })

  it('contains the dicts of models inside an array', () => {
    expect(wire([new ChatMessage({ content: 'c' })])).toBe(
      '[{"role": "user", "content": "c", "additional_kwargs": {}}]',
    )
  })

  it('is read as it is if it is an array or missing', () => {
    const read = (fields: object) => IndexNode.fromDict({ text: 'a', index_id: 'i', ...fields }).obj
    expect([read({ obj: [1] }), read({ obj: null }), read({})]).toEqual([[1], null, null])
  })

  it('is read as a string if it is not JSON', () => {
    expect(IndexNode.fromDict({ index_id: 'x', obj: 'no json' }).obj).toBe('no json')
    expect(IndexNode.fromDict({ index_id: 'x', obj: { a: 1 } }).obj).toEqual({ a: 1 })
  })

  it.each<[string, unknown]>([
    ['a function', () => {}],
    ['a function inside an array', [() => {}]],
    ['a function inside an object', { f: () => {} }],
    ['a class instance', new Map()],
    ['NaN', Number.NaN],
    ['infinity inside', [Infinity]],
  ])('rejects %s', (_, obj) => {
    expect(thrownBy(() => wire(obj))).toMatchObject({
      code: 'serialization',
      field: expect.stringMatching(/^IndexNode\.obj/),
    })
  })

  it('can be excluded', () => {
    expect(new IndexNode({ indexId: 'x', obj: () => {} }).toDict({ exclude: ['obj'] })).not.toHaveProperty('obj')
  })
})
