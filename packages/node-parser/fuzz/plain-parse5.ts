/**
 * @module
 * Reads the tables of HTML with parse5, and forms their grids cell by cell according to the HTML standard.
 */

import { type DefaultTreeAdapterTypes, InsertionMode, Parser, type Token } from 'parse5'
import type { TableData } from '../src/markdown-element/element.ts'
import type { GridRow, HtmlCell } from '../src/markdown-element/html-grid.ts'
import { type CellPart, cellText, imageText, SEPARATING } from '../src/markdown-element/html-table-builder.ts'
import { tableData } from '../src/markdown-element/html-table-data.ts'

type Node = DefaultTreeAdapterTypes.ChildNode
type Element = DefaultTreeAdapterTypes.Element

/** A table and its place in the source. */
export interface PlainTable {
  start: number
  end: number
  table: TableData
}

/** parse5 8.1.1 ends a row at the end tag of a row group that is not open; the standard and browsers ignore the tag. */
class StandardParser extends Parser<DefaultTreeAdapterTypes.DefaultTreeAdapterMap> {
  override onEndTag(token: Token.TagToken): void {
    const isGroup = ['tbody', 'thead', 'tfoot'].includes(token.tagName)
    if (isGroup && this.insertionMode === InsertionMode.IN_ROW && !this.openElements.hasInTableScope(token.tagID))
      return
    super.onEndTag(token)
  }
}

const BEFORE = '<!doctype html><body>'
const INVISIBLE = new Set(['script', 'style', 'title', 'template', 'iframe', 'noembed', 'noframes'])

/** Returns the outermost tables that are closed and have cells. */
export function plainTables(html: string): PlainTable[] {
  const options = { sourceCodeLocationInfo: true, scriptingEnabled: false }
  const document = childrenOf(
    StandardParser.parse<DefaultTreeAdapterTypes.DefaultTreeAdapterMap>(BEFORE + html, options),
  ).find((node) => isNamed(node, 'html'))
  const root = childrenOf(document).find((node) => isNamed(node, 'body'))
  const tables = outermost(root)
  const stray = tables.length === 1 ? strayText(root, tables[0] as Element) : ''
  return tables.flatMap((element) => {
    const place = element.sourceCodeLocation
    if (!place || (!place.endTag && place.endOffset >= BEFORE.length + html.length)) return []
    const captions = childrenOf(element).filter((child) => isNamed(child, 'caption'))
    const texts = [...captions.map((caption) => textOf(caption)), stray].filter((text) => text !== '')
    const rows = formTable(element)
    const table = rows && tableData(rows, texts)
    return table === null
      ? []
      : [{ start: place.startOffset - BEFORE.length, end: place.endOffset - BEFORE.length, table }]
  })
}

function childrenOf(node: DefaultTreeAdapterTypes.Node | undefined): Node[] {
  return node !== undefined && 'childNodes' in node ? node.childNodes : []
}

function isElement(node: Node): node is Element {
  return 'tagName' in node
}

function isNamed(node: Node, ...names: string[]): node is Element {
  return isElement(node) && names.includes(node.tagName)
}

function outermost(node: Node | undefined): Element[] {
  return childrenOf(node).flatMap((child) => (isNamed(child, 'table') ? [child] : outermost(child)))
}

function attributeOf(element: Element, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value
}

/** Returns the text that the parser moved in front of the only table. */
function strayText(root: Node | undefined, table: Element): string {
  const parts: CellPart[] = []
  for (const child of childrenOf(root)) if (child !== table) addParts(child, null, parts)
  return cellText(parts.map((part) => ({ ...part, link: null })))
}

function textOf(element: Element): string {
  const parts: CellPart[] = []
  for (const child of childrenOf(element)) addParts(child, null, parts)
  return cellText(parts)
}

function addParts(node: Node, link: string | null, parts: CellPart[]): void {
  if ('value' in node) parts.push({ text: node.value, isImage: false, link })
  if (!isElement(node) || INVISIBLE.has(node.tagName)) return
  const own = (node.tagName === 'a' && attributeOf(node, 'href')?.trim()) || link
  const blank = () => SEPARATING.has(node.tagName) && parts.push({ text: ' ', isImage: false, link: own })
  if (node.tagName === 'img') {
    const text = imageText(attributeOf(node, 'alt') ?? '', attributeOf(node, 'src') ?? '')
    parts.push({ text, isImage: true, link })
  }
  blank()
  for (const child of childrenOf(node)) addParts(child, own, parts)
  blank()
}

/** Returns the grid; null if it is far larger than the table. */
function formTable(table: Element): GridRow[] | null {
  const groups = childrenOf(table).filter((child) => isNamed(child, 'thead', 'tbody', 'tfoot')) as Element[]
  const ordered = [
    ...groups.filter(({ tagName }) => tagName !== 'tfoot'),
    ...groups.filter(({ tagName }) => tagName === 'tfoot'),
  ]
  let cells = 0
  const rows: GridRow[] = []
  for (const group of ordered) {
    const written = childrenOf(group).filter((child) => isNamed(child, 'tr')) as Element[]
    const grid: GridRow[] = written.map(() => ({ places: [], own: [], inHead: group.tagName === 'thead' }))
    for (const [y, row] of written.entries()) {
      let x = 0
      for (const child of childrenOf(row).filter((child) => isNamed(child, 'td', 'th')) as Element[]) {
        const cell = cellOf(child, row)
        cells++
        grid[y]?.own.push(cell)
        while (grid[y]?.places[x]) x++
        const end = cell.rows === 0 ? grid.length : Math.min(y + cell.rows, grid.length)
        for (let below = y; below < end; below++)
          for (let column = x; column < x + cell.columns; column++) (grid[below] as GridRow).places[column] = cell
        x += cell.columns
      }
    }
    rows.push(...grid.filter(({ own }) => own.length > 0))
  }
  for (const row of rows) row.places = Array.from(row.places, (cell) => cell ?? null)
  const width = Math.max(0, ...rows.map(({ places }) => places.length))
  return width * rows.length > 32 * (cells + 16) ? null : rows
}

function cellOf(element: Element, row: Element): HtmlCell {
  const columns = integer(attributeOf(element, 'colspan')) || 1
  return {
    text: textOf(element),
    isHeader: element.tagName === 'th',
    align: alignOf(element) ?? alignOf(row),
    columns: Math.min(columns, 1000),
    rows: integer(attributeOf(element, 'rowspan')) ?? 1,
  }
}

/** The rules for parsing non-negative integers. */
function integer(value: string | undefined): number | null {
  const number = Number.parseInt((value ?? '').replace(/^[\t\n\f\r ]+/, ''), 10)
  return Number.isNaN(number) || number < 0 ? null : number
}

function alignOf(element: Element): HtmlCell['align'] {
  const align = attributeOf(element, 'align')
  return align === 'left' || align === 'right' || align === 'center' ? align : null
}
