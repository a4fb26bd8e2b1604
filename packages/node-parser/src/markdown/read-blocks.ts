/**
 * @module
 * The outline of a document: its root blocks with offsets, lines and headings.
 */
import { checkGiven, checkOptions, having, text as string } from '@x/core/options'
import type { BlockKind } from './block.ts'
import { scanBlocks } from './block-scanner.ts'
import { markdownStart } from './front-matter.ts'
import type { MarkdownSyntax } from './mdx.ts'
import { countUpTo, lineStarts } from './places.ts'
import { outlineOf } from './sections.ts'

/** A root block of a document. A quote or a list is one block, including everything inside. */
export interface MarkdownBlock {
  /**
   * `code` is fenced or indented, `html` an HTML block, `break` a thematic break, `mdx` a construct of the syntax `mdx`. Link definitions
   * are paragraphs.
   */
  kind: BlockKind | 'front_matter'
  /** The offset of the start of its first line, in UTF-16 code units. */
  start: number
  /** The offset after its last character that is not blank. */
  end: number
  /** Its first line, starting at 1. */
  startLine: number
  /** Its last line, starting at 1. */
  endLine: number
  /** The level of a heading, 1 to 6; null for other blocks. */
  level: number | null
  /** The plain text of the headings that contain the block, outermost first. The last one of a heading is its own text. */
  headerPath: readonly string[]
}

/** The options of {@link readBlocks}. */
export interface ReadBlocksOptions {
  /** A syntax other than plain Markdown, such as `mdx`. @defaultValue Markdown */
  syntax?: MarkdownSyntax | null | undefined
}

/**
 * Returns the root blocks of a Markdown document, in order. Only blank lines and a byte-order mark are outside of all blocks. Takes
 * linear time; every string is valid Markdown.
 * @example
 * const text = '# Fruit\n\nApples *and*\npears.\n\n- one\n- two'
 * readBlocks(text).map(({ kind, startLine, endLine }) => [kind, startLine, endLine])
 * // => [['heading', 1, 1], ['paragraph', 3, 4], ['list', 6, 7]]
 * readBlocks(text).map(({ headerPath }) => headerPath) // => [['Fruit'], ['Fruit'], ['Fruit']]
 * readBlocks(text).map(({ start, end }) => text.slice(start, end))[2] // => '- one\n- two'
 * @throws {ModelValidationError} if `text` is not a string, or an option is unknown.
 */
export function readBlocks(text: string, options: ReadBlocksOptions = {}): MarkdownBlock[] {
  checkGiven('readBlocks', { text }, string)
  checkOptions('readBlocks', options, { syntax: having('a syntax', 'reader') })
  const { syntax = null } = options
  const markdown = markdownStart(text)
  const structure = scanBlocks(text, markdown, syntax)
  const starts = lineStarts(text)
  const lineOf = (offset: number) => countUpTo(starts, offset, (start) => start)
  const place = (start: number, end: number) => ({ start, end, startLine: lineOf(start), endLine: lineOf(end) })
  const top = text.charCodeAt(0) === 0xfeff ? 1 : 0
  const blocks: MarkdownBlock[] = []
  if (markdown > top) {
    const end = top + text.slice(top, markdown).trimEnd().length
    blocks.push({ kind: 'front_matter', ...place(top, end), level: null, headerPath: [] })
  }
  const headings = outlineOf(text, structure)
  let next = 0
  let headerPath: readonly string[] = []
  for (const block of structure.blocks) {
    const { kind, start, end, depth } = block
    const heading = headings[next]
    if (heading?.block === block) {
      headerPath = heading.path.map(({ text: title }) => title)
      next++
    }
    blocks.push({ kind, ...place(start, end), level: kind === 'heading' ? depth : null, headerPath })
  }
  return blocks
}
