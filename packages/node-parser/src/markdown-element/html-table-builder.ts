/**
 * @module
 * Builds one HTML table from its tags and text, with the rules of the HTML standard for missing and misplaced tags.
 */
import { plainText } from '../markdown/plain-text.ts'
import type { ColumnAlign } from '../markdown/table-row.ts'
import type { TableData } from './element.ts'
import { HtmlGrid } from './html-grid.ts'
import { tableData } from './html-table-data.ts'
import { attributesOf, decodeReferences, type Tag } from './html-token.ts'

/** The state of an open table: the outermost one, or a table inside its cells. */
interface OpenTable {
  group: string | null
  row: boolean
  /** `td`, `th` or `caption`. */
  cell: string | null
  /** The link around the table. */
  link: string | null
  /** The text of the open cell or caption; for a table inside a cell, of all its cells. */
  parts: CellParts
}

function newTable(link: string | null): OpenTable {
  return { group: null, row: false, cell: null, link, parts: [] }
}

const GROUPS = new Set(['thead', 'tbody', 'tfoot'])
const PARTS = new Set([...GROUPS, 'caption', 'col', 'colgroup', 'tr', 'td', 'th'])

/** The effect of a tag on the table: it may end the table before or after the tag. */
export type TableStep = 'open' | 'ended' | 'ended before'

/** Receives the tags and the text of a table, without the first tag. */
export class HtmlTableBuilder {
  /** The offset of the table. */
  start: number
  private readonly grid = new HtmlGrid()
  private readonly captions: string[] = []
  /** The text outside cells and captions. */
  private readonly stray: string[] = []
  private readonly tables: OpenTable[] = [newTable(null)]
  private link: string | null = null
  /** The attributes of the open cell and of its row. */
  private cellAttributes: ReadonlyMap<string, string> = new Map()
  private rowAttributes: ReadonlyMap<string, string> = new Map()

  constructor(start: number) {
    this.start = start
  }

  /** Adds the source of text. */
  addText(source: string): void {
    this.addPart(decodeReferences(source))
  }

  addTag(text: string, tag: Tag): TableStep {
    const { name, closing } = tag
    if (name === 'table') return closing ? this.closeTable() : this.openTable()
    if (PARTS.has(name)) {
      if (closing) this.closePart(name)
      else this.openPart(name, text, tag)
    } else this.addContent(text, tag)
    return 'open'
  }

  /** Returns the table; null without cells, or if spans would make it far too large. */
  table(): TableData | null {
    const rows = this.grid.rows()
    return rows === null ? null : tableData(rows, [...this.captions, ...this.stray])
  }

  private get top(): OpenTable {
    return this.tables.at(-1) as OpenTable
  }

  /** Whether the innermost open table is the one that is built. */
  private get isOutermost(): boolean {
    return this.tables.length === 1
  }

  /** A table in a cell is text of the cell. A table between cells ends the open table. */
  private openTable(): TableStep {
    if (this.top.cell === null) {
      this.closeGroup()
      if (this.isOutermost) return 'ended before'
      this.leaveTable()
    }
    this.addPart(' ')
    this.tables.push(newTable(this.link))
    return 'open'
  }

  private closeTable(): TableStep {
    this.closeGroup()
    if (this.isOutermost) return 'ended'
    this.leaveTable()
    this.addPart(' ')
    return 'open'
  }

  /** Adds the text of a table inside a cell to the cell. */
  private leaveTable(): void {
    const { parts } = this.tables.pop() as OpenTable
    this.top.parts.push(parts)
  }

  private openPart(name: string, text: string, tag: Tag): void {
    const { top } = this
    const isCell = name === 'td' || name === 'th'
    if (isCell) this.closeCell()
    else if (name === 'tr') this.closeRow()
    else this.closeGroup()
    if (GROUPS.has(name)) this.openGroup(name)
    else if (name === 'tr') this.openRow(attributesOf(text, tag))
    else if (isCell || name === 'caption') {
      if (isCell && !top.row) this.openRow(new Map())
      if (this.isOutermost) this.cellAttributes = attributesOf(text, tag)
      top.cell = name
      this.link = top.link
    }
    if (top.cell !== null && !this.isOutermost) this.addPart(' ')
  }

  /** Closes a part, unless another one was opened. */
  private closePart(name: string): void {
    const { top } = this
    if (top.cell === name) this.closeCell()
    else if (name === 'tr' && top.row) this.closeRow()
    else if (top.group === name) this.closeGroup()
  }

  private openGroup(kind: string): void {
    this.top.group = kind
    if (this.isOutermost) this.grid.startGroup(kind)
  }

  private openRow(attributes: ReadonlyMap<string, string>): void {
    const { top } = this
    if (top.group === null) this.openGroup('tbody')
    top.row = true
    if (!this.isOutermost) return
    this.rowAttributes = attributes
    this.grid.startRow()
  }

  private closeGroup(): void {
    this.closeRow()
    this.top.group = null
  }

  private closeRow(): void {
    this.closeCell()
    this.top.row = false
  }

  private closeCell(): void {
    const { top } = this
    if (this.isOutermost) this.endText(top)
    else if (top.cell !== null) this.addPart(' ')
    top.cell = null
    this.link = top.link
  }

  /** Ends the text of a cell or caption, or the text between them. */
  private endText(table: OpenTable): void {
    const { cell } = table
    const text = cellText(table.parts)
    table.parts = []
    if (cell === 'caption' || cell === null) {
      if (text !== '') (cell === null ? this.stray : this.captions).push(text)
      return
    }
    const attributes = this.cellAttributes
    this.grid.addCell({
      text,
      isHeader: cell === 'th',
      align: alignOf(attributes) ?? alignOf(this.rowAttributes),
      columns: Math.min(Math.max(spanOf(attributes.get('colspan')), 1), 1000),
      rows: Math.min(spanOf(attributes.get('rowspan')), 65534),
    })
  }

  private addContent(text: string, tag: Tag): void {
    const { name, closing } = tag
    if (SEPARATING.has(name)) this.addPart(' ')
    else if (name === 'a') this.link = (!closing && attributesOf(text, tag).get('href')?.trim()) || this.top.link
    else if ((name === 'img' || name === 'image') && !closing) {
      const attributes = attributesOf(text, tag)
      this.addPart(imageText(attributes.get('alt') ?? '', attributes.get('src') ?? ''), true)
    }
  }

  /** Text between the cells of a table counts as text before the table. */
  private addPart(text: string, isImage = false): void {
    const { top, isOutermost } = this
    const isStray = top.cell === null
    const { parts } = isStray && !isOutermost ? (this.tables.at(-2) as OpenTable) : top
    parts.push({ text, isImage, link: isStray && isOutermost ? null : this.link })
  }
}

/** Returns a span, parsed like a number in the HTML standard: leading digits, otherwise 1. */
function spanOf(value: string | undefined): number {
  const digits = /^[\t\n\f\r ]*\+?(\d+)/.exec(value ?? '')?.[1]
  return digits === undefined ? 1 : Number(digits)
}

function alignOf(attributes: ReadonlyMap<string, string>): ColumnAlign {
  const style = /(?:^|;)\s*text-align\s*:\s*(left|right|center)\b/i.exec(attributes.get('style') ?? '')?.[1]
  const align = (style ?? attributes.get('align') ?? '').trim().toLowerCase()
  return align === 'left' || align === 'right' || align === 'center' ? align : null
}

/** A part of the text: text, or an image; `link` is the address of the link that contains it. */
export interface CellPart {
  text: string
  isImage: boolean
  link: string | null
}

/** The elements that separate words. Others, such as `<sub>`, may occur inside a word. */
export const SEPARATING = new Set(
  (
    'address article aside blockquote body br caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure ' +
    'footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol optgroup option p pre search section summary ' +
    'table tbody td textarea tfoot th thead tr ul xmp'
  ).split(' '),
)

/** Parts in order; the parts of a table inside a cell are a nested array. */
type CellParts = (CellPart | CellParts)[]

/** Longer text is escaped without looking whether Markdown would read it differently, which takes quadratic time. */
const LONGEST_READ = 1000

const MARKS = /[\\`*_[\]<&]/

/** Returns the text as Markdown, on one line. Adjacent parts of one link become one link. Text that would be read as markup is escaped. */
export function cellText(tree: CellParts): string {
  const parts = [...partsOf(tree)]
  const text = withLinks(parts)
  const visible = parts.map((part) => (part.isImage ? plainText(part.text, NONE) : part.text)).join('')
  const isMarked = parts.some((part) => !part.isImage && MARKS.test(part.text))
  if (!isMarked || (text.length <= LONGEST_READ && onOneLine(plainText(text, NONE)) === onOneLine(visible))) return text
  return withLinks(
    parts.map((part) => (part.isImage ? part : { ...part, text: escaped(part.text) })),
    true,
  )
}

const NONE: ReadonlySet<string> = new Set()

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function escaped(text: string): string {
  return text.replace(new RegExp(MARKS, 'g'), '\\$&')
}

function withLinks(parts: readonly CellPart[], isEscaped = false): string {
  const written: string[] = []
  let run: CellPart[] = []
  let link: string | null = null
  const endRun = () => {
    written.push(link === null ? run.map(({ text }) => text).join('') : linkText(run, link, isEscaped))
    run = []
  }
  for (const part of parts) {
    // Blanks belong to the part before them.
    if (part.link !== link && part.text.trim() !== '') {
      endRun()
      link = part.link
    }
    run.push(part)
  }
  endRun()
  return onOneLine(written.join(''))
}

/** Yields the parts in order. Without recursion, because tables may be nested deeply. */
function* partsOf(tree: CellParts): Generator<CellPart> {
  const open: Iterator<CellPart | CellParts>[] = [tree.values()]
  for (let iterator = open.at(-1); iterator !== undefined; iterator = open.at(-1)) {
    const { done, value } = iterator.next()
    if (done === true) open.pop()
    else if (Array.isArray(value)) open.push(value.values())
    else yield value
  }
}

/** Returns a link as Markdown, and a link without text as blanks. */
function linkText(parts: readonly CellPart[], address: string, isEscaped: boolean): string {
  const label = parts.map(({ text, isImage }) => (isImage || isEscaped ? text : escapeBrackets(text))).join('')
  const trimmed = label.trim()
  if (trimmed === '') return label
  const start = label.indexOf(trimmed)
  return `${label.slice(0, start)}[${trimmed}](${destination(address)})${label.slice(start + trimmed.length)}`
}

/** Returns an image as Markdown; only its alternative text if it has no address or contains its own data. */
export function imageText(alternative: string, address: string): string {
  const text = alternative.replace(/\s+/g, ' ').trim()
  return address === '' || /^data:/i.test(address) ? text : `![${escapeBrackets(text)}](${destination(address)})`
}

function escapeBrackets(text: string): string {
  return text.replace(/[[\]\\]/g, '\\$&')
}

/** Returns an address as the destination of a Markdown link. */
function destination(address: string): string {
  const trimmed = address.trim().replace(/[\t\n\f\r]/g, '')
  return /[\s()<>]/.test(trimmed) ? `<${trimmed.replace(/[<>\\]/g, '\\$&')}>` : trimmed
}
