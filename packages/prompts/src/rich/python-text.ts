/**
 * @module
 * Values as Python writes them, so that a template has the same text in both languages.
 */
import { isPlainObject } from '@x/core/values'
import { valueText } from '@x/core-model/text'

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

const quote = (text: string) => valueText([text]).slice(1, -1)

/** Returns the text of a value, as `str` of Python does: `True`, `None`, `['a', 1]`. A missing value has no text. */
export function textOf(value: unknown, depth = 0): string {
  if (value instanceof Undefined || typeof value === 'function' || typeof value === 'symbol') return ''
  if (typeof value !== 'object' || value === null) return valueText(value)
  if (depth > maxDepth) return '...'
  const quoted = (item: unknown) => (typeof item === 'string' ? quote(item) : textOf(item, depth + 1))
  if (Array.isArray(value)) return `[${value.map(quoted).join(', ')}]`
  // An instance of a class has the text that its class defines.
  if (!isPlainObject(value) && value.toString !== Object.prototype.toString) return value.toString()
  return `{${Object.entries(value)
    .map(([key, item]) => `${quote(key)}: ${quoted(item)}`)
    .join(', ')}}`
}

/** Returns a value as the filter `tojson` writes it: keys sorted, all characters beyond ASCII and those of HTML escaped. */
export function jsonText(value: Operand, indent = 0, level = 0): string {
  const line = (levels: number) => (indent > 0 ? `\n${' '.repeat(indent * levels)}` : '')
  const inside = (items: readonly string[]) =>
    items.length > 0 ? line(level + 1) + items.join(`,${line(level + 1) || ' '}`) + line(level) : ''
  if (value instanceof Undefined || value === undefined || level > maxDepth) return 'null'
  if (Array.isArray(value)) return `[${inside(value.map((item) => jsonText(item, indent, level + 1)))}]`
  if (typeof value === 'object' && value !== null) {
    const data = typeof value.toDict === 'function' ? value.toDict() : value
    const keys = Object.keys(data).sort()
    return `{${inside(keys.map((key) => `${jsonText(key)}: ${jsonText(data[key], indent, level + 1)}`))}}`
  }
  const text = /number|bigint/.test(typeof value) ? valueText(value) : (JSON.stringify(value) ?? 'null')
  return text.replace(/[<>&']|[^\x00-\x7f]/g, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
