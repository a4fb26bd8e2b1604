import { Document, TextNode } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { LINE_KEYS } from './build-nodes.ts'
import { readBlocks } from './markdown/read-blocks.ts'
import { MarkdownElementNodeParser } from './markdown-element/markdown-element-node-parser.ts'
import { MarkdownNodeParser } from './markdown-node-parser.ts'
import type { NodeParser } from './node-parser.ts'
import { SentenceSplitter } from './sentence-splitter.ts'
import { TextSplitter } from './text-splitter.ts'

class WordSplitter extends TextSplitter {
  static override spec() {
    return { ...MarkdownNodeParser.spec(), name: 'WordSplitter', className: 'WordSplitter' }
  }

  override splitText(text: string): readonly string[] {
    return text.split(' ')
  }
}

const parsers = [
  new MarkdownNodeParser({ chunkSize: 32 }),
  new MarkdownElementNodeParser({ summarizer: 'headers' }),
  new SentenceSplitter({ chunkSize: 32, chunkOverlap: 0 }),
  new WordSplitter({}),
]
const section = `# A\n\n${'It is about words. '.repeat(50)}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n`
const documents = Array.from({ length: 100 }, (_, i) => new Document({ id: `d${i}`, text: section.repeat(5) }))

/** Parses with a signal that aborts as soon as a timer runs. Returns its reason, or how many nodes there are without it. */
async function outcomeOf(parser: NodeParser, inputs: readonly Document[]): Promise<unknown> {
  const controller = new AbortController()
  setTimeout(() => controller.abort('enough'))
  const parsed = parser.getNodesFromDocuments(inputs, { signal: controller.signal })
  return parsed.then(
    ({ length }) => length,
    (reason) => reason,
  )
}

describe('a parser', () => {
  it.each(parsers)('can be cancelled between documents: $constructor.name', async (parser) => {
    expect(await outcomeOf(parser, documents)).toBe('enough')
  })

  it('can be cancelled while it links the nodes of several documents', async () => {
    class SlowLinks extends SentenceSplitter {
      protected override linkNodes(nodes: readonly TextNode[]): void {
        for (const end = performance.now() + 11; performance.now() < end; );
        super.linkNodes(nodes)
      }
    }
    const short = documents.slice(0, 5).map(({ id }) => new Document({ id, text: 'a' }))
    expect(await outcomeOf(new SlowLinks(), short)).toBe('enough')
  })

  it('adds the metadata of an input: keys of a node have priority, and a part has no line numbers of the whole', async () => {
    class Twice extends SentenceSplitter {
      protected override async parseNodes(inputs: readonly TextNode[]) {
        const metadata = { page: 'own' }
        return inputs.map(({ text }) => [new TextNode({ text, metadata }), new TextNode({ text: 'part', metadata })])
      }
    }
    const lines = Object.fromEntries(LINE_KEYS.map((key, at) => [key, at]))
    const input = new Document({ text: 'a b', metadata: { page: 1, file: 'x', ...lines } })
    const metadataOf = async (parser: NodeParser) =>
      (await parser.getNodesFromDocuments([input])).map(({ metadata }) => metadata)
    expect(await metadataOf(new Twice())).toEqual([
      { page: 'own', file: 'x', ...lines },
      { page: 'own', file: 'x' },
    ])
    expect(await metadataOf(new Twice({ includeMetadata: false }))).toEqual([{ page: 'own' }, { page: 'own' }])
  })

  it('places nodes in the source of their input, unless the input is none of its parts', async () => {
    const text = 'One two. Three four.'
    const parts = await new SentenceSplitter({ chunkSize: 3, chunkOverlap: 0 }).getNodesFromDocuments([
      new Document({ text }),
    ])
    const placed = await new WordSplitter({}).getNodesFromDocuments(parts)
    expect(placed.map(({ startCharIdx, endCharIdx }) => text.slice(startCharIdx!, endCharIdx!))).toEqual(
      text.split(' '),
    )
    for (const part of parts) part.startCharIdx = null
    const unplaced = await new WordSplitter({}).getNodesFromDocuments(parts)
    expect(new Set(unplaced.flatMap(({ startCharIdx, endCharIdx }) => [startCharIdx, endCharIdx]))).toEqual(
      new Set([null]),
    )
  })

  it('links each node with the one before and the one behind it, unless it should not', async () => {
    const links = async (includePrevNextRel: boolean) => {
      const nodes = await new WordSplitter({ includePrevNextRel }).getNodesFromDocuments([
        new Document({ text: 'a b c' }),
      ])
      const at = (id: string | undefined) => nodes.findIndex((node) => node.id === id)
      return nodes.map(({ prevNode, nextNode }) => [at(prevNode?.nodeId), at(nextNode?.nodeId)])
    }
    expect(await links(true)).toEqual([
      [-1, 1],
      [0, 2],
      [1, -1],
    ])
    expect(await links(false)).toEqual(Array(3).fill([-1, -1]))
  })

  it('is read from JSON with the function that summarizes its tables', async () => {
    const summarizer = async () => ({ summary: 'A table.' })
    const data = new MarkdownElementNodeParser({ summarizer } as never).toDict()
    expect(() => MarkdownElementNodeParser.fromDict(data)).toThrow(
      expect.objectContaining({ code: 'model_validation' }),
    )
    expect(MarkdownElementNodeParser.fromDict(data, { summarizer }).toDict()).toEqual(data)
    for (const given of [{}, data])
      expect(() => MarkdownElementNodeParser.fromDict(given, null as never)).toThrow(
        expect.objectContaining({ code: 'model_validation' }),
      )
  })

  it('links the nodes of adjacent inputs of one source', async () => {
    const parts = await new SentenceSplitter({ chunkSize: 32, chunkOverlap: 0 }).getNodesFromDocuments(
      documents.slice(0, 2),
    )
    const nodes = await new MarkdownNodeParser().getNodesFromDocuments(parts)
    const sources = nodes.map(({ refDocId }) => refDocId)
    expect(new Set(sources).size).toBe(2)
    const next = nodes.map((node) => node.nextNode?.nodeId ?? null)
    expect(next).toEqual(nodes.map((_, at) => (sources[at] === sources[at + 1] ? nodes[at + 1]!.id : null)))
  })
})

describe('a wrong argument is refused', () => {
  it.each(parsers)('as documents of $constructor.name', async (parser) => {
    for (const wrong of [undefined, 'text', [null], ['text'], [{ text: 'text' }]])
      await expect(parser.getNodesFromDocuments(wrong as never)).rejects.toMatchObject({
        code: 'model_validation',
        message: expect.stringMatching('^getNodesFromDocuments.documents: expected an array'),
      })
  })

  it('as an option of a parse', async () => {
    await expect(new SentenceSplitter().getNodesFromDocuments([], { signl: null } as never)).rejects.toThrow(
      'getNodesFromDocuments.signl: unknown option; did you mean signal?',
    )
  })

  const splitter = new SentenceSplitter()
  const elements = new MarkdownElementNodeParser({ summarizer: 'headers' })
  it.each<[string, (wrong: never) => unknown]>([
    ['splitText.text', (wrong) => splitter.splitText(wrong)],
    ['splitTexts.texts', (wrong) => splitter.splitTexts(wrong)],
    ['splitTextMetadataAware.metadataStr', (wrong) => splitter.splitTextMetadataAware('text', wrong)],
    ['splitTextsMetadataAware.texts', (wrong) => splitter.splitTextsMetadataAware(wrong, [])],
    ['getBaseNodesAndMappings.nodes', (wrong) => elements.getNodesAndObjects(wrong)],
    ['getNodesFromNode.node', (wrong) => elements.getNodesFromNode(wrong)],
    ['readBlocks.text', (wrong) => readBlocks(wrong)],
  ])('as %s', async (place, call) => {
    for (const wrong of [undefined, null, 5, {}])
      await expect((async () => call(wrong as never))()).rejects.toMatchObject({
        code: 'model_validation',
        message: expect.stringMatching(`^${place}: expected `),
      })
  })
})
