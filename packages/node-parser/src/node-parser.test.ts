import { Document, type TextNode } from '@x/core-model'
import { describe, expect, it } from 'vitest'
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
