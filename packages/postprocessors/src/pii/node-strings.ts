/**
 * @module
 * All strings of a node: its text, and the keys, strings and numbers of its metadata. Those that a model may receive are searched; what is
 * found there is replaced in all of them.
 */

import { isPlainObject, jsonOr, mapEntries, mapItems } from '@x/core/values'
import type { ImageNode, RelatedNodeInfo, TextNode } from '@x/core-model'
import { valueText } from '@x/core-model/text'
import type { NodeUpdate } from '../rewrite.ts'
import { bracketedIn, type SearchedTexts } from './mask-places.ts'
import { tableRows } from './patterns/table-rows.ts'
import { bracketed } from './pii-mapping.ts'

/** Replaces a string; called for each string of a node, always in the same order. */
interface Visit {
  (text: string): string
  /** Called before the cells of a table: the number of cells of its header and of each row. */
  table?: ((rows: readonly number[]) => void) | undefined
  /** Called before and after the values of an entry: sets its key and returns the one that was set. */
  under?: ((key: string) => string) | undefined
}

/**
 * Returns a copy of a JSON value in which every key, string, number and boolean is replaced by the result of `visit` for its text. A
 * value is kept if `visit` returns the same text.
 */
function mapStrings(value: unknown, visit: Visit): unknown {
  if (Array.isArray(value)) return mapItems(value, (item) => mapStrings(item, visit))
  if (isPlainObject(value)) return mapKeysAndStrings(value, visit)
  if (value === undefined) return value
  const text = valueText(value)
  const replaced = visit(text)
  return replaced === text ? value : replaced
}

function mapKeysAndStrings(
  value: Readonly<Record<string, unknown>>,
  visit: Visit,
  isVisible: (key: string) => boolean = () => true,
  onKey?: (key: string, replaced: string) => void,
): Record<string, unknown> {
  return mapEntries(value, (key, item) => {
    if (item === undefined || !isVisible(key)) return [key, item]
    const replaced = visit(key)
    onKey?.(key, replaced)
    return [replaced, valuesOf(key, visit, () => mapStrings(item, visit))]
  })
}

function valuesOf<T>(key: string, { under }: Visit, map: () => T): T {
  const outer = under?.(key)
  const values = map()
  if (outer !== undefined) under?.(outer)
  return values
}

/** Replaces the strings of the metadata of another node, and the cells of its table. */
function mapRelated(metadata: Readonly<Record<string, unknown>>, visit: Visit): Record<string, unknown> {
  const mapped = mapKeysAndStrings(metadata, visit, (key) => key !== 'table_df')
  if (Object.hasOwn(metadata, 'table_df')) mapped['table_df'] = mapTable(metadata['table_df'], visit)
  return mapped
}

/** Whether a metadata entry is visible to language models or to embedding models. */
function visibleIn({ excludedLlmMetadataKeys, excludedEmbedMetadataKeys }: TextNode): (key: string) => boolean {
  const llm = new Set(excludedLlmMetadataKeys)
  const embed = new Set(excludedEmbedMetadataKeys)
  return (key) => !llm.has(key) || !embed.has(key)
}

/**
 * Returns the update that replaces all strings of a node: its text, its object if that is JSON data, the metadata for language or embedding
 * models, the metadata of its relationships, the values of its hidden metadata, and last the address and the path of its image. A renamed
 * key is renamed in the arrays of hidden keys too.
 */
export function mapNodeStrings(node: TextNode, visit: Visit): NodeUpdate {
  const visible: string[] = []
  const collect = (text: string) => {
    visible.push(text)
    return visit(text)
  }
  const update = mapVisible(node, Object.assign(collect, { table: visit.table, under: visit.under }))
  const metadata = mapHidden(update.metadata, hiddenKeys(node, bracketedIn(visible)), visit)
  return { ...update, metadata, ...mapImage(node as Partial<ImagePlace>, visit) }
}

type ImagePlace = Pick<ImageNode, 'imagePath' | 'imageUrl'>

/** Returns the address and the path of an image, which are not part of the content. */
function mapImage({ imagePath, imageUrl }: Partial<ImagePlace>, visit: Visit): Partial<ImagePlace> {
  return {
    ...(typeof imagePath === 'string' && { imagePath: visit(imagePath) }),
    ...(typeof imageUrl === 'string' && { imageUrl: visit(imageUrl) }),
  }
}

function mapVisible(node: TextNode, visit: Visit): NodeUpdate & { metadata: Record<string, unknown> } {
  const text = visit(node.text)
  const renamed = new Map<string, string>()
  const metadata = mapKeysAndStrings(node.metadata, visit, visibleIn(node), (key, name) => renamed.set(key, name))
  const rename = (keys: readonly string[]) => keys.map((key) => renamed.get(key) ?? key)
  const related = (info: RelatedNodeInfo) =>
    isPlainObject(info.metadata)
      ? info.copy({ update: { metadata: mapRelated(info.metadata, visit) } as Partial<RelatedNodeInfo> })
      : info
  return {
    text,
    metadata,
    excludedLlmMetadataKeys: rename(node.excludedLlmMetadataKeys),
    excludedEmbedMetadataKeys: rename(node.excludedEmbedMetadataKeys),
    ...('obj' in node && isData(node.obj) && { obj: mapStrings(node.obj, visit) }),
    relationships: Object.fromEntries(
      Object.entries(node.relationships).map(([code, info]) => [
        code,
        Array.isArray(info) ? info.map(related) : info && related(info),
      ]),
    ),
  }
}

/** Whether the object of an index node is a JSON value. A node is masked as a node, and a retriever is never stored. */
const isData = (obj: unknown): boolean => typeof obj === 'string' || Array.isArray(obj) || isPlainObject(obj)

/** Returns the keys of hidden metadata, without those of mappings: objects with a tag that the node contains. */
function hiddenKeys(node: TextNode, tags: ReadonlySet<string>): Set<string> {
  const isVisible = visibleIn(node)
  const isMapping = (value: unknown) =>
    isPlainObject(value) && Object.keys(value).some((key) => tags.has(bracketed(key)))
  const keys = Object.entries(node.metadata).flatMap(([key, value]) =>
    isVisible(key) || isMapping(value) ? [] : [key],
  )
  return new Set(keys)
}

/** Returns the metadata with the values of some keys replaced, but for numbers below 10,000: lines, pages, years. */
function mapHidden(
  metadata: Record<string, unknown>,
  keys: ReadonlySet<string>,
  visit: Visit,
): Record<string, unknown> {
  return mapEntries(metadata, (key, value) => {
    if (!keys.has(key) || (typeof value === 'number' && Math.abs(value) < 10_000)) return [key, value]
    return [key, key === 'table_df' ? mapTable(value, visit) : valuesOf(key, visit, () => mapStrings(value, visit))]
  })
}

/** Replaces the strings in the cells of a table that `@x/node-parser` stored as JSON. Other forms are replaced as a string. */
function mapTable(data: unknown, visit: Visit): unknown {
  const table = typeof data === 'string' && data.startsWith('{"columns":') ? cellsOf(data) : null
  if (table === null) return mapStrings(data, visit)
  visit.table?.([table.columns, ...table.rows].map(({ length }) => length))
  const each = (cells: readonly string[]) => cells.map((cell) => visit(cell))
  return JSON.stringify({ columns: each(table.columns), rows: table.rows.map(each) })
}

/** Parses the cells of a table; null if the string is not such a table. */
function cellsOf(data: string): { columns: string[]; rows: string[][] } | null {
  const { columns, rows } = Object(jsonOr(data))
  const isCells = (row: unknown) => Array.isArray(row) && row.every((cell) => typeof cell === 'string')
  return isCells(columns) && Array.isArray(rows) && rows.every(isCells) ? { columns, rows } : null
}

/** Returns all strings of a node, in the order of `mapNodeStrings`. */
export function nodeStrings(node: TextNode): string[] {
  return stringsOf(node, mapNodeStrings)
}

/** A table in the metadata: the indexes of its strings, and the number of cells of its header and of each row. */
interface Cells {
  first: number
  end: number
  rows: readonly number[]
}

function stringsOf(
  node: TextNode,
  map: (node: TextNode, visit: Visit) => unknown,
  tables: Cells[] = [],
  keys: string[] = [],
): string[] {
  const strings: string[] = []
  let key = ''
  const visit = (text: string) => {
    strings.push(text)
    keys.push(key)
    return text
  }
  const table = (rows: readonly number[]) => {
    const first = strings.length
    tables.push({ first, end: rows.reduce((sum, length) => sum + length, first), rows })
  }
  const under = (next: string) => {
    const outer = key
    key = next
    return outer
  }
  map(node, Object.assign(visit, { table, under }))
  return strings
}

/** A node's content for language models, its other visible strings, one per line, and the cells of tables in its metadata. */
export interface NodeSource extends SearchedTexts {
  /** The content for language models, which begins the source. */
  content: string
}

/**
 * Returns all strings of a node, and the offsets of the visible ones in its content for language models. Strings that are missing or
 * escaped in the content are appended to the source.
 * @param withHidden - whether the hidden strings are searched too, but for numbers: before a node is stored.
 */
export function nodeSource(node: TextNode, withHidden = false): NodeSource {
  const tables: Cells[] = []
  const keys: string[] = []
  const texts = stringsOf(node, mapNodeStrings, tables, keys)
  const visible = stringsOf(node, mapVisible).length
  const content = node.getContent('llm')
  const spans = spansInContent(node, texts, content) ?? []
  const shown = new Set(spans.map(({ text }) => text))
  const inTable = new Set(tables.flatMap(({ first, end }) => texts.slice(first, end).map((_, index) => first + index)))
  let source = content
  const add = (index: number, text = texts[index]!) => {
    if (text.trim() !== '') spans.push({ start: source.length, text: index })
    source += text
  }
  let list = ''
  for (const [index, text] of texts.entries()) {
    if (index >= visible && !(withHidden && /[^\d.]/.test(text))) continue
    if (shown.has(index) || inTable.has(index) || text.trim() === '') continue
    // The key is the label of its values, as in a list of YAML.
    const key = keys[index]!
    if (key !== list) source += key === '' ? '\n' : `\n${key}:`
    list = key
    source += key === '' ? '\n' : '\n- '
    add(index)
  }
  const inContent = new Set<string>()
  for (const { cells } of tableRows(content))
    for (const { start, end } of cells) inContent.add(content.slice(start, end))
  for (const { first, end, rows } of tables) {
    if (texts.slice(first, end).every((cell) => cell === '' || inContent.has(cell))) continue
    source += '\n\n'
    let index = first
    for (const [row, length] of rows.entries()) {
      for (const next = index + length; index < next; index++) {
        source += '|'
        // A cell is one line, and ends at a pipe.
        add(index, texts[index]!.replace(/[|\r\n]|\\$/g, ' '))
      }
      source += row === 0 ? `|\n${'|-'.repeat(length)}|\n` : '|\n'
    }
  }
  return { texts, source, content, spans }
}

/** A part of the content: a string of the node by its index, or other text. */
type Piece = number | string

/**
 * Returns the offsets of the strings in the content. They are found with the content of a copy of the node in which each string is
 * replaced by a marker. Undefined if the markers are not found, for example for a custom class that shortens its text.
 */
function spansInContent(
  node: TextNode,
  texts: readonly string[],
  content: string,
): { start: number; text: number }[] | undefined {
  let mark = 'x'
  while (content.includes(mark)) mark += 'x0'
  const hidden = new Set(node.excludedLlmMetadataKeys)
  const isVisible = visibleIn(node)
  const marked: [string, string][] = []
  const pieces: Piece[][] = [[0]]
  let next = 1
  for (const [key, value] of Object.entries(node.metadata)) {
    if (value === undefined || !isVisible(key)) continue
    const name = next++
    const inValue: Piece[] = []
    next = addPieces(value, texts, next, false, inValue)
    if (hidden.has(key)) continue
    marked.push([`${mark}${pieces.length}${mark}`, `${mark}${pieces.length + 1}${mark}`])
    pieces.push([name], inValue)
  }
  const frame = node
    .copy({
      update: {
        text: `${mark}0${mark}`,
        metadata: Object.fromEntries(marked),
        excludedLlmMetadataKeys: [],
      } as Partial<TextNode>,
    })
    .getContent('llm')
    .split(mark)
  const spans: { start: number; text: number }[] = []
  let built = ''
  for (const [index, part] of frame.entries()) {
    // The numbers of markers are at the odd indexes.
    for (const piece of index % 2 === 0 ? [part] : (pieces[Number(part)] ?? [])) {
      if (typeof piece === 'number') spans.push({ start: built.length, text: piece })
      built += typeof piece === 'number' ? texts[piece]! : piece
    }
  }
  if (built === content) return spans
  // White space at both ends of the content is trimmed, which may shorten the first and the last string.
  const start = built.length - built.trimStart().length
  if (built.slice(start, start + content.length) !== content) return undefined
  return spans
    .map(({ start: at, text }) => ({ start: at - start, text }))
    .filter(({ start: at, text }) => at >= 0 && at + texts[text]!.length <= content.length)
}

/** Adds the pieces of a value's text, and returns the index of the string after those of the value. */
function addPieces(value: unknown, texts: readonly string[], next: number, nested: boolean, pieces: Piece[]): number {
  const add = (item: unknown, before: string, index: number) => {
    pieces.push(before)
    return addPieces(item, texts, index, true, pieces)
  }
  let index = next
  if (Array.isArray(value)) {
    value.forEach((item, at) => {
      index = add(item, at === 0 ? '[' : ', ', index)
    })
    pieces.push(value.length === 0 ? '[]' : ']')
    return index
  }
  if (isPlainObject(value)) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined)
    entries.forEach(([key, item], at) => {
      index = add(key, at === 0 ? '{' : ', ', index)
      index = add(item, ': ', index)
    })
    pieces.push(entries.length === 0 ? '{}' : '}')
    return index
  }
  if (nested && typeof value === 'string') {
    const quoted = valueText([value]).slice(1, -1)
    const mark = quoted[0]!
    // An escaped string is not a part of the content.
    if (quoted === mark + value + mark) pieces.push(mark, index, mark)
    else pieces.push(quoted)
  } else if (value !== undefined) pieces.push(index)
  else pieces.push('None')
  return value === undefined ? index : index + 1
}
