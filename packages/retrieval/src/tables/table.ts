/**
 * @module
 * Reads table nodes, and looks up rows and columns.
 */
import { checkGiven, checkOption, required, text as string } from '@x/core/options'
import type { TextNode } from '@x/core-model'
import { type WordTokenizer, tokenizeWords as wordsOf } from '../word-tokenizer.ts'
import { findPhrase } from './find-phrase.ts'
import { headingOf, type Place, placeOf } from './place.ts'
import { plainText } from './plain-text.ts'

/** One row of the body of a table. */
export interface ReadTableRow {
  /** The number of the row, starting at 1, without the header. */
  number: number
  /** The line of the row; the lines of the table if those of its rows are unknown, as in HTML tables. */
  place: Place
  /** The cells as they are written, with Markdown syntax. */
  cells: string[]
}

/** A table with its cells. */
export interface Table {
  /** The id of the table node. */
  id: string
  place: Place
  /** The headings above the table. */
  heading: string
  /** The cells of the header. */
  columns: string[]
  rows: ReadTableRow[]
}

/** Whether a node is a table of `@x/node-parser`: the parser stores the cells in its metadata. */
export function isTableNode(node: TextNode): boolean {
  checkOption('isTableNode', 'node', node, required('a node', 'metadata'))
  return typeof node.metadata['table_df'] === 'string'
}

/**
 * Returns the table of a table node. Lines and headings require a parser with `lineNumbers` and `headerPath`.
 * @example
 * import { MarkdownElementNodeParser } from '@x/node-parser'
 * import { isTableNode, readTable } from '@x/retrieval/tables'
 *
 * const parser = new MarkdownElementNodeParser({ summarizer: 'headers', lineNumbers: true, headerPath: true })
 * const text = '# Fruit\n\n| name | price |\n|---|---|\n| pear | 3 |'
 * const nodes = await parser.getNodesFromDocuments([new Document({ id: 'fruit.md', text })])
 * const { columns, rows } = readTable(nodes.find(isTableNode)!)
 * columns // => ['name', 'price']
 * rows // => [{ number: 1, cells: ['pear', '3'], place: { file: 'fruit.md', line: 5, endLine: 5 } }]
 */
export function readTable(node: TextNode): Table {
  checkOption('readTable', 'node', node, required('a node', 'metadata'))
  const place = placeOf(node)
  const { columns, rows } = readCells(String(node.metadata['table_df']))
  // A Markdown table has one line per row, after the header and the delimiter row. An HTML table may not.
  const oneLinePerRow = place.endLine - place.line === rows.length + 1
  return {
    id: node.id,
    place,
    heading: headingOf(node),
    columns,
    rows: rows.map((cells, index) => {
      const line = place.line + index + 2
      return { number: index + 1, cells, place: oneLinePerRow ? { ...place, line, endLine: line } : place }
    }),
  }
}

/** Parses the cells that the node parser stored: JSON, or the Markdown source if rows have more cells than the header. */
function readCells(data: string): { columns: string[]; rows: string[][] } {
  if (data.startsWith('{')) return JSON.parse(data)
  const [columns = [], , ...rows] = data.split('\n').map((line) =>
    line
      .trim()
      .replace(/^\||\|$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  )
  return { columns, rows }
}

/**
 * Returns the index of the column with this name, compared exactly or by words; `#2` is the second column. -1 if there is no such column.
 */
export function findColumn(table: Table, name: string): number {
  checkOption('findColumn', 'table', table, required('a table', 'columns', 'rows'))
  checkOption('findColumn', 'name', name, required(string))
  const { columns } = table
  const number = numberOf(name)
  if (number !== null) return number <= columns.length ? number - 1 : -1
  const exact = columns.indexOf(name.trim())
  if (exact >= 0) return exact
  const words = wordsOf(plainText(name))
  return columns.findIndex((column) => sameWords(wordsOf(plainText(column)), words))
}

/**
 * Returns the rows whose first cell equals `name`; otherwise those with any cell equal to `name`; otherwise those with a cell that
 * contains these words. `#2` is the second row.
 */
export function findRows(table: Table, name: string): ReadTableRow[] {
  checkOption('findRows', 'table', table, required('a table', 'columns', 'rows'))
  checkOption('findRows', 'name', name, required(string))
  const { rows } = table
  const number = numberOf(name)
  if (number !== null) return rows.filter((row) => row.number === number)
  const words = wordsOf(plainText(name))
  const reads = (cell: string | undefined) => cell !== undefined && sameCell(cell, name)
  const ways: ((row: ReadTableRow) => boolean)[] = [
    ({ cells }) => reads(cells[0]),
    ({ cells }) => cells.some(reads),
    ({ cells }) => cells.some((cell) => findPhrase(wordsOf(plainText(cell)), words) >= 0),
  ]
  for (const matches of ways) {
    const found = rows.filter(matches)
    if (found.length > 0) return found
  }
  return []
}

/**
 * Returns the rows that share terms with a query, best first. Whole cells have more weight than single words.
 * @param tokenize - splits a string into terms; pass the tokenizer of the index that found the table
 */
export function bestRows(
  table: Table,
  query: string,
  limit: number,
  tokenize: WordTokenizer = wordsOf,
): ReadTableRow[] {
  checkGiven('bestRows', { table }, 'a table', 'rows')
  checkGiven('bestRows', { query }, string)
  const { rows } = table
  const words = wordsOf(query)
  const terms = new Set(tokenize(query))
  const scored = rows.map((row) => {
    let score = 0
    for (const [index, cell] of row.cells.entries()) {
      const cellWords = wordsOf(plainText(cell))
      const shared = tokenize(plainText(cell)).filter((term) => terms.has(term)).length
      if (shared > 0) score += shared / Math.max(1, cellWords.length)
      if (findPhrase(words, cellWords) >= 0) score += cellWords.length * (index === 0 ? 3 : 2)
    }
    return { row, score }
  })
  return scored
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.row.number - other.row.number)
    .slice(0, limit)
    .map(({ row }) => row)
}

/** Whether a cell equals a string, exactly or by words. */
export function sameCell(cell: string, text: string): boolean {
  return (cell !== '' && cell === text.trim()) || sameWords(wordsOf(plainText(cell)), wordsOf(plainText(text)))
}

/** Returns 2 for `#2`. */
function numberOf(name: string): number | null {
  const found = /^\s*#(\d+)\s*$/.exec(name)
  return found ? Number(found[1]) : null
}

function sameWords(one: readonly string[], other: readonly string[]): boolean {
  return one.length > 0 && one.length === other.length && findPhrase(one, other) === 0
}
