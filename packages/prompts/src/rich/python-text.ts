/**
 * @module
 * Values as Python writes them, so that a template has the same text in both languages.
 */
import { isPlainObject } from '@x/core/values'

/** A value of a template, whose type nobody knows before it runs. */
// biome-ignore lint/suspicious/noExplicitAny: operators check their operands as they go
export type Operand = any

/** A variable or attribute without a value. `variable` is the name of a missing variable, null for an attribute. */
export class Undefined {
  readonly variable: string | null

  constructor(variable: string | null) {
    this.variable = variable
  }
}

/** Data that are deeper are circular. */
const maxDepth = 100

/** Returns the text of a value, as `str` of Python does: `True`, `None`, `['a', 1]`. A missing value has no text. */
export function textOf(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value
  if (value instanceof Undefined) return ''
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number') return numberText(value)
  if (typeof value !== 'object') return typeof value === 'bigint' ? String(value) : ''
  if (depth > maxDepth) return '...'
  const quoted = (item: unknown) => (typeof item === 'string' ? quote(item) : textOf(item, depth + 1))
  if (Array.isArray(value)) return `[${value.map(quoted).join(', ')}]`
  // An instance of a class has the text that its class defines.
  if (!isPlainObject(value) && value.toString !== Object.prototype.toString) return value.toString()
  return `{${Object.entries(value)
    .map(([key, item]) => `${quote(key)}: ${quoted(item)}`)
    .join(', ')}}`
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf'
  const text = value !== 0 && Math.abs(value) < 1e-4 ? value.toExponential() : String(value)
  return text.replace(/e([+-])(\d)$/, 'e$10$2')
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replace(/[\\\n\r\t\x00-\x1f\x7f]/g, (character) => escapes[character] ?? hex(character, 2, 'x'))
  return mark + (mark === "'" ? escaped.replaceAll("'", "\\'") : escaped) + mark
}

const hex = (character: string, digits: number, letter: string) =>
  `\\${letter}${character.charCodeAt(0).toString(16).padStart(digits, '0')}`

/** Returns a value as the filter `tojson` writes it: keys sorted, all characters beyond ASCII and those of HTML escaped. */
export function jsonText(value: unknown, indent = 0, level = 0): string {
  const [line, end] =
    indent > 0 ? [`\n${' '.repeat(indent * (level + 1))}`, `\n${' '.repeat(indent * level)}`] : ['', '']
  const between = indent > 0 ? `,${line}` : ', '
  if (value === undefined || value instanceof Undefined || level > maxDepth) return 'null'
  if (Array.isArray(value))
    return value.length === 0
      ? '[]'
      : `[${line}${value.map((item) => jsonText(item, indent, level + 1)).join(between)}${end}]`
  if (typeof value === 'object' && value !== null) {
    const data = value as Record<string, unknown>
    const own = typeof data['toDict'] === 'function' ? (data['toDict']() as Record<string, unknown>) : data
    const items = Object.keys(own)
      .sort()
      .map((key) => `${jsonText(key)}: ${jsonText(own[key], indent, level + 1)}`)
    return items.length === 0 ? '{}' : `{${line}${items.join(between)}${end}}`
  }
  if (typeof value === 'bigint') return String(value)
  const text = typeof value === 'number' ? numberText(value) : JSON.stringify(value)
  return text.replace(/[<>&']|[^\x00-\x7f]/g, (character) => hex(character, 4, 'u'))
}
