/**
 * @module
 * Ranges of lines, and edits of files.
 */
import { FileError } from './errors.ts'

/** A file, or a part of it to read. */
interface Lines {
  content: string
  untrusted?: boolean
  /** The first line, from 1. */
  from?: number | undefined
  /** The number of lines. */
  lines?: number | undefined
}

/**
 * Returns lines of the content as the output of a tool, with a note of how to read the others. At most 20,000 characters. Lines of more
 * than 2,000 characters are read as several.
 */
export function linesOf({ content, untrusted = false, from: first = 1, lines = 2000 }: Lines) {
  const rows = content.split('\n').flatMap((row) => row.match(/[\s\S]{1,2000}/gu) ?? '')
  let [end, size] = [first - 1, 0]
  while (end < rows.length && end < first - 1 + lines) {
    size += rows[end]!.length + 1
    if (size > 20_000) break
    end++
  }
  const shown = rows.slice(first - 1, end).join('\n')
  const more = end < rows.length ? `; continue with from: ${end + 1}` : ''
  const place = first > rows.length ? `no line ${first}` : `lines ${first} to ${end}`
  const note = first > 1 || more ? `\n[${place} of ${rows.length}${more}]` : ''
  return { content: shown + note, rawOutput: null, untrusted }
}

/**
 * Returns a file's text with a string replaced. In a file whose lines all end with CR LF, which models do not write, so do those of the
 * edit.
 * @throws {FileError} unless it occurs once, or `all` is true and it occurs.
 */
export function replaceIn(path: string, before: string, old: string, by: string, all = false): string {
  const isCrlf = before.includes('\r\n') && !/(?<!\r)\n/.test(before)
  const given = (text: string) => (isCrlf ? text.replace(/\r?\n/g, '\r\n') : text)
  const parts = before.split(given(old))
  if (parts.length === 2 || (all && parts.length > 1)) return parts.join(given(by))
  const problem =
    parts.length === 1
      ? 'old_text does not occur in it; read the file again'
      : `old_text occurs ${parts.length - 1} times in it; add the lines around it`
  throw new FileError(path, problem)
}
