/**
 * @module
 * Splits Markdown at its headings.
 */
import type { TextNode } from '@x/core-model'
import { buildNodesFromSplits } from './build-nodes.ts'
import type { Chunk } from './chunk-text.ts'
import { checkLimits, hideLineNumbers, splitRange } from './chunking.ts'
import { countTokens } from './count-tokens.ts'
import { CutBlocks } from './cut-blocks.ts'
import { metadataWith, textStart } from './front-matter-metadata.ts'
import { MarkdownNodeParserModel, type MarkdownNodeParserOptions } from './generated/markdown-node-parser.ts'
import { InputText } from './input-text.ts'
import { commonHeadings, headEndOf, joinSections } from './join-sections.ts'
import { sectionsOf } from './markdown/sections.ts'
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
    return inputs.map((input) => this.parseOne(input, options))
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
