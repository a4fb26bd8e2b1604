/**
 * @module
 * The plain text of cells and captions, for what is embedded.
 */
import { definedIdentifiers } from '../markdown/micromark.ts'
import { plainText } from '../markdown/plain-text.ts'

/** Longer cells are cut before their markup is removed. */
const LONGEST = 500

/**
 * A reference, from its bracket on, and its name. Brackets behind a word, and short names, are the indexes of code: `m[row][column]`,
 * `[a][bc]`.
 */
const REFERENCE = /(?<![\p{L}\p{N}_)\]])(?=\[(?:[^\][]|\[[^\][]*\]\[[^\][]*\])*\]\[([^\][]{3,100})\])/gu

/**
 * Returns the visible text of a cell on one line. The definitions of its references are not known: those that are not like indexes count as
 * links.
 */
export function plainCell(cell: string): string {
  const source = cell.slice(0, LONGEST)
  const names = source.includes('][') ? source.matchAll(REFERENCE) : []
  const defined = definedIdentifiers(Array.from(names, ([, name]) => `[${name}]: /`))
  return plainText(source, defined, (tag) => (/^<br/i.test(tag) ? ' ' : ''))
    .split(/\s+/)
    .join(' ')
    .trim()
}
