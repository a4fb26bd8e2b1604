/**
 * @module
 * Divides the root blocks of Markdown into what people read as one: a paragraph, an item of a list, a row of a table, a property.
 */
import type { MarkdownBlock } from './markdown/read-blocks.ts'
import { rowCells } from './markdown/table-row.ts'

/** A part of a section that people read as one. */
export interface SectionBlock {
  /**
   * `item` is an item of a list without the items inside of it, `row` a row of a table, `property` an object with a `name` in JSX,
   * `description` that of the front matter; the others are root blocks.
   */
  kind: 'paragraph' | 'item' | 'row' | 'code' | 'quote' | 'html' | 'mdx' | 'property' | 'description'
  /** The source of the block; of a row its cells, separated by ` | `. */
  text: string
  /** Its first line, starting at 1. */
  from: number
  /** Its last line, starting at 1. */
  to: number
  /** The term that an item, a property or a row describes, such as its first code or bold text; empty without one. */
  name: string
  /** The header cells of the table of a row; absent for other blocks. */
  columns?: readonly string[]
  /** The cells of a row; absent for other blocks. */
  cells?: readonly string[]
}

const LINE_END = /\r\n|\r|\n/
const FENCE = /^\s*(```+|~~~+)/
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s/
const PROPERTY = /^[\s{]*['"]?name['"]?:\s*['"`]([^'"`]*)/
/** A line of a table of contents, or an anchor: it only leads to other places of the page. */
const CONTENTS = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s*)?\[[^\]\n]{0,300}\]\(#[^)\n]*\)\s*$|^\s*<a [^>\n]*>(?:<\/a>)?\s*$/
/** The longest start of an item that is searched for its name, in characters. */
const NAME_WITHIN = 200

/** Returns the parts of a root block, in order. Lines of a table of contents are left out. */
export function sectionBlocks({ kind, startLine }: MarkdownBlock, source: string): SectionBlock[] {
  const lines = source.split(LINE_END)
  const blocks =
    kind === 'table'
      ? rowsOf(lines, startLine)
      : kind === 'list'
        ? partsOf(lines, startLine, 'item', startsItem(), itemName)
        : kind === 'mdx' && lines.some((line) => PROPERTY.test(line))
          ? partsOf(lines, startLine, 'property', (line) => PROPERTY.test(line), propertyName)
          : [{ kind: kindOf(kind), text: source, from: startLine, to: startLine + lines.length - 1, name: '' }]
  return blocks.filter(({ text }) => !CONTENTS.test(text))
}

function kindOf(kind: MarkdownBlock['kind']): SectionBlock['kind'] {
  return kind === 'code' || kind === 'quote' || kind === 'html' || kind === 'mdx' ? kind : 'paragraph'
}

/** Returns the block of a row. */
export function rowBlock(columns: readonly string[], cells: readonly string[], from: number, to: number): SectionBlock {
  return { kind: 'row', text: cells.join(' | '), from, to, name: cells[0] ?? '', columns, cells }
}

function rowsOf(lines: readonly string[], startLine: number): SectionBlock[] {
  const cellsOf = (line: string) => {
    const start = line.length - line.trimStart().length
    return rowCells(line, start, line.trimEnd().length)
  }
  const columns = cellsOf(lines[0] as string)
  const rows = lines
    .slice(2)
    .map((line, index) => rowBlock(columns, cellsOf(line), startLine + 2 + index, startLine + 2 + index))
  // A table without rows is found by its columns.
  return rows.length > 0 ? rows : [rowBlock(columns, columns, startLine, startLine)]
}

/** Divides lines where a part starts. */
function partsOf(
  lines: readonly string[],
  startLine: number,
  kind: SectionBlock['kind'],
  starts: (line: string) => boolean,
  nameOf: (line: string) => string,
): SectionBlock[] {
  const parts: SectionBlock[] = []
  let from = 0
  const close = (end: number) => {
    const text = lines.slice(from, end).join('\n').trimEnd()
    const to = startLine + from + text.split('\n').length - 1
    if (text.trim() !== '') parts.push({ kind, text, from: startLine + from, to, name: nameOf(lines[from] as string) })
    from = end
  }
  for (let at = 0; at < lines.length; at++) if (starts(lines[at] as string) && at > 0) close(at)
  close(lines.length)
  return parts
}

/** Returns whether lines, one after the other, start an item of a list. Those in fenced code do not. */
function startsItem(): (line: string) => boolean {
  let fence = ''
  return (line) => {
    const [, mark] = FENCE.exec(line.replace(ITEM, '')) ?? []
    const isItem = fence === '' && ITEM.test(line)
    if (mark !== undefined) {
      if (fence === '') fence = mark
      else if (mark.startsWith(fence)) fence = ''
    }
    return isItem
  }
}

/** Returns the first code or bold text of an item, or what stands before a colon or a dash. */
function itemName(line: string): string {
  const text = line.replace(ITEM, '').trimStart().slice(0, NAME_WITHIN)
  const [, bold, code, words] =
    /^(?:\[?(?:\*\*|__)(.{1,80}?)(?:\*\*|__)|\[?`([^`]{1,80})`|([^:.–—]{1,50}?)(?::\s|\s[–—-]\s))/.exec(text) ?? []
  return bold ?? code ?? words ?? ''
}

function propertyName(line: string): string {
  return PROPERTY.exec(line)?.[1] ?? ''
}
