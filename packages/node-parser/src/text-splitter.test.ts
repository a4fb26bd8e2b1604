import { Document, type RelatedNodeInfo, type TextNode } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { buildNodesFromSplits } from './build-nodes.ts'
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
