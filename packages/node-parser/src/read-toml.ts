/**
 * @module
 * Reads the subset of TOML that front matter usually consists of.
 */

import { jsonOr } from '@x/core/values'
import { plainNumber } from './plain-number.ts'

const KEY = String.raw`(?:[A-Za-z0-9_-]+|"[^"\\\n]*"|'[^'\n]*')`
const pair = new RegExp(String.raw`^[ \t]*(${KEY})[ \t]*=[ \t]*(.*)$`)
const table = new RegExp(String.raw`^[ \t]*\[[ \t]*(${KEY})[ \t]*\][ \t]*(?:#.*)?$`)

/**
 * Returns the keys of TOML: strings, numbers, booleans, lists of them, and tables of one level. Any other value, such as a date, is its
 * source string. Null if the source does not consist of keys. Takes linear time.
 */
export function readToml(source: string): Record<string, unknown> | null {
  const lines = source.split(/\r\n|\n|\r/)
  const entries: [string, unknown][] = []
  let open = entries
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] as string
    if (/^[ \t]*(?:#|$)/.test(line)) continue
    const name = table.exec(line)?.[1]
    if (name !== undefined) {
      open = []
      entries.push([bare(name), open])
      continue
    }
    const [, key, first] = pair.exec(line) ?? []
    if (key === undefined || first === undefined) return null
    const block = /^("""|''')/.exec(first)?.[1]
    const end = block === undefined ? endOfList(lines, index, first) : endOfBlock(lines, index, first, block)
    const text = [first, ...lines.slice(index + 1, end + 1)].join('\n').trim()
    open.push([bare(key), block === undefined ? (valueOf(text) ?? text) : blockOf(text, block)])
    index = end
  }
  if (entries.length === 0) return null
  return Object.fromEntries(entries.map(([key, value]) => [key, isTable(value) ? Object.fromEntries(value) : value]))
}

const bare = (key: string): string => key.replace(/^(["'])(.*)\1$/, '$2')

const isTable = (value: unknown): value is [string, unknown][] =>
  Array.isArray(value) && value.every((item) => Array.isArray(item) && item.length === 2)

/** The number of lines of the longest value that is read. */
const LONGEST = 200

/** Returns the index of the line on which a list ends; that of its first line if it does not end, or is not a list. */
function endOfList(lines: readonly string[], index: number, first: string): number {
  const isEnd = (line: string) => withoutComment(line).trimEnd().endsWith(']')
  return !first.startsWith('[') || isEnd(first) ? index : lineWith(lines, index, isEnd)
}

function endOfBlock(lines: readonly string[], index: number, first: string, marks: string): number {
  return first.includes(marks, marks.length) ? index : lineWith(lines, index, (line) => line.includes(marks))
}

/** Returns the index of the first line below `index` that ends a value; `index` without such a line. */
function lineWith(lines: readonly string[], index: number, isEnd: (line: string) => boolean): number {
  for (let at = index + 1; at < Math.min(lines.length, index + LONGEST); at++) if (isEnd(lines[at] as string)) return at
  return index
}

/** Returns a line without the comment at its end. */
function withoutComment(line: string): string {
  const part = /"(?:[^"\\]|\\.)*"|'[^']*'|[^"'#]+/y
  let end = 0
  for (; part.test(line); end = part.lastIndex) {
    // The next part starts where this one ends.
  }
  return line[end] === '#' ? line.slice(0, end) : line
}

function blockOf(text: string, marks: string): string {
  const inner = text.slice(marks.length).replace(/^\n/, '')
  const end = inner.lastIndexOf(marks)
  return end === -1 ? text : inner.slice(0, end)
}

/** Returns a string, number, boolean or list; undefined for anything else. */
function valueOf(source: string): unknown {
  const items = /^\[([^[\]{}]*)\][ \t]*(?:#.*)?$/.exec(source.split('\n').map(withoutComment).join('\n').trim())?.[1]
  if (items === undefined) return scalarOf(source)
  const found: unknown[] = []
  const item = /(?:\s*("(?:[^"\\\n]|\\.)*"|'[^'\n]*')\s*|([^,"']+))(?:,|$)/y
  const list = items.trim()
  while (item.lastIndex < list.length) {
    const [, quoted, plain] = item.exec(list) ?? []
    const value = scalarOf((quoted ?? plain ?? '').trim())
    if (value === undefined) return undefined
    found.push(value)
  }
  return found
}

function scalarOf(source: string): string | number | boolean | undefined {
  const text = /^("(?:[^"\\\n]|\\.)*"|'[^'\n]*')[ \t]*(?:#.*)?$/.exec(source)?.[1]
  if (text?.startsWith("'")) return text.slice(1, -1)
  // Undefined for an escape that only TOML has.
  if (text !== undefined) return jsonOr(text) as string | undefined
  const comment = source.search(/[ \t]#/)
  const plain = (comment < 0 ? source : source.slice(0, comment)).trimEnd()
  if (plain === 'true' || plain === 'false') return plain === 'true'
  return plainNumber(plain.replace(/(?<=\d)_(?=\d)/g, '').replace(/^\+(?=\d)/, ''))
}
