/**
 * @module
 * A table of a document, and looking things up in it.
 */
import type { TextNode } from '@x/core-model'
import { headingOf, type Place, placeOf } from './place.ts'
import { plainText } from './plain-text.ts'
import { findPhrase, isEmptyWord, stem, wordsOf } from './words.ts'

/** One row of the body. */
export interface Row {
  /** Counted from 1, without the header. */
  number: number
  place: Place
  cells: string[]
}

/** A table with its cells. */
export interface Table {
  /** Id of its node. */
  id: string
  place: Place
  heading: string
  columns: string[]
  rows: Row[]
}

/** Tells whether a node is a table: the parser puts the cells into its metadata. */
export function isTableNode(node: TextNode): boolean {
  return typeof node.metadata['table_df'] === 'string'
}

/** The table of a node that `isTableNode` accepts. */
export function readTable(node: TextNode): Table {
  const place = placeOf(node)
  const { columns, rows } = readCells(String(node.metadata['table_df']))
  // A Markdown table has one line per row after header and delimiter row; a table in HTML has its own ways.
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

/** Cells as the parser keeps them: as JSON, or, when rows have more cells than the header, as the source. */
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
 * The number of the column that is called `name`: exactly, or in the same words; `#2` is the second one. -1 for none.
 */
export function findColumn({ columns }: Table, name: string): number {
  const number = numberOf(name)
  if (number !== null) return number <= columns.length ? number - 1 : -1
  const exact = columns.indexOf(name.trim())
  if (exact >= 0) return exact
  const words = wordsOf(plainText(name))
  return columns.findIndex((column) => sameWords(wordsOf(plainText(column)), words))
}

/**
 * The rows that `name` names: those with a cell that reads so (in the first column, if there are any), else those with
 * a cell that holds these words. `#2` is the second row.
 */
export function findRows({ rows }: Table, name: string): Row[] {
  const number = numberOf(name)
  if (number !== null) return rows.filter((row) => row.number === number)
  const words = wordsOf(plainText(name))
  const reads = (cell: string | undefined) =>
    cell !== undefined && ((cell !== '' && cell === name.trim()) || sameWords(wordsOf(plainText(cell)), words))
  const ways: ((row: Row) => boolean)[] = [
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

/** The rows that share most with a query, the best first: whole cells count more than single words. */
export function bestRows({ rows }: Table, query: string, limit: number): Row[] {
  const words = wordsOf(query)
  const stems = new Set(words.map(stem))
  const scored = rows.map((row) => {
    let score = 0
    for (const [index, cell] of row.cells.entries()) {
      const cellWords = wordsOf(plainText(cell))
      const shared = cellWords.filter((word) => !isEmptyWord(word) && stems.has(stem(word))).length
      if (shared > 0) score += shared / cellWords.length
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

/** 2 for `#2`. */
function numberOf(name: string): number | null {
  const found = /^\s*#(\d+)\s*$/.exec(name)
  return found ? Number(found[1]) : null
}

function sameWords(one: readonly string[], other: readonly string[]): boolean {
  return one.length > 0 && one.length === other.length && findPhrase(one, other) === 0
}
