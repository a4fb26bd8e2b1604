import { array, fields, integer, live, nullable, string } from '@x/core/fields'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pathsOf, thrownBy, withProto } from '../../../../tools/thrown.ts'
import { parseRaw } from '../python.ts'
import { NodeRelationship, ObjectType } from './codes.ts'
import { Document } from './document.ts'
import { ImageDocument, ImageNode } from './image-node.ts'
import { IndexNode } from './index-node.ts'
import { NodeWithScore } from './node-with-score.ts'
import { RelatedNodeInfo } from './related-node-info.ts'
import { sha256 } from './sha256.ts'
import { TextNode } from './text-node.ts'

const related = (nodeId: string) => new RelatedNodeInfo({ nodeId })

describe('a node', () => {
  it('has a generated identifier, or the passed one, also an empty string', () => {
    expect(new TextNode().id).not.toBe(new TextNode().id)
    expect(new TextNode({ id: 'a' }).id).toBe('a')
    expect(TextNode.fromDict({ id_: '' }).id).toBe('')
    expect(pathsOf(() => new TextNode({ id: null as never }))).toEqual(['id'])
  })

  it('writes its fields in wire order', () => {
    expect(Object.keys(new ImageNode().toDict())).toEqual([
      'id_',
      'embedding',
      'metadata',
      'excluded_embed_metadata_keys',
      'excluded_llm_metadata_keys',
      'relationships',
      'text',
      'start_char_idx',
      'end_char_idx',
      'text_template',
      'metadata_template',
      'metadata_seperator',
      'image',
      'image_path',
      'image_url',
      'image_mimetype',
      'text_embedding',
      'class_name',
    ])
  })

  it('reads the names in older data; the current name has priority', () => {
    expect(TextNode.fromDict({ nodeId: 'a', extra_info: { m: 1 }, metadata_separator: ';' })).toMatchObject({
      id: 'a',
      metadata: { m: 1 },
      metadataSeparator: ';',
    })
    expect(TextNode.fromDict({ id_: 'b', nodeId: 'a' }).id).toBe('b')
    expect(Document.fromDict({ doc_id: 'd' }).id).toBe('d')
    expect(TextNode.fromDict({ doc_id: 'd' }).id).not.toBe('d')
  })

  it('rejects wrong types without converting', () => {
    expect(
      pathsOf(
        () =>
          new TextNode({
            text: 5,
            metadata: null,
            embedding: [1, '2'],
            startCharIdx: 1.5,
            relationships: { SOURCE: { nodeId: 'a' }, '3': { hash: 'h' }, '4': { nodeId: 'a', nodeType: '9' } },
          } as never),
      ),
    ).toEqual([
      'embedding[1]',
      'metadata',
      'relationships.SOURCE',
      'relationships.3.nodeId',
      'relationships.4.nodeType',
      'text',
      'startCharIdx',
    ])
  })

  it('shares no containers with its options or its records', () => {
    const options = {
      metadata: { a: 1 } as Record<string, unknown>,
      excludedLlmMetadataKeys: ['a'],
      relationships: { '1': related('s') },
    }
    const node = new TextNode(options)
    options.metadata['b'] = 2
    options.excludedLlmMetadataKeys.push('b')
    const record = node.asRelatedNodeInfo()
    record.metadata['c'] = 3
    expect(node.metadata).toEqual({ a: 1 })
    expect(node.excludedLlmMetadataKeys).toEqual(['a'])
    expect(node.relationships).not.toBe(options.relationships)
  })

  it('asRelatedNodeInfo returns the record for references to the node', () => {
    const node = new ImageNode({ id: 'i', text: 't', metadata: { a: 1 } })
    expect(node.asRelatedNodeInfo().toDict()).toEqual({
      node_id: 'i',
      node_type: ObjectType.image,
      metadata: { a: 1 },
      hash: node.hash,
      class_name: 'RelatedNodeInfo',
    })
  })

  it('sets its text, which must be a string', () => {
    const node = new TextNode({ id: 'a', text: 'x' })
    const before = node.hash
    node.setContent('y')
    expect([node.text, node.getText(), String(node), node.hash === before]).toEqual(['y', 'y', 'y', false])
    expect(pathsOf(() => node.setContent(5 as never))).toEqual(['text'])
    expect(node.text).toBe('y')
  })

  it('returns its position in its source', () => {
    expect(new TextNode({ startCharIdx: 0, endCharIdx: 4 }).getNodeInfo()).toEqual({ start: 0, end: 4 })
    expect(new TextNode().getNodeInfo()).toEqual({ start: null, end: null })
  })

  it('getEmbedding returns the vector, even an empty one, and throws without a vector', () => {
    expect(new TextNode({ embedding: [] }).getEmbedding()).toEqual([])
    expect(thrownBy(() => new TextNode({ id: 'a' }).getEmbedding())).toMatchObject({
      code: 'embedding_not_set',
      message: 'Node "a" has no embedding; embed it first.',
    })
  })

  it('round-trips metadata with hostile keys', () => {
    const node = new TextNode({ id: 'a', metadata: withProto({ x: 1 }) })
    expect(TextNode.fromJson(node.toJson()).equals(node)).toBe(true)
    expect(node.getMetadataStr()).toBe("__proto__: {'x': 1}\nconstructor: 1\ntoString: text\nhasOwnProperty: None")
  })
})

describe('types', () => {
  it.each([
    [TextNode, '1'],
    [ImageNode, '2'],
    [IndexNode, '3'],
    [Document, '4'],
    [ImageDocument, '4'],
  ])('%o has its type code', (nodeClass, code) => {
    const options = nodeClass === IndexNode ? { indexId: 'x' } : {}
    expect(new nodeClass(options as never).getType()).toBe(code)
  })
})

describe('relationships', () => {
  const node = new TextNode({
    id: 'n',
    relationships: {
      [NodeRelationship.source]: related('s'),
      [NodeRelationship.previous]: { nodeId: 'p' },
      [NodeRelationship.next]: related('x'),
      [NodeRelationship.parent]: related('u'),
      [NodeRelationship.child]: [related('c'), { nodeId: 'd' }],
    },
  })
  const wrong = new TextNode({
    id: 'w',
    relationships: { '1': [related('s')], '2': [related('s')], '3': [related('s')], '4': [], '5': related('c') },
  })

  it('can be read by name', () => {
    expect([node.sourceNode, node.prevNode, node.nextNode, node.parentNode].map((info) => info?.nodeId)).toEqual([
      's',
      'p',
      'x',
      'u',
    ])
    expect(node.childNodes?.map(({ nodeId }) => nodeId)).toEqual(['c', 'd'])
    expect(node.refDocId).toBe('s')
  })

  it('are null when absent', () => {
    const { sourceNode, prevNode, nextNode, parentNode, childNodes, refDocId } = new TextNode()
    expect([sourceNode, prevNode, nextNode, parentNode, childNodes, refDocId]).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
    ])
    expect(new TextNode({ relationships: { '5': [] } }).childNodes).toEqual([])
  })

  it.each(['sourceNode', 'prevNode', 'nextNode', 'parentNode', 'childNodes', 'refDocId'] as const)(
    '%s throws RelationshipShapeError for the other shape',
    (name) => {
      expect(thrownBy(() => wrong[name])).toMatchObject({
        code: 'relationship_shape',
        nodeId: 'w',
        message: expect.stringMatching(/^Node "w": expected (one record|a list) as relationship "[1-5]"\.$/),
      })
    },
  )

  it('keep an array of records as an array in a round trip', () => {
    const lists = new TextNode({ relationships: { '5': [{ nodeId: 'a', hash: 'h' }] } })
    expect(TextNode.fromDict(lists.toDict()).childNodes).toHaveLength(1)
  })
})

describe('getMetadataStr', () => {
  const node = new TextNode({
    metadata: { a: 'x', b: [1, 'y'], c: null },
    excludedLlmMetadataKeys: ['b', 'b', 'none'],
    excludedEmbedMetadataKeys: ['a'],
  })

  it.each([
    ['all', "a: x\nb: [1, 'y']\nc: None"],
    ['llm', 'a: x\nc: None'],
    ['embed', "b: [1, 'y']\nc: None"],
    ['none', ''],
  ] as const)('contains the entries for the mode %s', (mode, text) => {
    expect(node.getMetadataStr(mode)).toBe(text)
  })

  it('returns all metadata by default, by template and separator, untrimmed', () => {
    const shaped = new TextNode({
      metadata: { a: ' 1 ', b: 2 },
      metadataTemplate: '<{{{key}}}={value}>',
      metadataSeparator: ' | ',
    })
    expect(shaped.getMetadataStr()).toBe('<{a}= 1 > | <{b}=2>')
  })

  it('does not read values as templates', () => {
    expect(new TextNode({ metadata: { '{value}': '{key} {{' } }).getMetadataStr()).toBe('{value}: {key} {{')
  })

  it.each(['{other}', '{key', '{}', '{0}', 'a } b', '{toString}'])(
    'throws for the template %s when it is used',
    (metadataTemplate) => {
      expect(thrownBy(() => new TextNode({ metadata: { a: 1 }, metadataTemplate }).getMetadataStr())).toMatchObject({
        code: 'missing_variable',
      })
      expect(new TextNode({ metadataTemplate }).getMetadataStr()).toBe('')
    },
  )
})

describe('an unknown mode', () => {
  it.each(['ALL', '', 'MetadataMode.LLM', null, 1])('is refused: %j', (mode) => {
    const node = new TextNode({ text: 'A', metadata: { secret: 1 }, excludedLlmMetadataKeys: ['secret'] })
    for (const read of [
      () => node.getContent(mode as never),
      () => node.getMetadataStr(mode as never),
      () => new TextNode().getContent(mode as never),
      () => new NodeWithScore({ node }).getContent(mode as never),
    ])
      expect(thrownBy(read)).toMatchObject({
        code: 'model_validation',
        message: expect.stringContaining('TextNode.mode: expected one of "all", "embed", "llm", "none", received'),
      })
  })
})

describe('getContent', () => {
  it('returns the text unchanged without metadata, with any template', () => {
    const node = new TextNode({ text: ' t \n', metadata: { a: 1 }, textTemplate: '{broken' })
    expect(node.getContent()).toBe(' t \n')
    expect(new TextNode({ text: ' t ', textTemplate: '{broken' }).getContent('all')).toBe(' t ')
    expect(new TextNode({ text: ' t ', metadata: { a: '' }, metadataTemplate: '{value}' }).getContent('all')).toBe(
      ' t ',
    )
  })

  it('joins metadata and text and trims the result', () => {
    expect(new TextNode({ text: ' t ', metadata: { a: 1 } }).getContent('all')).toBe('a: 1\n\n t')
    expect(
      new TextNode({ text: 't', metadata: { a: 1 }, textTemplate: ' {content}|{metadata_str} ' }).getContent('llm'),
    ).toBe('t|a: 1')
    expect(new TextNode({ text: 't', metadata: { a: 1 }, textTemplate: '{metadata_str}' }).getContent('embed')).toBe(
      'a: 1',
    )
    expect(new TextNode({ text: '{metadata_str}', metadata: { a: '{content}' } }).getContent('all')).toBe(
      'a: {content}\n\n{metadata_str}',
    )
  })

  it.each(['{text}', '{', '{}'])('throws for the template %s', (textTemplate) => {
    expect(thrownBy(() => new TextNode({ metadata: { a: 1 }, textTemplate }).getContent('all'))).toMatchObject({
      code: 'missing_variable',
    })
  })
})

describe('integers beyond 2^53 in metadata', () => {
  const text = '{"text": "x", "metadata": {"message_id": 1234567890123456789}}'

  it('are printed, hashed and written digit for digit, as in Python', () => {
    for (const node of [TextNode.fromJson(text), parseRaw(TextNode, new TextEncoder().encode(text))]) {
      expect(node.metadata).toEqual({ message_id: 1234567890123456789n })
      expect(node.getContent('all')).toBe('message_id: 1234567890123456789\n\nx')
      expect(node.hash).toBe('08768bdce33063a70b04532f42bf8d560b56c5f5a338bfb2e0266f36fe160b17')
      expect(node.toDict()['metadata']).toEqual({ message_id: 1234567890123456789n })
      expect(node.toJson()).toContain('"metadata":{"message_id":1234567890123456789}')
      expect(node.toJson({ indent: 1 })).toContain('"message_id": 1234567890123456789\n')
      expect(node.copy({ deep: true }).equals(node)).toBe(true)
      expect(node.copy({ update: { metadata: { message_id: 1234567890123456788n } } }).equals(node)).toBe(false)
    }
  })

  it('are rejected in a number field, with its path', () => {
    expect(() => TextNode.fromJson('{"embedding": [1, 12345678901234567890]}')).toThrow(
      /^TextNode\.embedding\[1\]: expected a finite number, \w+ 12345678901234567890 \(a bigint\)\.$/,
    )
    expect(() => TextNode.fromJson('{"start_char_idx": 9007199254740992}')).toThrow(
      /^TextNode\.startCharIdx: expected an integer or null, \w+ 9007199254740992 \(a bigint\)\.$/,
    )
  })
})

describe('hash', () => {
  const base = { id: 'a', text: 't', metadata: { a: 1, b: 2 } }

  it('is the SHA-256 of the text and the metadata', () => {
    expect(new TextNode(base).hash).toBe(sha256("t{'a': 1, 'b': 2}"))
    expect(new TextNode({ text: 't' }).hash).toBe(sha256('t{}'))
  })

  it('depends on the fields of a custom class, but not on their defaults', () => {
    class CodeNode extends fields(TextNode, 'CodeNode', {
      language: nullable(string()),
      tags: array(string(), { default: [] }),
      reader: live<() => void>('function'),
    }) {}
    class Deeper extends fields(CodeNode, 'Deeper', { depth: integer({ default: 0 }) }) {}
    const hashes = [{ language: 'py' }, { language: 'ts' }, { tags: ['a'] }, { language: 'py', tags: ['a'] }].map(
      (own) => new CodeNode({ ...base, ...own }).hash,
    )
    expect(new Set([...hashes, new Deeper({ ...base, depth: 1 }).hash]).size).toBe(5)
    expect(new CodeNode({ ...base, reader: () => {} }).hash).toBe(new TextNode(base).hash)
    expect(new Deeper({ ...base, language: 'py' }).hash).toBe(hashes[0])
    expect(CodeNode.fromJson(new CodeNode({ ...base, language: 'py' }).toJson()).hash).toBe(hashes[0])
  })

  it('depends on the text, the metadata and the order of its keys', () => {
    const hashes = [
      base,
      { ...base, text: 'u' },
      { ...base, metadata: { a: 1, b: 3 } },
      { ...base, metadata: { b: 2, a: 1 } },
      { ...base, metadata: {} },
    ].map((options) => new TextNode(options).hash)
    expect(new Set(hashes).size).toBe(hashes.length)
  })

  it('does not depend on anything else', () => {
    const other = new IndexNode({
      ...base,
      id: 'b',
      indexId: 'i',
      obj: 1,
      embedding: [1],
      relationships: { '1': related('s') },
      excludedLlmMetadataKeys: ['a'],
      textTemplate: 'x',
      startCharIdx: 1,
    })
    expect(other.hash).toBe(new TextNode(base).hash)
  })

  it('depends on the image of an image node', () => {
    const plain = new ImageNode({ text: 't' })
    const withImages = [
      { imagePath: 'p' },
      { imageUrl: 'p' },
      { image: 'p' },
      { imageMimetype: 'p' },
      { imagePath: 'q' },
    ].map((image) => [new ImageNode({ text: 't', ...image }).hash, new ImageDocument({ text: 't', ...image }).hash])
    expect(plain.hash).toBe(new TextNode({ text: 't' }).hash)
    expect(new Set(withImages.map(([node]) => node)).size).toBe(5)
    for (const [node, document] of withImages) expect(node).toBe(document)
    expect(new ImageNode({ imagePath: 'p', imageUrl: 'u' }).hash).toBe(
      sha256("{}{'image_path': 'p', 'image_url': 'u'}"),
    )
    expect(new ImageNode({ text: 't', textEmbedding: [1] }).hash).toBe(plain.hash)
  })

  it('differs for different texts', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        (a, b) => (new TextNode({ text: a }).hash === new TextNode({ text: b }).hash) === (a === b),
      ),
    )
  })
})

describe('Document', () => {
  it('converts to the embedchain form and back', () => {
    const document = new Document({ id: 'd', text: 't', metadata: { a: 1 } })
    const record = document.toEmbedchainFormat()
    expect(record).toEqual({ doc_id: 'd', data: { content: 't', meta_data: { a: 1 } } })
    expect(record.data.meta_data).not.toBe(document.metadata)
    expect(Document.fromEmbedchainFormat(record).equals(document)).toBe(true)
  })
})
