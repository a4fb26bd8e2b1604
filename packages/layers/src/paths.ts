/**
 * @module
 * Paths inside of a root, and ranges of lines.
 */
import { FileError } from './errors.ts'

/** The characters of a line that a reader receives as one line; longer lines are read as several. */
const LINE = /[\s\S]{1,2000}/gu

/**
 * Returns a path relative to its root, without `.` and empty parts.
 * @throws {FileError} if the path is absolute or leaves the root, or has characters that file systems read as something else.
 */
export function pathInside(given: string): string {
  const parts = given
    .normalize('NFC')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
  if (/^\/|^[A-Za-z]:/.test(given))
    throw new FileError(given, 'expected a path relative to the root, such as "notes/plan.md"')
  if (/[\\\p{Cc}]/u.test(given))
    throw new FileError(given, 'expected a path without backslashes and control characters')
  if (parts.length === 0 || given.length > 500) throw new FileError(given, 'expected a path of 1 to 500 characters')
  for (const part of parts)
    if (/^\.\.|^__proto__$/.test(part)) throw new FileError(given, `a part of a path must not be "${part}"`)
  return parts.join('/')
}

/** The part of a text to read. */
export interface LineRange {
  /** The first line, from 1. */
  from?: number | undefined
  /** The number of lines. */
  lines?: number | undefined
}

/** Returns lines of a text, with a note of how to read the others. At most 20,000 characters, but at least one line. */
export function linesOf(text: string, { from = 1, lines = 2000 }: LineRange): string {
  const rows = text.split('\n').flatMap((row) => (row.length > 2000 ? row.match(LINE)! : [row]))
  const first = Math.max(1, from)
  let [end, size] = [first - 1, 0]
  while (end < rows.length && end < first - 1 + lines) {
    size += rows[end]!.length + 1
    if (size > 20_000 && end >= first) break
    end++
  }
  const shown = rows.slice(first - 1, end).join('\n')
  if (first === 1 && end === rows.length) return shown
  const more = end < rows.length ? `; continue with from: ${end + 1}` : ''
  return `${shown}\n[lines ${first} to ${end} of ${rows.length}${more}]`
}
