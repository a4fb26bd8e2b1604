/**
 * @module
 * The items of lists that a word names: `Phones:` above a list of Markdown or YAML, `phones: [a, b]`, and `Phones: a, b` in a line. The
 * word counts for all items, as the header of a column counts for all cells.
 */
import { lazy } from '@x/core/values'
import { delimitedRows } from './delimited-rows.ts'
import { htmlRows } from './html-rows.ts'
import { headerOf, type LabelledRow } from './labelled-text.ts'
import type { Range } from './plain-signs.ts'
import { contentStart, tableRows } from './table-rows.ts'

const forms = /* @__PURE__ */ lazy(() => ({
  marker: /(?:[-*+•‣▪–]|\d{1,4}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/y,
  /** The name of an item: `home: 030 901820`, `"home":"030 901820"`. */
  key: /^["'`]?(?=[^:]{0,29}\p{L})[^:"'`]{1,30}(?:["'`]\s?:\s{0,3}|:\s{1,3})["'`]?/u,
  /** Numbers in a line behind a label, without words. */
  inLine: /[:=：]((?:[^\p{L}\n<]|<br ?\/?>){9,2000})(?![\p{L}\p{N}])/gu,
  /** The name before a bracket: `phones: [`, `"phones": [`, `phones = [`. */
  name: /(?:^|[^\p{L}\p{N}_-])["'`]?([\p{L}_][^\n"'`:=,[\]{}]{0,39})["'`]?\s{0,2}(?::|=>?)\s{0,2}$/u,
}))

/** A label and its place. */
interface Label extends Range {
  text: string
}

/** Returns the label at the end of a range, without marks around it. */
function labelIn(source: string, { start, end }: Range): Label {
  const header = headerOf(source, start, end)
  const text = /[^\s#>*_"'`~.-][\s\S]*/.exec(header)?.[0] ?? ''
  return { text: /^[\s\S]*[^\s#*_"'`:：[{(-]/.exec(text)?.[0] ?? '', start: Math.max(start, end - 40), end }
}

/** Returns the row of an item: behind its own name, which the label of the list explains, or behind the label. */
function rowOf(
  source: string,
  item: Range & { row: Omit<LabelledRow, 'group' | 'cells'> },
  label: string,
  outer: string,
  isDirect: boolean,
): LabelledRow | undefined {
  const { row, start, end } = item
  const key = forms().key.exec(source.slice(start, end))?.[0]
  if (key !== undefined) {
    const cell = { start: start + key.length, end, header: labelIn(key, { start: 0, end: key.length }).text }
    return cell.start < end ? { ...row, group: label, cells: [cell] } : undefined
  }
  return { ...row, group: isDirect ? outer : label, cells: [{ start, end, header: isDirect ? label : 'value' }] }
}

/** A line that names the lines below it. */
interface Scope {
  column: number
  label: Label
  isItem: boolean
  /** The column of its list. */
  items?: number
}

/** Returns the items of lists below a short line or one that ends with a colon, and the lines that are indented below such a line. */
function* listItems(source: string): Iterable<LabelledRow> {
  const scopes: Scope[] = []
  const { marker } = forms()
  for (let start = 0; start <= source.length; ) {
    const next = source.indexOf('\n', start)
    const end = next === -1 ? source.length : next
    const first = contentStart(source, start)
    const column = first - start
    start = end + 1
    const text = { start: first, end: first + source.slice(first, end).trimEnd().length }
    if (text.start >= text.end) continue
    marker.lastIndex = first
    const mark = marker.exec(source)?.[0]
    if (mark !== undefined && first + mark.length < text.end) text.start += mark.length
    const isItem = text.start > first
    while (scopes.length > 0 && !isBelow(scopes.at(-1)!, column, isItem)) scopes.pop()
    const scope = scopes.at(-1)
    if (scope) {
      if (isItem) scope.items ??= column
      const isDirect = isItem && scope.items === column
      const place = { start: first - column, head: scope.label, below: '\n' }
      const outer = scopes.at(-2)?.label.text ?? ''
      const row = rowOf(source, { ...text, row: place }, scope.label.text, outer, isDirect)
      if (row) yield row
    }
    const isShort = text.end - text.start <= 40 && !forms().key.test(source.slice(text.start, text.end))
    const isName = isShort || /[:：]["'*_]{0,3}$/.test(source.slice(text.end - 4, text.end))
    const label = isName ? labelIn(source, text) : undefined
    if (label && label.text !== '') scopes.push({ column, label, isItem })
  }
}

const isBelow = (scope: Scope, column: number, isItem: boolean): boolean =>
  column > scope.column || (column === scope.column && isItem && !scope.isItem)

/** Returns the items in brackets behind a name. */
function* bracketItems(source: string): Iterable<LabelledRow> {
  let open: { label: Label | undefined; isOwn: boolean; start: number }[] = []
  for (const { 0: sign, index } of source.matchAll(/[[\]{},]|\n[ \t]*\n/g)) {
    const list = open.at(-1)
    if (sign === '[' || sign === '{') {
      const before = Math.max(0, index - 64)
      const name = forms().name.exec(source.slice(before, index))
      const start = before + (name?.index ?? 0)
      const label = name ? { ...labelIn(name[1]!, { start: 0, end: name[1]!.length }), start, end: index } : list?.label
      open.push({ label, isOwn: name !== null, start: index + 1 })
      continue
    }
    if (sign.startsWith('\n')) open = []
    if (list === undefined || sign.startsWith('\n')) continue
    const item = trimmed(source, list.start, index)
    if (list.label && item.start < item.end) {
      const place = { start: item.start, head: list.label, below: '[' }
      const row = rowOf(source, { ...item, row: place }, list.label.text, '', list.isOwn)
      if (row) yield row
    }
    if (sign !== ',') open.pop()
    const rest = open.at(-1)
    if (rest) rest.start = index + 1
  }
}

/** Returns the numbers of a line behind one label: `BSN: 111222333, 123456782`. */
function* lineItems(source: string): Iterable<LabelledRow> {
  for (const { 1: found, index } of source.matchAll(forms().inLine)) {
    const parts = found!.split(/([,;、]|<br ?\/?>)/)
    const sizes = parts.map((part) => part.replace(/\D/g, '').length).filter((size) => size > 0)
    // Short numbers beside others are amounts.
    if (sizes.length < 2 || Math.min(...sizes) < 5) continue
    const label = labelIn(source, { start: Math.max(source.lastIndexOf('\n', index) + 1, index - 80), end: index })
    if (label.text === '') continue
    let start = index + 1
    for (const part of parts) {
      const cell = { ...trimmed(source, start, start + part.length), header: label.text }
      if (/\d/.test(part)) yield { start: cell.start, head: label, below: ': ', group: '', cells: [cell] }
      start += part.length
    }
  }
}

function trimmed(source: string, start: number, end: number): Range {
  const text = source.slice(start, end)
  const from = start + text.search(/[^\s[{"'`]|$/)
  return { start: from, end: Math.max(from, start + text.trimEnd().length) }
}

/** What has a header or label in a string; each returns rows. */
export const labelledRows: readonly ((source: string) => Iterable<LabelledRow>)[] = [
  tableRows,
  delimitedRows,
  listItems,
  bracketItems,
  lineItems,
  htmlRows,
]
