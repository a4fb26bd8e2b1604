/**
 * @module
 * Splits Markdown at its headings.
 */

import type { TextNode, Tokenizer } from '@x/core-model'
import { mapInTurns } from '@x/core-model/async'
import { buildNodesFromSplits } from './build-nodes.ts'
import type { Chunk, RepeatedText } from './chunk-text.ts'
import { checkLimits, hideLineNumbers, splitRange } from './chunking.ts'
import { CodeFences } from './code-fences.ts'
import { countTokens } from './count-tokens.ts'
import { MarkdownNodeParserModel, type MarkdownNodeParserOptions } from './generated/markdown-node-parser.ts'
import { InputText, metadataWith, textStart } from './input-text.ts'
import { commonHeadings, headEndOf, joinSections } from './join-sections.ts'
import type { TableSpan } from './markdown/block.ts'
import { isLineEnd } from './markdown/characters.ts'
import { countUpTo } from './markdown/places.ts'
import { sectionsOf } from './markdown/sections.ts'
import { cellRanges, columnAligns } from './markdown/table-row.ts'
import type { ParseOptions } from './node-parser.ts'

/**
 * Creates one node per section: the text before the first heading, and each heading with the text after it.
 * The metadata `Header_1` to `Header_6` contain the headings above. Headings in quotes, lists, code and HTML start no section.
 * @throws {ModelValidationError} if an option is invalid, or `chunkOverlap` is not less than `chunkSize`.
 * @example
 * const parser = new MarkdownNodeParser()
 * const nodes = await parser.getNodesFromDocuments([new Document({ text: '# A\none\n## B\ntwo' })])
 * nodes.map(({ text, metadata }) => [text, metadata])
 * // => [['# A\none', { Header_1: 'A' }], ['## B\ntwo', { Header_1: 'A', Header_2: 'B' }]]
 */
export class MarkdownNodeParser extends MarkdownNodeParserModel {
  constructor(options?: MarkdownNodeParserOptions) {
    super(options)
    checkLimits('MarkdownNodeParser', this)
  }

  protected override async parseNodes(inputs: readonly TextNode[], options: ParseOptions): Promise<TextNode[][]> {
    return mapInTurns(inputs, options.signal, (input) => this.parseOne(input, options))
  }

  private parseOne(node: TextNode, { parentId }: ParseOptions): TextNode[] {
    const input = new InputText(node, this.syntax)
    const { text, outline } = input
    const pieces: { text: string; place: Chunk; metadata: Record<string, unknown> }[] = []
    const { headerPathSeparator, lineNumbers, pageBreak } = this
    const placeOptions = {
      headerPath: this.headerPath && this.includeMetadata,
      headerPathSeparator,
      lineNumbers,
      pageBreak,
    }
    const cut = new CutBlocks(input, this)
    const sections = sectionsOf(text, outline, textStart(this.frontMatter, node))
    for (const group of joinSections(text, sections, this)) {
      const { start, end } = group
      const headings = commonHeadings(input, group)
      const headers = Object.fromEntries(headings.map(({ depth, text: title }) => [`Header_${depth}`, title]))
      const head = headEndOf(group)
      const headEnd = head !== null && this.isWorthRepeating(text.slice(start, head)) ? head : start
      for (const place of splitRange(input, start, end, this, {
        headEnd,
        repeated: cut,
        parentId,
      })) {
        const above = headEnd > start && place.start > start ? `${text.slice(start, headEnd)}\n\n` : ''
        pieces.push({
          text: cut.textOf(place, above),
          place,
          metadata: {
            ...(this.includeMetadata && headers),
            ...input.placeMetadata(place.start, place.end, placeOptions, headings),
          },
        })
      }
    }
    const nodes = buildNodesFromSplits(
      pieces.map((piece) => piece.text),
      node,
      { idFunc: this.idFunc },
    )
    for (const [index, { place, metadata }] of pieces.entries()) {
      const made = nodes[index] as TextNode
      made.metadata = metadata
      made.startCharIdx = place.start
      made.endCharIdx = place.end
      if (lineNumbers) hideLineNumbers(made)
    }
    return nodes
  }

  protected override inheritedMetadata(input: TextNode): Record<string, unknown> {
    return metadataWith(this.frontMatter, input)
  }

  /** Whether to repeat a heading: false if it takes half of a chunk or more. */
  private isWorthRepeating(heading: string): boolean {
    const { chunkSize, tokenizer } = this
    return this.repeatHeading && chunkSize !== null && countTokens(heading, tokenizer) + 1 < chunkSize / 2
  }
}

/** The options of a parser that decide what is repeated. */
interface CutOptions {
  chunkSize: number | null
  tokenizer: Tokenizer | null
  repeatTableHeader: boolean
  repeatCodeFence: boolean
}

/** Repeats the headers of tables and the fences of code that take at most half of a chunk. */
class CutBlocks implements RepeatedText {
  private readonly input: InputText
  private readonly chunkSize: number
  private readonly count: (text: string) => number
  /** Counts a header or a fence once, because it is repeated around many chunks. */
  private readonly countRepeated: (text: string) => number
  private readonly headerAt: (start: number) => string
  private readonly fences: CodeFences | null

  constructor(input: InputText, { chunkSize, tokenizer, repeatTableHeader, repeatCodeFence }: CutOptions) {
    this.input = input
    this.chunkSize = chunkSize ?? Number.POSITIVE_INFINITY
    this.headerAt = repeatTableHeader ? tableHeaders(input) : () => ''
    this.fences = repeatCodeFence ? new CodeFences(input) : null
    this.count = (text) => countTokens(text, tokenizer)
    const counts = new Map<string, number>()
    this.countRepeated = (text) => {
      const tokens = counts.get(text) ?? this.count(text)
      counts.set(text, tokens)
      return tokens
    }
  }

  tokensBefore(start: number): number {
    return this.countRepeated(this.before(start))
  }

  tokensAfter(end: number): number {
    return this.countRepeated(this.after(end))
  }

  /** Returns the text of a chunk below `above`, with what is repeated around it, as far as there is room. */
  textOf({ start, end }: Chunk, above: string): string {
    const slice = this.input.text.slice(start, end)
    const whole = above + this.before(start) + slice + this.after(end)
    return this.count(whole) <= this.chunkSize ? whole : above + slice
  }

  private before(start: number): string {
    return this.short(this.fences?.openAt(start) || this.headerAt(start))
  }

  private after(end: number): string {
    return this.short(this.fences?.closeAt(end) ?? '')
  }

  private short(text: string): string {
    return text !== '' && this.countRepeated(text) > this.chunkSize / 2 ? '' : text
  }
}

/**
 * Returns a function that returns the header and the delimiter row of the table with a body row at an offset, in a compact form; an empty
 * string for other offsets.
 */
function tableHeaders(input: InputText): (offset: number) => string {
  let last: { table: TableSpan; header: string } | undefined
  return (offset) => {
    const { text, structure } = input
    const { tables } = structure
    // A row that is larger than a chunk is cut. Only its first piece gets a header.
    if (!isLineEnd(text, offset - 1)) return ''
    const table = tables[countUpTo(tables, offset, ({ rowEnds }) => rowEnds[1] as number) - 1]
    if (table === undefined || offset >= (table.rowEnds.at(-1) as number)) return ''
    if (last?.table !== table) last = { table, header: compactHeader(text, table) }
    return last.header
  }
}

/** Returns the first two rows of a table without the blanks and dashes that only align its columns. Marks of lists and quotes are kept. */
function compactHeader(text: string, { rowStarts, rowEnds }: TableSpan): string {
  const line = (row: 0 | 1, cells: string) => {
    const start = rowStarts[row] as number
    let lineStart = start
    while (lineStart > 0 && !isLineEnd(text, lineStart - 1)) lineStart--
    return `${text.slice(lineStart, start)}|${cells}|\n`
  }
  const ranges = cellRanges(text, rowStarts[0] as number, rowEnds[0] as number)
  const cells: string[] = []
  for (let index = 0; index < ranges.length; index += 2) cells.push(` ${text.slice(ranges[index], ranges[index + 1])} `)
  const marks = { left: ':--', right: '--:', center: ':-:' }
  const aligns = columnAligns(text, rowStarts[1] as number, rowEnds[1] as number)
  return line(0, cells.join('|')) + line(1, aligns.map((align) => (align === null ? '---' : marks[align])).join('|'))
}
