/**
 * @module
 * Tables of a page in the table model of `@x/node-parser`, which writes them as Markdown.
 */
import { markdownTable, type TableCell, type TableGroup, tableOfCells } from '@x/node-parser/tables'
import type { Element, ElementContent, Root } from 'hast'
import { cellLines, joinLines, textOf } from './cell-lines.ts'

/** The most rows and columns that a cell spans, as in browsers. */
const MOST = { colSpan: 1000, rowSpan: 65_534 }

/** Returns phrasing content as Markdown on one line. */
type WriteLine = (children: readonly ElementContent[]) => string

/**
 * Replaces each table by a table without rows whose `value` is the table as Markdown, and removes tables without content. Tables inside of
 * cells are text of the cell. What highlighters write as a table, and a table inside of code, is code.
 */
export function writeTables(root: Root | Element, write: WriteLine, isCode = false): void {
  root.children = (root.children as ElementContent[]).flatMap((child): ElementContent[] => {
    if (child.type !== 'element') return [child]
    if (child.tagName !== 'table') {
      writeTables(child, write, isCode || child.tagName === 'pre')
      return [child]
    }
    const code = codeIn(child)
    if (code) return [code]
    if (isCode) return [{ type: 'text', value: rowsIn(child).map(textOf).join('\n') }]
    const text = tableText(child, write)
    return text === '' ? [] : [{ type: 'element', tagName: 'table', properties: { value: text }, children: [] }]
  }) as typeof root.children
}

/** Returns the code of a table that highlighters write: a row with the numbers of the lines and the code, or with code alone. */
function codeIn(table: Element): Element | undefined {
  const code = elementsIn(table).findLast(({ tagName }) => tagName === 'pre')
  if (!code || rowsIn(table).length > 1) return undefined
  return /^[\d\s]*$/.test(textOf(table).replace(textOf(code), () => '')) ? code : undefined
}

const elementsIn = ({ children }: Element): Element[] =>
  children.flatMap((child) => (child.type === 'element' ? [child, ...elementsIn(child)] : []))

const rowsIn = (table: Element): Element[] => elementsIn(table).filter(({ tagName }) => tagName === 'tr')

function tableText(table: Element, write: WriteLine): string {
  const cellText = (element: Element) => joinLines(cellLines(element).map((line) => write(line)))
  const captions: string[] = []
  const groups: { kind: TableGroup['kind']; rows: TableCell[][] }[] = []
  const read = (children: readonly ElementContent[], kind: TableGroup['kind']) => {
    for (const child of children) {
      if (child.type !== 'element') continue
      if (child.tagName === 'caption') captions.push(cellText(child))
      else if (child.tagName === 'tr') {
        if (groups.length === 0) groups.push({ kind, rows: [] })
        groups.at(-1)!.rows.push(child.children.filter(isCell).map((cell) => cellOf(cell, cellText)))
      } else if (Object.hasOwn(GROUPS, child.tagName)) {
        groups.push({ kind: GROUPS[child.tagName]!, rows: [] })
        read(child.children, GROUPS[child.tagName]!)
      }
    }
  }
  read(table.children, 'body')
  const found = tableOfCells(groups, captions)
  return found === null ? captions.join('\n\n') : markdownTable(found)
}

const GROUPS: Readonly<Record<string, TableGroup['kind']>> = { thead: 'head', tbody: 'body', tfoot: 'foot' }

function cellOf(cell: Element, cellText: (element: Element) => string): TableCell {
  const { align, style } = cell.properties
  const side = /(?:^|;)\s{0,9}text-align\s{0,9}:\s{0,9}(left|right|center)/i.exec(String(style ?? ''))?.[1] ?? align
  return {
    text: cellText(cell),
    isHeader: cell.tagName === 'th',
    align: side === 'left' || side === 'right' || side === 'center' ? side : null,
    columns: spanOf(cell, 'colSpan') || 1,
    rows: spanOf(cell, 'rowSpan'),
  }
}

function isCell(node: ElementContent): node is Element {
  return node.type === 'element' && (node.tagName === 'td' || node.tagName === 'th')
}

function spanOf({ properties }: Element, name: 'colSpan' | 'rowSpan'): number {
  const value = Number.parseInt(String(properties[name] ?? 1), 10)
  return value >= 0 ? Math.min(value, MOST[name]) : 1
}
