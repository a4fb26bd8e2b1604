/**
 * @module
 * Reads the subsets of YAML and TOML that front matter usually consists of, and JSON.
 */

import { checkOption, required, text as string } from '@x/core/options'
import { jsonOr, parseExactly } from '@x/core/values'
import { plainNumber } from './plain-number.ts'
import { readToml } from './read-toml.ts'

/** Longer front matter is not read. */
const MAX_LENGTH = 1 << 16

/** Keys ignored to prevent prototype pollution. */
const FORBIDDEN: readonly string[] = ['__proto__', 'constructor', 'prototype']

/** Characters that start something other than a plain string in YAML. */
const NOT_PLAIN = /^[&*!|>%@`{}\],]/

/**
 * Reads front matter: strings, numbers, `true`, `false`, `null`, lists of them, block strings (`|`, `>`), one level of nested keys, and
 * lists of such objects, in lines or in brackets. A value outside this subset of YAML is returned as its source string. Front matter that
 * does not consist of keys is returned as its source under the key `front_matter`. Dates, and numbers that would be written differently,
 * such as `1.10` and `007`, are strings. Keys of object prototypes are omitted. JSON is read whole, large integers as `bigint`, and of TOML
 * the same as of YAML. Never throws; takes linear time.
 * @example
 * readFrontMatter('title: "Fruit: a guide"\ntags: [apple, pear]\nauthor:\n  name: Ann\ndraft: false')
 * // => { title: 'Fruit: a guide', tags: ['apple', 'pear'], author: { name: 'Ann' }, draft: false }
 * readFrontMatter('nav:\n  - Home: index.md\n  - {About: about.md}') // => { nav: [{ Home: 'index.md' }, { About: 'about.md' }] }
 * readFrontMatter('version: 1.10\nbase: &base {a: 1}') // => { version: '1.10', base: '&base {a: 1}' }
 */
export function readFrontMatter(source: string): Record<string, unknown> {
  checkOption('readFrontMatter', 'source', source, required(string))
  const other = source.length <= MAX_LENGTH ? (readJsonObject(source) ?? readToml(source)) : null
  if (other !== null) return objectOf(Object.entries(other))
  const entries = source.length <= MAX_LENGTH ? entriesOf(source.split(/\r\n|\n|\r/)) : null
  if (entries === null) return { front_matter: source.trim() }
  return objectOf(entries.map(({ key, first, rest }) => [key, valueOf(first, rest)]))
}

/** Returns the object that a source is as JSON; null for anything else. */
function readJsonObject(source: string): Record<string, unknown> | null {
  if (!source.trimStart().startsWith('{')) return null
  try {
    return parseExactly(source) as Record<string, unknown>
  } catch {
    return null
  }
}

/** A key with the rest of its line and the lines below it. */
interface Entry {
  key: string
  first: string
  rest: string[]
}

/** Returns the entries of lines without indentation; null if a line belongs to no entry. */
function entriesOf(lines: readonly string[]): Entry[] | null {
  const entries: Entry[] = []
  for (const line of lines) {
    const open = entries.at(-1)
    if (isNothing(line) || /^(?:[ \t]|-(?:[ \t]|$))/.test(line)) {
      // A comment at the start of a line belongs to no entry.
      if (line.startsWith('#')) continue
      if (open !== undefined) open.rest.push(line)
      else if (!isNothing(line)) return null
      continue
    }
    const entry = entryOf(line)
    if (entry === null) return null
    entries.push(entry)
  }
  return entries
}

/** Splits a line at the first colon before a blank or the end. */
function entryOf(line: string): Entry | null {
  const quoted = /^(?:"([^"\\]*)"|'([^']*)')[ \t]*:(?=[ \t]|$)/.exec(line)
  if (quoted) return { key: quoted[1] ?? quoted[2] ?? '', first: line.slice(quoted[0].length).trim(), rest: [] }
  const colon = line.search(/:(?:[ \t]|$)/)
  const key = line.slice(0, Math.max(0, colon)).trim()
  if (key === '' || NOT_PLAIN.test(key) || /^["'?[]|^-(?:[ \t]|$)/.test(key)) return null
  return { key, first: line.slice(colon + 1).trim(), rest: [] }
}

function valueOf(first: string, rest: readonly string[]): unknown {
  const raw = [first, ...rest].join('\n').trim()
  const block = /^([|>])([+-]?)(?:[ \t]+#.*)?$/.exec(first)
  if (block) return blockString(rest, block[1] === '>', block[2] as string) ?? raw
  const lines = rest.filter((line) => !isNothing(line))
  if (lines.length === 0) return flatOf(first) ?? (isNull(first) ? null : raw)
  if (/^[[{]/.test(first)) return flatOf([first, ...lines.map((line) => line.trim())].join(' ')) ?? raw
  if (withoutComment(first) !== '') return raw
  return blockList(lines) ?? nestedObject(lines) ?? raw
}

/** Returns a string, number, boolean, list or object that is written on one line; null for anything else, including `null` itself. */
function flatOf(source: string): unknown {
  return scalarOf(source) ?? listOf(source) ?? mapOf(source)
}

/** Returns the items of `- item` lines: values of one line, and objects; null if any line has another form. */
function blockList(lines: readonly string[]): unknown[] | null {
  const indent = indentOf(lines[0] as string)
  /** The lines of each item, without the dash. */
  const items: string[][] = []
  for (const line of lines) {
    const item = indentOf(line) === indent ? /^-(?:[ \t]([\s\S]*))?$/.exec(line.slice(indent)) : null
    if (item !== null) items.push([` ${' '.repeat(indent)} ${item[1] ?? ''}`])
    else if (items.length > 0 && indentOf(line) > indent) items.at(-1)?.push(line)
    else return null
  }
  const values: unknown[] = []
  for (const item of items) {
    const source = (item[0] as string).trim()
    const value = item.length === 1 && !isEntry(source) ? flatOf(source) : nestedObject(item)
    if (value === null && !(item.length === 1 && isNull(source))) return null
    values.push(value)
  }
  return values
}

/** Whether a string is `key: value` and not a value with quotation marks or brackets. */
function isEntry(source: string): boolean {
  return /:(?:[ \t]|$)/.test(withoutComment(source)) && !source.startsWith('{') && scalarOfQuoted(source) === undefined
}

/** Returns the object of indented `key: value` lines; null if any line has another form. */
function nestedObject(lines: readonly string[]): Record<string, unknown> | null {
  const indent = indentOf(lines[0] as string)
  const found: [string, unknown][] = []
  for (const line of lines) {
    const entry = indentOf(line) === indent && indent > 0 ? entryOf(line.slice(indent)) : null
    if (entry === null) return null
    const value = flatOf(entry.first)
    if (value === null && !isNull(entry.first)) return null
    found.push([entry.key, value])
  }
  return objectOf(found)
}

/** Returns a string, number or boolean; null for anything else, including `null` itself. */
function scalarOf(source: string): string | number | boolean | null {
  const quoted = scalarOfQuoted(source)
  if (quoted !== undefined || /^["']/.test(source)) return quoted ?? null
  const plain = withoutComment(source)
  if (isNull(plain) || NOT_PLAIN.test(plain) || /^(?:\[|[-?](?:[ \t]|$))/.test(plain)) return null
  if (plain === 'true' || plain === 'false') return plain === 'true'
  return plainNumber(plain) ?? plain
}

/** Returns the string in quotation marks; undefined for anything else. */
function scalarOfQuoted(source: string): string | undefined {
  if (source.startsWith('"')) {
    const [text] = /^"(?:[^"\\]|\\.)*"(?=[ \t]*$|[ \t]+#)/.exec(source) ?? []
    // Undefined for an escape that only YAML has.
    return text && (jsonOr(text) as string | undefined)
  }
  if (source.startsWith("'")) {
    const [, text] = /^'((?:[^']|'')*)'(?=[ \t]*$|[ \t]+#)/.exec(source) ?? []
    return text?.replaceAll("''", "'")
  }
  return undefined
}

/** Returns the items of `[a, "b"]`; null for anything else. */
function listOf(source: string): unknown[] | null {
  const plain = withoutComment(source)
  if (!plain.startsWith('[') || !plain.endsWith(']')) return null
  const inner = plain.slice(1, -1).trim()
  const items: unknown[] = []
  const item = /[ \t]*(?:("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')[ \t]*|([^,"'[\]{}\s][^,[\]{}]*))(?:,|$)/y
  while (item.lastIndex < inner.length) {
    const [, quoted, bare] = item.exec(inner) ?? []
    const found = (quoted ?? bare)?.trim()
    const value = found === undefined ? null : scalarOf(found)
    if (found === undefined || (value === null && !isNull(found))) return null
    items.push(value)
  }
  return items
}

/** Returns the object of `{a: 1, b: "c"}`, whose values are strings, numbers and booleans; null for anything else. */
function mapOf(source: string): Record<string, unknown> | null {
  const plain = withoutComment(source)
  if (!plain.startsWith('{') || !plain.endsWith('}')) return null
  const inner = plain.slice(1, -1).trim()
  const found: [string, unknown][] = []
  const entry =
    /[ \t]*(?:"([^"\\]*)"|'([^']*)'|([^,:"'[\]{}\s&*!|>%@`?-][^,:[\]{}]*)):(?:[ \t]+|(?=["',]|$))(?:("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')[ \t]*|([^,"'[\]{}\s][^,[\]{}]*)|)(?:,|$)/y
  while (entry.lastIndex < inner.length) {
    const [, double, single, name, quoted, bare] = entry.exec(inner) ?? []
    const key = double ?? single ?? name?.trim()
    const written = (quoted ?? bare ?? '').trim()
    const value = scalarOf(written)
    if (key === undefined || (value === null && !isNull(written)) || (bare !== undefined && isEntry(written)))
      return null
    found.push([key, value])
  }
  return objectOf(found)
}

/** Returns a block string: lines without their common indentation, folded if `folded`; null if the folding is not plain. */
function blockString(lines: readonly string[], folded: boolean, chomping: string): string | null {
  const indent = indentOf(lines.find((line) => line.trim() !== '') ?? '')
  const cut = lines.map((line) => (line.trim() === '' ? '' : line.slice(Math.min(indent, indentOf(line)))))
  let text = ''
  let blank = 0
  for (const line of cut) {
    if (line === '') blank++
    else {
      // More indentation than that of the first line keeps the line breaks.
      if (folded && /^[ \t]/.test(line)) return null
      if (text !== '') text += folded ? '\n'.repeat(blank) || ' ' : '\n'.repeat(blank + 1)
      text += line
      blank = 0
    }
  }
  return text + (chomping === '-' || text === '' ? '' : '\n'.repeat(chomping === '+' ? blank + 1 : 1))
}

function objectOf(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries.filter(([key]) => !FORBIDDEN.includes(key)))
}

function isNothing(line: string): boolean {
  return /^[ \t]*(?:#|$)/.test(line)
}

function isNull(source: string): boolean {
  return ['', 'null', '~'].includes(withoutComment(source))
}

function withoutComment(source: string): string {
  const comment = source.search(/(?:^|[ \t])#/)
  return (comment < 0 ? source : source.slice(0, comment)).trim()
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}
