/**
 * @module
 * The blocks, headings, lines and pages of an input.
 */
import type { TextNode } from '@x/core-model'
import { isFromSource } from './build-nodes.ts'
import type { BlockStructure } from './markdown/block.ts'
import { scanBlocks } from './markdown/block-scanner.ts'
import { markdownStart } from './markdown/front-matter.ts'
import { countUpTo, lineStarts, type PageMarks, pageMarks } from './markdown/places.ts'
import { type HeadingInForce, type OutlineEntry, outlineOf } from './markdown/sections.ts'

/** Which location metadata nodes receive. */
export interface PlaceOptions {
  headerPath: boolean
  headerPathSeparator: string
  lineNumbers: boolean
  pageBreak: string | null
}

/** The text of an input with its structure. Each part is computed once, on first access. */
export class InputText {
  readonly node: TextNode
  readonly text: string
  private readStructure: BlockStructure | undefined
  private readOutline: OutlineEntry[] | undefined
  private readLines: number[] | undefined
  private readPages: PageMarks | undefined

  constructor(node: TextNode) {
    this.node = node
    this.text = node.text
  }

  get structure(): BlockStructure {
    this.readStructure ??= scanBlocks(this.text, markdownStart(this.text))
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

  /** Returns the location metadata of a node with the range `start` to `end`. */
  placeMetadata(start: number, end: number, options: PlaceOptions): Record<string, unknown> {
    const metadata: Record<string, unknown> = {}
    const path = options.headerPath ? this.headingsAt(start) : []
    if (path.length > 0) metadata['header_path'] = path.map(({ text }) => text).join(options.headerPathSeparator)
    const firstLine = options.lineNumbers ? this.firstLine() : null
    if (firstLine !== null) {
      metadata['start_line'] = firstLine - 1 + this.lineOf(start)
      metadata['end_line'] = firstLine - 1 + this.lineOf(end)
    }
    if (options.pageBreak !== null) {
      this.readPages ??= pageMarks(this.text, options.pageBreak, String(this.node.metadata['page_label'] ?? 1))
      metadata['page_label'] = this.readPages.labelOf(start, end)
    }
    return metadata
  }

  private lineOf(offset: number): number {
    this.readLines ??= lineStarts(this.text)
    return countUpTo(this.readLines, offset, (start) => start)
  }

  /** The headings above a chunk of a document, from the metadata that `MarkdownNodeParser` writes. */
  private headingsAbove(): HeadingInForce[] {
    const { metadata } = this.node
    return [1, 2, 3, 4, 5, 6].flatMap((depth) => {
      const text = metadata[`Header_${depth}`]
      return typeof text === 'string' ? [{ depth, text }] : []
    })
  }

  /** Returns the line of the source in which the text starts; null if it is unknown. */
  private firstLine(): number | null {
    const { node } = this
    const known = node.metadata['start_line']
    if (!isFromSource(node)) return null
    return typeof known === 'number' ? known : node.sourceNode === null ? 1 : null
  }
}
