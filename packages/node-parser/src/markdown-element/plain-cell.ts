/**
 * @module
 * The plain text of cells and captions, for what is embedded.
 */
import { definedIdentifiers } from '../markdown/micromark.ts'
import { plainText } from '../markdown/plain-text.ts'

/** Longer cells are cut before their markup is removed. */
const LONGEST = 500

/** Returns the visible text of a cell on one line. The definitions of its references are not known: those with words as names count as links. */
export function plainCell(cell: string): string {
  const source = cell.slice(0, LONGEST)
  const names = source.includes('][') ? source.matchAll(/\]\[([^\][]{2,100})\]/g) : []
  const defined = definedIdentifiers(Array.from(names, ([, name]) => `[${name}]: /`))
  return plainText(source, defined, (tag) => (/^<br/i.test(tag) ? ' ' : ''))
    .split(/\s+/)
    .join(' ')
    .trim()
}
