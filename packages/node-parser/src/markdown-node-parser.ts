/**
 * @module
 * Cuts Markdown at its headings.
 */
import type { CallbackManager, TextNode } from '@x/core-model'
import { buildNodesFromSplits } from './build-nodes.ts'
import { type Chunk, chunkText } from './chunk-text.ts'
import { emitChunking, hideLineNumbers, requireOverlapBelowSize } from './chunking.ts'
import { tokenCounter } from './count-tokens.ts'
import {
  type MarkdownNodeParserFields,
  type MarkdownNodeParserOptions,
  markdownNodeParserSpec,
} from './generated/models.ts'
import { scanBlocks } from './markdown/block-scanner.ts'
import { markdownStart } from './markdown/front-matter.ts'
import { lineNumbers } from './markdown/line-numbers.ts'
import { sectionsOf } from './markdown/sections.ts'
import { NodeParser } from './node-parser.ts'

export interface MarkdownNodeParser extends MarkdownNodeParserFields {}

/**
 * Makes one node per section: the text before the first heading, and each heading with what follows it.
 * The metadata `Header_1` to `Header_6` name the headings in force. Headings in quotes, lists, code and HTML start none.
 * @example
 * const parser = new MarkdownNodeParser()
 * const nodes = await parser.getNodesFromDocuments([new Document({ text: '# A\none\n## B\ntwo' })])
 * nodes.map(({ text, metadata }) => [text, metadata])
 * // => [['# A\none', { Header_1: 'A' }], ['## B\ntwo', { Header_1: 'A', Header_2: 'B' }]]
 */
export class MarkdownNodeParser extends NodeParser {
  /** @throws {ModelValidationError} when a field does not fit, or the overlap is not below the size. */
  constructor(options?: MarkdownNodeParserOptions) {
    super(options)
    requireOverlapBelowSize('MarkdownNodeParser', this)
  }

  static override spec() {
    return markdownNodeParserSpec
  }

  protected static override extensions(): readonly string[] {
    return ['chunkSize', 'chunkOverlap', 'repeatHeading', 'headerPath', 'headerPathSeparator', 'lineNumbers']
  }

  protected override async parseNodes(inputs: readonly TextNode[]): Promise<TextNode[][]> {
    return inputs.map((input) => this.parseOne(input))
  }

  private parseOne(input: TextNode): TextNode[] {
    const { text } = input
    const structure = scanBlocks(text, markdownStart(text))
    const texts: string[] = []
    const chunks: Chunk[] = []
    const metadata: Record<string, unknown>[] = []
    const lineOf = lineNumbers(text)
    for (const { start, end, heading, path } of sectionsOf(text, structure, text.charCodeAt(0) === 0xfeff ? 1 : 0)) {
      const own = Object.fromEntries(path.map(({ depth, text: title }) => [`Header_${depth}`, title]))
      if (this.headerPath && path.length > 0)
        own['header_path'] = path.map(({ text: title }) => title).join(this.headerPathSeparator)
      for (const [index, chunk] of this.cut(text, start, end, heading?.end ?? start, structure.blocks).entries()) {
        const slice = text.slice(chunk.start, chunk.end)
        const repeated = this.repeatHeading && index > 0 && heading !== null
        texts.push(repeated ? `${text.slice(heading.start, heading.end)}\n\n${slice}` : slice)
        chunks.push(chunk)
        metadata.push({
          ...(this.includeMetadata && own),
          ...(this.lineNumbers && { start_line: lineOf(chunk.start), end_line: lineOf(chunk.end) }),
        })
      }
    }
    const nodes = buildNodesFromSplits(texts, input, { idFunc: this.idFunc })
    nodes.forEach((node, index) => {
      node.metadata = metadata[index] as Record<string, unknown>
      node.startCharIdx = (chunks[index] as Chunk).start
      node.endCharIdx = (chunks[index] as Chunk).end
      if (this.lineNumbers) hideLineNumbers(node)
    })
    return nodes
  }

  /** The pieces of a section. With a repeated heading, each piece has room for it. */
  private cut(
    text: string,
    start: number,
    end: number,
    headingEnd: number,
    blocks: ReturnType<typeof scanBlocks>['blocks'],
  ): Chunk[] {
    if (this.chunkSize === null) return [{ start, end }]
    const count = tokenCounter(text, start, end, this.tokenizer)
    if (count(start, end) <= this.chunkSize) return [{ start, end }]
    const room = this.chunkSize - (this.repeatHeading ? count(start, headingEnd) + 1 : 0)
    const chunkSize = room > this.chunkSize / 2 ? room : this.chunkSize
    const chunkOverlap = Math.min(this.chunkOverlap, chunkSize - 1)
    const chunks = chunkText(text, start, end, blocks, { chunkSize, chunkOverlap, count })
    emitChunking(this.callbackManager as CallbackManager | null, text, start, end, chunks)
    return chunks
  }
}
