/**
 * @module
 * Values as Python writes them, so that a template has the same text in both languages.
 */
import { isPlainObject, kindOf } from '@x/core/values'
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

/** Thrown by what cannot calculate with a value. The template that is running adds what it was and where. */
export class Refusal extends Error {}

export function refuse(problem: string): never {
  throw new Refusal(problem)
}

/** Names the kind of a value in an error. */
export const kind = (value: unknown): string => (value instanceof Undefined ? 'a missing value' : kindOf(value))

/** Whether a value counts as a number, as booleans do in Python. */
export const isNumber = (value: unknown): boolean => /number|bigint|boolean/.test(typeof value)

/** Whether a value is a dict of Python. */
export const isDict = (value: unknown): value is Readonly<Record<string, unknown>> | Map<unknown, unknown> =>
  value instanceof Map || isPlainObject(value)

/** Returns the entries of a dict or the properties of an object. */
export const entriesOf = (value: object): [key: unknown, value: unknown][] =>
  value instanceof Map ? [...value] : Object.entries(value)

/** Refuses objects whose properties are not what they contain: promises, sets, iterators and streams. */
export function checkData(value: object): void {
  if (Symbol.iterator in value || Symbol.asyncIterator in value || typeof (value as Operand).then === 'function')
    refuse(`: ${kind(value)} is no data; await it or pass an array`)
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
  if (!isDict(value)) {
    // An instance of a class has the text that its class defines.
    if (value.toString !== Object.prototype.toString) return value.toString()
    checkData(value)
  }
  return `{${entriesOf(value)
    .map(([key, item]) => `${quoted(key)}: ${quoted(item)}`)
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
    if (!isDict(data)) checkData(data)
    const entries = entriesOf(data).map(([key, item]) => [textOf(key), item] as const)
    entries.sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${inside(entries.map(([key, item]) => `${jsonText(key)}: ${jsonText(item, indent, level + 1)}`))}}`
  }
  const text = /number|bigint/.test(typeof value) ? valueText(value) : (JSON.stringify(value) ?? 'null')
  return text.replace(/[<>&']|[^\x00-\x7f]/g, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
