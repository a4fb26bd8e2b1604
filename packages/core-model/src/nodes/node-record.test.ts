import { ClassRegistry } from '@x/core'
import { fields, integer } from '@x/core/fields'
import { describe, expect, it } from 'vitest'
import { pathsOf, thrownBy } from '../../../../tools/thrown.ts'
import { Document } from './document.ts'
import { ImageDocument, ImageNode } from './image-node.ts'
import { IndexNode, jsonToDoc } from './index-node.ts'
import { docToJson, isNode } from './node-record.ts'
import { NodeWithScore } from './node-with-score.ts'
import { TextNode } from './text-node.ts'

const nodes = [
  new TextNode({ id: 'a', text: 't', relationships: { '1': { nodeId: 's' } } }),
  new ImageNode({ id: 'a', imagePath: 'p' }),
  new IndexNode({ id: 'a', indexId: 'i' }),
  new Document({ id: 'a', metadata: { m: 1 } }),
  new ImageDocument({ id: 'a', imageUrl: 'u' }),
]

describe('store records', () => {
  it.each(nodes)('are read as the class of %o', (node) => {
    const record = docToJson(node)
    expect(record).toEqual({ __data__: node.toDict(), __type__: node.getType() })
    const again = jsonToDoc(JSON.parse(JSON.stringify(record)))
    expect(again.constructor).toBe(node.constructor)
    expect(again.equals(node)).toBe(true)
  })

  it('are read by the type code if the class name is missing, or if the class has another code', () => {
    const { class_name: _, ...fields } = new ImageDocument({ id: 'a' }).toDict()
    expect(jsonToDoc({ __data__: fields, __type__: '4' }).constructor).toBe(Document)
    expect(jsonToDoc({ __data__: { ...fields, class_name: 'ImageNode' }, __type__: '1' }).constructor).toBe(TextNode)
  })

  it('are rejected if their class is unknown, and read with a registry that contains it', () => {
    class MyNode extends fields(ImageNode, 'MyNode', { size: integer({ default: 1 }) }) {}
    const registry = new ClassRegistry([MyNode])
    const record = docToJson(new MyNode({ id: 'a', imagePath: 'p', size: 3 }))
    expect(thrownBy(() => jsonToDoc(record))).toMatchObject({ code: 'unknown_node_type', type: 'MyNode' })
    expect(jsonToDoc(record, { registry })).toEqual(new MyNode({ id: 'a', imagePath: 'p', size: 3 }))
    const outer = docToJson(new IndexNode({ id: 'i', indexId: 'x', obj: new MyNode({ id: 'b' }) }))
    expect((jsonToDoc(outer, { registry }) as IndexNode).obj).toBeInstanceOf(MyNode)
    expect(thrownBy(() => jsonToDoc(outer))).toMatchObject({ code: 'unknown_node_type', type: 'MyNode' })
  })

  it('are not changed by reading', () => {
    const record = Object.freeze({ __data__: Object.freeze(nodes[0]!.toDict()), __type__: '1' })
    jsonToDoc(record)
    expect(record.__data__).toHaveProperty('class_name')
  })

  it.each([
    null,
    'x',
    {},
    { __data__: {} },
    { __type__: '1' },
    { __type__: 1, __data__: {} },
    { __type__: '9', __data__: {} },
    { __type__: '1', __data__: [] },
  ])('are rejected: %j', (record) => {
    expect(thrownBy(() => jsonToDoc(record))).toMatchObject({ code: 'unknown_node_type' })
  })

  it('are rejected with the unknown code in the message', () => {
    expect(thrownBy(() => jsonToDoc({ __type__: 'toString', __data__: {} }))).toMatchObject({ type: 'toString' })
  })
})

describe('legacy records', () => {
  it('keep id, text, metadata, relations and image', () => {
    const node = jsonToDoc({
      __type__: '2',
      __data__: {
        text: 't',
        extra_info: { m: 1 },
        doc_id: 'd',
        relationships: { '1': 's', '2': { node_id: 'p' } },
        image: 'AA==',
      },
    })
    expect(node).toMatchObject({ id: 'd', text: 't', metadata: { m: 1 }, image: 'AA==', refDocId: 's' })
    expect(node.prevNode?.nodeId).toBe('p')
    expect(jsonToDoc({ __type__: '3', __data__: { extra_info: null, doc_id: 'd', index_id: 'i' } })).toMatchObject({
      text: '',
      metadata: {},
      indexId: 'i',
    })
    expect(jsonToDoc({ __type__: '1', __data__: { extra_info: {} } }).id).not.toBe('')
  })
})

describe('NodeWithScore', () => {
  it.each(nodes)('reads its node by the class name: %o', (node) => {
    const scored = new NodeWithScore({ node, score: 0 })
    const again = NodeWithScore.fromDict(JSON.parse(scored.toJson()))
    expect(again.node.constructor).toBe(node.constructor)
    expect(again.equals(scored)).toBe(true)
  })

  it('reads a node without a class name as a TextNode, and rejects an unknown class', () => {
    expect(NodeWithScore.fromDict({ node: { text: 't' } }).node.constructor).toBe(TextNode)
    expect(thrownBy(() => NodeWithScore.fromDict({ node: { class_name: 'Table' } }))).toMatchObject({
      code: 'unknown_node_type',
      type: 'Table',
    })
    expect(pathsOf(() => NodeWithScore.fromDict({ node: { text: 5 }, score: 'x' }))).toEqual(['node.text', 'score'])
    expect(pathsOf(() => new NodeWithScore({ node: 'x' as never }))).toEqual(['node'])
    expect(pathsOf(() => new NodeWithScore({} as never))).toEqual(['node'])
  })

  it('returns the score, also 0; a missing score is 0 or an error', () => {
    const [zero, none] = [new NodeWithScore({ node: nodes[0]!, score: 0 }), new NodeWithScore({ node: nodes[0]! })]
    expect([zero.getScore(true), none.getScore()]).toEqual([0, 0])
    expect(thrownBy(() => none.getScore(true))).toMatchObject({
      code: 'score_not_set',
      message: 'Node "a" has no score.',
    })
    expect(pathsOf(() => new NodeWithScore({ node: nodes[0]!, score: Number.NaN }))).toEqual(['score'])
  })

  it('has the text and the properties of its node', () => {
    const node = new TextNode({ id: 'a', text: 't', metadata: { m: 1 }, embedding: [1] })
    const scored = new NodeWithScore({ node })
    expect([
      scored.id,
      scored.nodeId,
      scored.text,
      scored.metadata,
      scored.embedding,
      scored.getText(),
      scored.getContent('all'),
      scored.getContent(),
      scored.getEmbedding(),
    ]).toEqual(['a', 'a', 't', { m: 1 }, [1], 't', 'm: 1\n\nt', 't', [1]])
  })

  it('isNode recognizes nodes', () => {
    expect([nodes[1], new NodeWithScore({ node: nodes[0]! }), {}, null].map(isNode)).toEqual([
      true,
      false,
      false,
      false,
    ])
  })
})
