import {
  Document,
  ImageDocument,
  ImageNode,
  IndexNode,
  NodeRelationship,
  type RelatedNodeInfo,
  TextNode,
} from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { buildNodesFromSplits, isFromSource, isSliceOfSource } from './build-nodes.ts'
import { MarkdownNodeParser } from './markdown-node-parser.ts'
import { TextSplitter } from './text-splitter.ts'

class PieceSplitter extends TextSplitter {
  declare pieces: readonly string[]

  static override spec() {
    return { ...MarkdownNodeParser.spec(), name: 'PieceSplitter', className: 'PieceSplitter' }
  }

  override splitText(): readonly string[] {
    return this.pieces
  }
}

function split(text: string, pieces: readonly string[], options = {}): Promise<TextNode[]> {
  const splitter = new PieceSplitter(options)
  splitter.pieces = pieces
  return splitter.getNodesFromDocuments([new Document({ id: 'd', text })])
}

const places = (nodes: readonly TextNode[]) => nodes.map(({ startCharIdx, endCharIdx }) => [startCharIdx, endCharIdx])

describe('TextSplitter', () => {
  it('finds the offsets of chunks that are adjacent, overlapping, out of order or missing in the text', async () => {
    expect(places(await split('abcabc', ['abc', 'bca', 'c', 'ab', 'x', '', 'abc']))).toEqual([
      [0, 3],
      [1, 4],
      [5, 6],
      [0, 2],
      [null, null],
      [null, null],
      [3, 6],
    ])
  })

  it('distinguishes two inputs with the same id', async () => {
    const splitter = new MarkdownNodeParser()
    const inputs = [1, 2].map((page) => new Document({ id: 'same', text: `# ${page}`, metadata: { page } }))
    const nodes = await splitter.getNodesFromDocuments(inputs)
    expect(nodes.map(({ metadata }) => metadata)).toEqual([
      { Header_1: '1', page: 1 },
      { Header_1: '2', page: 2 },
    ])
  })

  it('links adjacent nodes in their final form, and does not change its input', async () => {
    const input = new Document({ id: 'd', text: 'a b', metadata: { list: [1] } })
    const before = input.toJson()
    const splitter = new PieceSplitter()
    splitter.pieces = ['a', 'b']
    const [first, second] = (await splitter.transform([input])) as [TextNode, TextNode]
    expect((first.relationships['3'] as RelatedNodeInfo).toDict()).toEqual(second.asRelatedNodeInfo().toDict())
    expect((second.relationships['2'] as RelatedNodeInfo).toDict()).toEqual(first.asRelatedNodeInfo().toDict())
    expect(input.toJson()).toBe(before)
  })
})

it('buildNodesFromSplits refuses unknown options', () => {
  expect(() => buildNodesFromSplits(['a'], new Document({ text: 'a' }), { idFun: String } as never)).toThrow(
    'buildNodesFromSplits.idFun: unknown option; did you mean idFunc?',
  )
})

describe('buildNodesFromSplits', () => {
  it('makes image nodes of an image document, with the hash of its text alone as their source', () => {
    const image = { image: 'aGk=', imagePath: null, imageUrl: 'https://example.org/a.png', imageMimetype: 'image/png' }
    const document = new ImageDocument({ id: 'd', text: 'a b', metadata: { page: 1 }, ...image })
    const nodes = buildNodesFromSplits(['a', 'b'], document, {
      idFunc: (index, _, made) => `${made.className} ${index}`,
    })
    expect(nodes).toMatchObject([
      { id: 'ImageNode 0', text: 'a', ...image },
      { id: 'ImageNode 1', text: 'b', ...image },
    ])
    const plain = new ImageDocument({ id: 'd', text: 'a b', metadata: { page: 1 } })
    expect(nodes[0]!.sourceNode).toMatchObject({ nodeId: 'd' })
    expect(nodes[0]!.sourceNode!.hash).toBe(buildNodesFromSplits(['a'], plain)[0]!.sourceNode!.hash)
  })

  it('makes text nodes of other documents, with their source or another one', () => {
    const document = new Document({ id: 'd', text: 'a b', metadataSeparator: '; ' })
    const [node] = buildNodesFromSplits(['a'], document)
    expect(node).toBeInstanceOf(TextNode)
    expect(node).not.toBeInstanceOf(ImageNode)
    expect([node!.metadataSeparator, node!.sourceNode?.hash]).toEqual(['; ', document.hash])
    const [other] = buildNodesFromSplits(['a'], document, { refDoc: new Document({ id: 'other' }) })
    expect(other!.sourceNode?.nodeId).toBe('other')
    expect(buildNodesFromSplits([], document)).toEqual([])
  })
})

describe('isSliceOfSource and isFromSource', () => {
  const place = (startCharIdx: number | null, endCharIdx: number | null) => ({ startCharIdx, endCharIdx })
  const relationships = { [NodeRelationship.source]: { nodeId: 'd' } }
  const at = (start: number | null, end: number | null, more: object = {}) =>
    new TextNode({ text: 'abc', relationships, ...place(start, end), ...more })

  it.each<[string, TextNode, slice: boolean, from: boolean]>([
    ['its own source', new TextNode({ text: 'abc' }), true, true],
    ['at its place', at(2, 5), true, true],
    ['trimmed', at(2, 6), false, true],
    ['with additions', at(2, 4), false, false],
    ['without a start', at(null, 5), false, true],
    ['without an end', at(2, null), false, true],
    ['an index node', new IndexNode({ indexId: 'i', text: 'abc', relationships, ...place(2, 5) }), false, false],
    ['a table', at(2, 5, { metadata: { table_summary: 'x' } }), false, false],
  ])('know a node that is %s', (_, node, slice, from) => {
    expect([isSliceOfSource(node), isFromSource(node)]).toEqual([slice, from])
  })

  it('need a node', () => {
    expect(() => isSliceOfSource(5 as never)).toThrow('isSliceOfSource.node: expected a node')
  })
})
