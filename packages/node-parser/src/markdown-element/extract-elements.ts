/**
 * @module
 * Splits a Markdown document into text and tables, with exact offsets.
 */
import {
  callback,
  checkGiven,
  checkOptions,
  choice,
  flag,
  list,
  type OptionTable,
  text as string,
} from '@x/core/options'
import type { ReadText } from '../input-text.ts'
import type { BlockStructure, TableSpan } from '../markdown/block.ts'
import { scanBlocks } from '../markdown/block-scanner.ts'
import { trimText } from '../markdown/characters.ts'
import { markdownStart } from '../markdown/front-matter.ts'
import { aSyntax, type MarkdownSyntax } from '../markdown/mdx.ts'
import { columnAligns, rowCells } from '../markdown/table-row.ts'
import {
  type Element,
  type ElementDivider,
  keepAsText,
  newElement,
  type TableCandidate,
  type TableData,
  type TableFilter,
} from './element.ts'
import { containedTables, type HtmlTable, HtmlTableFinder, withoutBlankEnd } from './html-table.ts'
import { rememberRows } from './table-parts.ts'

/** The options of {@link extractMarkdownElements}. */
export interface ExtractOptions {
  /** The id of the document; it becomes part of the element ids. */
  nodeId?: string | null | undefined
  /** A table becomes a table element if all filters return true. @defaultValue no filters */
  tableFilters?: readonly TableFilter[] | null | undefined
  /** Whether a `<table>` in an HTML block becomes a table element or text. @defaultValue 'text' */
  htmlTables?: 'text' | 'table' | undefined
  /** A syntax other than plain Markdown, such as `mdx`. A stream with it is parsed at its end. @defaultValue Markdown */
  syntax?: MarkdownSyntax | null | undefined
  /** Whether front matter is omitted. @defaultValue false: it is text */
  skipFrontMatter?: boolean | undefined
  /**
   * Whether the string is a later part of a document: a byte-order mark is a character then, and front matter is text. @defaultValue false
   */
  isLater?: boolean | undefined
  /** Divides the text between tables, such as `typedElements()`. @defaultValue text is not divided */
  elementTypes?: ElementDivider | null | undefined
}

/** The checks of the options that streams have too. */
export const extractOptions = (): OptionTable<Omit<ExtractOptions, 'elementTypes' | 'isLater'>> => ({
  syntax: aSyntax,
  nodeId: string,
  tableFilters: list,
  htmlTables: choice('text', 'table'),
  skipFrontMatter: flag,
})

/**
 * Returns the elements of a document, in order. Every string is valid Markdown. Errors of filters are thrown unchanged.
 * @throws {ModelValidationError} if `text` is not a string, or an option is unknown or invalid.
 */
export function extractMarkdownElements(text: string, options: ExtractOptions = {}): Element[] {
  checkGiven('extractMarkdownElements', { text }, string)
  checkOptions('extractMarkdownElements', options, { ...extractOptions(), isLater: flag, elementTypes: callback })
  const start = options.isLater ? 0 : markdownStart(text)
  const collector = new ElementCollector(options)
  collector.start(text, start)
  const structure = scanBlocks(text, start, options.syntax)
  collector.readHtml(text, structure)
  const found = [...collector.take(text, structure, Number.POSITIVE_INFINITY), ...collector.finish(text)]
  const elements = options.elementTypes?.(text, structure, found) ?? found
  sources.set(elements, { text, structure })
  return elements
}

const sources = new WeakMap<readonly Element[], ReadText>()

/** Returns the text that was divided into elements; undefined if another function made the array. */
export function sourceOfElements(elements: readonly Element[]): ReadText | undefined {
  return sources.get(elements)
}

/** Creates elements from tables and the text between them, all at once or incrementally. */
export class ElementCollector {
  /** The offset from which the next element may start. */
  from = 0
  private readonly options: ExtractOptions
  private readonly prefix: string
  private count = 0
  /** The number of characters dropped from the start of the document. */
  protected base = 0
  /** The end of the last table that the filters have seen. */
  protected passed = 0
  /** The HTML tables that are not yet elements; null if HTML tables are text. */
  protected readonly html: HtmlTables | null

  constructor(options: ExtractOptions) {
    const { nodeId = null } = options
    this.options = options
    this.html = options.htmlTables === 'table' ? new HtmlTables() : null
    this.prefix = nodeId === null ? 'id_' : `id_${nodeId}_`
  }

  /** Skips a byte-order mark at the start of the document, and front matter, which ends at `markdown`, if it is not text. */
  start(text: string, markdown: number): void {
    const { isLater, skipFrontMatter } = this.options
    this.from = skipFrontMatter || isLater ? markdown : text.charCodeAt(0) === 0xfeff ? 1 : 0
  }

  /** Reads the HTML in complete blocks: the root blocks before `openBlock`, and the contained blocks before `openHtml`. */
  readHtml(
    text: string,
    structure: BlockStructure,
    openBlock = Number.POSITIVE_INFINITY,
    openHtml = Number.POSITIVE_INFINITY,
  ): void {
    this.html?.read(text, structure, openBlock, openHtml)
  }

  /** Returns the elements up to and including the last table that starts before `end`. */
  take(text: string, structure: BlockStructure, end: number): Element[] {
    const elements: Element[] = []
    const filters = this.options.tableFilters ?? []
    for (const { element, linesStart, linesEnd } of candidates(text, structure.tables, this.html?.take() ?? [], end)) {
      if (linesStart < this.passed) continue
      this.passed = linesEnd
      if (!filters.every((filter) => filter(element))) continue
      this.addText(elements, text, linesStart)
      if (isSparse(element)) {
        element.type = 'table_text'
        element.table = null
      } else pad(element.table as TableData)
      if (element.type === 'table_text') keepAsText(element)
      this.add(elements, element)
      this.from = linesEnd
    }
    return elements
  }

  /** Returns the element of the text after the last table. */
  finish(text: string): Element[] {
    const elements: Element[] = []
    this.addText(elements, text, text.length)
    return elements
  }

  /** Returns the range of a text element. */
  protected trim(text: string, start: number, end: number): { start: number; end: number } | null {
    return trimText(text, start, end)
  }

  /** Adds the text up to `end`, without blank lines and lines of quote marks at its start and end. */
  protected addText(elements: Element[], text: string, end: number): void {
    const kept = this.trim(text, this.from, end)
    if (kept === null) return
    this.add(elements, newElement('text', text.slice(kept.start, kept.end), kept.start, kept.end))
  }

  private add(elements: Element[], element: Element): void {
    element.id = this.prefix + this.count++
    element.startCharIdx = (element.startCharIdx as number) + this.base
    element.endCharIdx = (element.endCharIdx as number) + this.base
    elements.push(element)
  }
}

/** The default filter: whether a table has at least two columns and one body row. Never throws; false for text without a table. */
export function isFullTable(candidate: TableCandidate): boolean {
  const table = candidate?.table ?? parseTable(candidate?.element)
  return table !== null && table.columns?.length >= 2 && table.rows?.length >= 1
}

/** A table in the document, and the range of its lines. */
interface Candidate {
  element: Element
  linesStart: number
  linesEnd: number
}

/** The HTML tables of the blocks that were read. */
class HtmlTables {
  readonly finder = new HtmlTableFinder()
  private contained: HtmlTable[] = []
  /** The end of the blocks that were read. */
  private position = 0

  read(text: string, { blocks, containedHtml }: BlockStructure, openBlock: number, openHtml: number): void {
    for (const block of blocks) {
      if (block.start < this.position) continue
      if (block.start < openBlock) {
        this.position = block.start + 1
        this.finder.read(text, block)
      } else this.finder.endBefore(block)
    }
    for (const lines of containedHtml)
      if ((lines[0] as number) < openHtml) this.contained.push(...containedTables(text, lines))
  }

  take(): HtmlTable[] {
    const own = this.finder.take().map(withoutBlankEnd)
    const found = [...own, ...this.contained].sort((one, other) => one.start - other.start)
    this.contained = []
    return found
  }

  drop(count: number): void {
    this.position -= count
    this.finder.rebase(count)
  }
}

/** Yields the Markdown tables that start before `end` and the HTML tables, in document order. */
function* candidates(
  text: string,
  tables: readonly TableSpan[],
  html: readonly HtmlTable[],
  end: number,
): Generator<Candidate> {
  let next = 0
  function* htmlBefore(limit: number): Generator<Candidate> {
    for (; next < html.length && (html[next] as HtmlTable).start < limit; next++)
      yield htmlCandidate(html[next] as HtmlTable)
  }
  for (const span of tables) {
    const start = span.rowStarts[0] as number
    if (start >= end) break
    yield* htmlBefore(start)
    const element = tableElement(text, span)
    rememberRows(element, span)
    const last = span.rowEnds.at(-1) as number
    yield { element, linesStart: startOfLine(text, start), linesEnd: endOfLine(text, last) }
  }
  yield* htmlBefore(Number.POSITIVE_INFINITY)
}

function htmlCandidate({ element: html, start, end, linesStart, table }: HtmlTable): Candidate {
  const element = newElement('table', html, start, end)
  element.table = table
  return { element, linesStart, linesEnd: end }
}

/** Creates the element of a table, without padding its rows. */
function tableElement(text: string, { rowStarts, rowEnds }: TableSpan): Element {
  const lines: string[] = []
  const rows: string[][] = []
  let surplus = false
  const columns = rowCells(text, rowStarts[0] as number, rowEnds[0] as number)
  for (let index = 0; index < rowStarts.length; index++) {
    const start = rowStarts[index] as number
    const end = rowEnds[index] as number
    lines.push(text.slice(start, end))
    if (index < 2) continue
    const cells = rowCells(text, start, end)
    if (cells.length > columns.length) surplus = true
    rows.push(cells)
  }
  const element = newElement(
    surplus ? 'table_text' : 'table',
    lines.join('\n'),
    rowStarts[0] as number,
    rowEnds.at(-1) as number,
  )
  element.table = { columns, rows, align: columnAligns(text, rowStarts[1] as number, rowEnds[1] as number) }
  return element
}

/** Whether padding would create far more cells than there are characters, such as a million short rows under a million columns. */
function isSparse({ element, table }: Element): boolean {
  const { columns, rows } = table as TableData
  return columns.length * rows.length > 16 * element.length + 1000
}

function pad({ columns, rows }: TableData): void {
  for (const row of rows) while (row.length < columns.length) row.push('')
}

/** Returns the first table of a string, or null. */
function parseTable(text: unknown): TableData | null {
  if (typeof text !== 'string') return null
  const span = scanBlocks(text, markdownStart(text)).tables[0]
  return span === undefined ? null : tableElement(text, span).table
}

function startOfLine(text: string, offset: number): number {
  let at = offset
  while (at > 0 && text.charCodeAt(at - 1) !== 10 && text.charCodeAt(at - 1) !== 13) at--
  return at
}

/** Returns the offset after the line ending. */
function endOfLine(text: string, offset: number): number {
  let at = offset
  while (at < text.length && text.charCodeAt(at) !== 10 && text.charCodeAt(at) !== 13) at++
  return text.charCodeAt(at) === 13 && text.charCodeAt(at + 1) === 10 ? at + 2 : Math.min(at + 1, text.length)
}
