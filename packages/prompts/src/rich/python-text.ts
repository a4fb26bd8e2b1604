/**
 * @module
 * Values as Python writes them, so that a template has the same text in both languages.
 */
import { isPlainObject, kindOf } from '@x/core/values'
import { valueText } from '@x/core-model/text'

/** A value of a template, whose type nobody knows before it runs. */
// biome-ignore lint/suspicious/noExplicitAny: operators check their operands as they go
export type Operand = any

/** The white space of Python, for a regular expression: other than in JavaScript, with U+001C to U+001F and U+0085, without U+FEFF. */
export const blank = String.raw`[\t-\r\x1c- \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`
const isBlank = new RegExp(blank)

/** Returns a string without characters, or white space, at its start or end, as `str.strip` of Python. */
export function strip(value: string, characters: unknown = null, start = true, end = true): string {
  const isStripped = (at: number) =>
    typeof characters === 'string' ? characters.includes(value[at]!) : isBlank.test(value[at]!)
  let [from, to] = [0, value.length]
  while (start && from < to && isStripped(from)) from++
  while (end && from < to && isStripped(to - 1)) to--
  return value.slice(from, to)
}

/** A variable or attribute without a value. `variable` is the name of a missing variable, null for an attribute. */
export class Undefined {
  readonly variable: string | null

  constructor(variable: string | null) {
    this.variable = variable
  }
}

/** A float of Python that is whole, such as `2.0`. Other floats are numbers. */
export class Float {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }

  valueOf(): number {
    return this.value
  }

  toString(): string {
    if (!Number.isSafeInteger(this.value)) return valueText(this.value)
    return `${Object.is(this.value, -0) ? '-' : ''}${this.value}.0`
  }
}

/** Returns a number as a float of Python. */
export const floatOf = (value: number): Operand => (Number.isInteger(value) ? new Float(value) : value)
export const isFloat = (value: unknown): boolean =>
  value instanceof Float || (typeof value === 'number' && !Number.isInteger(value))

/** Escaped text, which is not escaped again. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

/** Returns escaped text as a string; other values unchanged. */
export const plain = (value: Operand): Operand => (value instanceof Markup ? value.text : value)

const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }
/** Returns the text of a value with the marks of HTML escaped. */
export const escaped = (value: Operand): Markup => new Markup(textOf(value).replace(/[&<>"']/g, (mark) => marks[mark]!))

/** What an array is in Python if it is no list: an `iterator` can be read once. */
type Shape = 'tuple' | 'range' | 'view' | 'iterator' | 'spent'
const shapes = new WeakMap<object, Shape>()
export const shapeOf = (value: Operand): Shape | undefined => shapes.get(value)

/** Whether an array can be read once in Python. */
export const isIterator = (value: Operand): boolean => /iterator|spent/.test(shapeOf(value) ?? '')

/** Returns the array as one that is no list in Python. */
export function shaped<T extends object>(array: T, shape: Shape | undefined): T {
  if (shape) shapes.set(array, shape)
  return array
}

/** Thrown by what cannot calculate with a value. The template that is running adds what it was and where. */
export class Refusal extends Error {}

export function refuse(problem: string): never {
  throw new Refusal(problem)
}

/** Names the kind of a value in an error. */
export const kind = (value: unknown): string =>
  value instanceof Undefined ? 'a missing value' : value instanceof Float ? String(value) : kindOf(plain(value))

/** Whether a value counts as a number, as booleans do in Python. */
export const isNumber = (value: unknown): boolean =>
  /number|bigint|boolean/.test(typeof value) || value instanceof Float

/** Whether a value is a dict of Python. */
export const isDict = (value: Operand): value is Readonly<Record<string, unknown>> | Map<unknown, unknown> =>
  value?.constructor === Map || isPlainObject(value)

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
  const quoted = (item: unknown) => {
    if (item instanceof Markup) return `Markup(${quote(item.text)})`
    if (item instanceof Undefined) return 'Undefined'
    return typeof item === 'string' ? quote(item) : textOf(item, depth + 1)
  }
  if (Array.isArray(value)) {
    const items = value.map(quoted).join(', ')
    return listShape(value) ? `(${items}${value.length === 1 ? ',' : ''})` : `[${items}]`
  }
  if (!isDict(value)) {
    // An instance of a class has the text that its class defines.
    if (value.toString !== Object.prototype.toString) return value.toString()
    checkData(value)
  }
  return `{${entriesOf(value)
    .map(([key, item]) => `${quoted(key)}: ${quoted(item)}`)
    .join(', ')}}`
}

/** Returns whether an array is a tuple, not a list. Python writes no items of others. */
function listShape(value: object): boolean {
  const shape = shapeOf(value)
  if (shape && shape !== 'tuple') refuse(': Python writes no items of it; add | list')
  return shape === 'tuple'
}

/** Returns a value as the filter `tojson` writes it: keys sorted, all characters beyond ASCII and those of HTML escaped. */
export function jsonText(value: Operand, indent = 0, level = 0): string {
  const line = (levels: number) => (indent > 0 ? `\n${' '.repeat(indent * levels)}` : '')
  const inside = (items: readonly string[]) =>
    items.length > 0 ? line(level + 1) + items.join(`,${line(level + 1) || ' '}`) + line(level) : ''
  if (value instanceof Undefined) refuse(`: ${kind(value)} has no JSON form`)
  if (value === undefined || level > maxDepth) return 'null'
  if (Array.isArray(value)) {
    listShape(value)
    return `[${inside(value.map((item) => jsonText(item, indent, level + 1)))}]`
  }
  if (typeof value === 'object' && value !== null && !(value instanceof Float || value instanceof Markup)) {
    const data = typeof value.toDict === 'function' ? value.toDict() : value
    if (!isDict(data)) checkData(data)
    const entries = entriesOf(data).map(([key, item]) => [textOf(key), item] as const)
    entries.sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${inside(entries.map(([key, item]) => `${jsonText(key)}: ${jsonText(item, indent, level + 1)}`))}}`
  }
  const text = isNumber(value) && typeof value !== 'boolean' ? textOf(value) : (JSON.stringify(plain(value)) ?? 'null')
  return text.replace(/[<>&']|[^\x00-\x7f]/g, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
