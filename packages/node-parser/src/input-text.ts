/**
 * @module
 * The blocks, headings, lines, pages and front matter of an input.
 */
import { isPlainObject, merge } from '@x/core/values'
import type { TextNode } from '@x/core-model'
import { isFromSource } from './build-nodes.ts'
import type { BlockStructure } from './markdown/block.ts'
import { scanBlocks } from './markdown/block-scanner.ts'
import { frontMatterSource, markdownStart } from './markdown/front-matter.ts'
import type { MarkdownSyntax } from './markdown/mdx.ts'
import { countUpTo, lineStarts, type PageMarks, pageMarks } from './markdown/places.ts'
import { type HeadingInForce, type OutlineEntry, outlineOf } from './markdown/sections.ts'

/** Options for the location metadata of nodes. */
export interface PlaceOptions {
  headerPath: boolean
  headerPathSeparator: string
  lineNumbers: boolean
  pageBreak: string | null
}

/** The context of a part of a document: headings, line and page that the metadata of its node does not contain. */
export interface TextContext {
  headings: readonly HeadingInForce[]
  /** The line of the document in which the text starts; null if unknown. */
  firstLine: number | null
  /** The label of the page on which the text starts. */
  pageLabel?: string
  /** Whether the text is not the beginning of the document: a byte-order mark is a character then, and front matter is text. */
  isLater?: boolean
}

const contexts = new WeakMap<TextNode, TextContext>()

/** Sets the context of the text of a node. */
export function setContext(node: TextNode, context: TextContext): void {
  contexts.set(node, context)
}

/** Whether the text of a node is not the beginning of its document. */
export function isLaterPart(node: TextNode): boolean {
  return contexts.get(node)?.isLater === true
}

/** Returns the offset at which the Markdown of an input begins: after a byte-order mark and front matter. */
function markdownStartOf(node: TextNode): number {
  return isLaterPart(node) ? 0 : markdownStart(node.text)
}

/**
 * Returns metadata from the source of front matter: the text between its two lines, or JSON. {@link readFrontMatter}, or `parse` of a YAML
 * library.
 */
export type FrontMatterReader = (source: string) => Record<string, unknown>

/** Keys that packages write and read, such as the file of a citation: front matter, which may be of a stranger, cannot set them. */
const RESERVED = /^(?:file|start_line|end_line|header_path|table_df|table_summary|untrusted|__.*)$/s

/** Returns the metadata of an input and its front matter, without reserved keys. Keys of the input have priority. */
export function metadataWith(reader: FrontMatterReader | null, input: TextNode): Record<string, unknown> {
  const { text, metadata } = input
  const block = reader === null ? '' : text.slice(0, markdownStartOf(input))
  if (reader === null || block.length < 2) return metadata
  const source = frontMatterSource(block)
  const own: unknown = reader(source)
  // A reader of YAML returns a string for TOML.
  if (!isPlainObject(own)) return source.trim() === '' ? metadata : merge({ front_matter: source.trim() }, metadata)
  return merge(Object.fromEntries(Object.entries(own).filter(([key]) => !RESERVED.test(key))), metadata)
}

/** Returns the offset at which the text of the nodes starts: without front matter if it is metadata. */
export function textStart(reader: FrontMatterReader | null, input: TextNode): number {
  const start = markdownStartOf(input)
  return reader || start === 0 ? start : input.text.charCodeAt(0) === 0xfeff ? 1 : 0
}

/** A text with its structure. */
export interface ReadText {
  text: string
  structure: BlockStructure
}

/** The text of an input with its structure. The structure is computed once, on first access. */
export class InputText {
  readonly node: TextNode
  readonly text: string
  /** The offset at which the Markdown begins. */
  readonly markdownStart: number
  private readStructure: BlockStructure | undefined
  private readOutline: OutlineEntry[] | undefined
  private readLines: number[] | undefined
  private readPages: PageMarks | undefined

  private readonly syntax: MarkdownSyntax | null

  /** @param read - a text whose structure is known, which is usually that of the node. */
  constructor(node: TextNode, syntax: MarkdownSyntax | null = null, read?: ReadText) {
    this.node = node
    this.syntax = syntax
    this.text = node.text
    this.markdownStart = markdownStartOf(node)
    if (read?.text === node.text) this.readStructure = read.structure
  }

  get structure(): BlockStructure {
    this.readStructure ??= scanBlocks(this.text, this.markdownStart, this.syntax)
    return this.readStructure
  }

  /** The headings of the text, below the headings in the metadata of the input. */
  get outline(): readonly OutlineEntry[] {
    this.readOutline ??= outlineOf(this.text, this.structure, this.headingsAbove())
    return this.readOutline
  }

  /** Returns the headings above an offset, outermost first. */
  headingsAt(offset: number): readonly HeadingInForce[] {
    const { outline } = this
    return outline[countUpTo(outline, offset, ({ block }) => block.start) - 1]?.path ?? this.headingsAbove()
  }

  /**
   * Returns the headings above all of a range: those of its start that are also above every heading in it. A heading without text counts by
   * the headings below it, and at the end of the range not at all: it leads to what is behind. Front matter does not count.
   */
  headingsOver(rangeStart: number, rangeEnd: number): readonly HeadingInForce[] {
    const { outline, text, markdownStart } = this
    const rest = rangeStart < markdownStart ? text.slice(markdownStart, rangeEnd).trimStart() : ''
    const start = rest === '' ? rangeStart : rangeEnd - rest.length
    const isBlank = (from: number, to: number) => text.slice(Math.max(start, from), to).trim() === ''
    let path = this.headingsAt(start)
    let end = rangeEnd
    for (let last = countUpTo(outline, end - 1, ({ block }) => block.start) - 1; last >= 0; last--) {
      const { block } = outline[last] as OutlineEntry
      if (!isBlank(block.end, end)) break
      // A range of headings alone is about the last of them.
      end = block.start <= start ? rangeEnd : block.start
      if (block.start <= start) break
    }
    for (let next = countUpTo(outline, start, ({ block }) => block.start); next < outline.length; next++) {
      const entry = outline[next] as OutlineEntry
      if (entry.block.start >= end) break
      const above = outline[next - 1]
      const isBelow = above?.path === path && entry.path.at(-2) === path.at(-1)
      if (isBelow && isBlank(above.block.end, entry.block.start)) path = entry.path
      const differs = path.findIndex((heading, index) => entry.path[index] !== heading)
      if (differs >= 0) path = path.slice(0, differs)
    }
    return path
  }

  /** Returns the context of a part of the text. */
  contextAt(offset: number): TextContext {
    const firstLine = this.firstLine()
    return {
      headings: this.headingsAt(offset),
      firstLine: firstLine === null ? null : firstLine - 1 + this.lineOf(offset),
      isLater: offset > 1 || isLaterPart(this.node),
    }
  }

  /** Returns the location metadata of a node with the range `start` to `end`. `headings` are those above all of it. */
  placeMetadata(
    start: number,
    end: number,
    options: PlaceOptions,
    headings?: readonly HeadingInForce[],
  ): Record<string, unknown> {
    const metadata: Record<string, unknown> = {}
    const path = options.headerPath ? (headings ?? this.headingsOver(start, end)) : []
    if (path.length > 0) metadata['header_path'] = path.map(({ text }) => text).join(options.headerPathSeparator)
    const firstLine = options.lineNumbers ? this.firstLine() : null
    if (firstLine !== null) {
      metadata['start_line'] = firstLine - 1 + this.lineOf(start)
      metadata['end_line'] = firstLine - 1 + this.lineOf(end)
    }
    if (options.pageBreak !== null) {
      const first = contexts.get(this.node)?.pageLabel ?? this.node.metadata['page_label'] ?? 1
      this.readPages ??= pageMarks(this.text, options.pageBreak, String(first))
      metadata['page_label'] = this.readPages.labelOf(start, end)
    }
    return metadata
  }

  private lineOf(offset: number): number {
    this.readLines ??= lineStarts(this.text)
    return countUpTo(this.readLines, offset, (start) => start)
  }

  /** The headings above a chunk of a document: known from its context, or from the metadata that `MarkdownNodeParser` writes. */
  private headingsAbove(): readonly HeadingInForce[] {
    const { metadata } = this.node
    const known = contexts.get(this.node)?.headings
    if (known !== undefined) return known
    return [1, 2, 3, 4, 5, 6].flatMap((depth) => {
      const text = metadata[`Header_${depth}`]
      return typeof text === 'string' ? [{ depth, text }] : []
    })
  }

  /** Returns the line of the source in which the text starts; null if it is unknown. */
  private firstLine(): number | null {
    const { node } = this
    const context = contexts.get(node)
    if (context !== undefined) return context.firstLine
    const known = node.metadata['start_line']
    if (!isFromSource(node)) return null
    return typeof known === 'number' ? known : node.sourceNode === null ? 1 : null
  }
}
