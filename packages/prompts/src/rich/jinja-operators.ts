/**
 * @module
 * The operators of the expressions of a template, on values as Python has them.
 */
import {
  entriesOf,
  Float,
  floatOf,
  isDict,
  isFloat,
  isNumber,
  kind,
  Markup,
  type Operand,
  plain,
  refuse,
  shapeOf,
  textOf,
  Undefined,
} from './python-text.ts'
import { itemsOf } from './scope.ts'

/** The ranks of operators; a higher one binds more strongly. */
export const rank = { or: 1, and: 2, compare: 3, add: 4, join: 5, multiply: 6, power: 7, filter: 8, lookUp: 9 }

type Operator = readonly [rank: number, apply?: (a: Operand, b: Operand) => unknown]

/** All operators: the rank and, of those that calculate, the function; its result is undefined for operands that Python refuses. */
export const operators: Readonly<Record<string, Operator>> = {
  or: [rank.or],
  and: [rank.and],
  '==': [rank.compare, isEqual],
  '!=': [rank.compare, (a, b) => !isEqual(a, b)],
  '<': [rank.compare, (a, b) => compared(a, b, (sign) => sign < 0)],
  '<=': [rank.compare, (a, b) => compared(a, b, (sign) => sign <= 0)],
  '>': [rank.compare, (a, b) => compared(a, b, (sign) => sign > 0)],
  '>=': [rank.compare, (a, b) => compared(a, b, (sign) => sign >= 0)],
  in: [rank.compare, (a, b) => contains(b, a)],
  'not in': [rank.compare, (a, b) => negated(contains(b, a))],
  '+': [rank.add, plus],
  '-': [rank.add, (a, b) => ofNumbers(a, b, (x, y) => x - y)],
  '~': [rank.join, (a, b) => textOf(a) + textOf(b)],
  '*': [rank.multiply, times],
  '/': [rank.multiply, (a, b) => ofNumbers(a, b, (x, y) => x / y, true)],
  '//': [rank.multiply, (a, b) => ofNumbers(a, b, (x, y) => Math.round((x - rest(x, y)) / y))],
  '%': [rank.multiply, (a, b) => ofNumbers(a, b, rest)],
  '**': [rank.power, (a, b) => ofNumbers(a, b, (x, y) => x ** y, b < 0)],
  '|': [rank.filter],
  is: [rank.filter],
  '.': [rank.lookUp],
  '[': [rank.lookUp],
  '(': [rank.lookUp],
}

/** Data that are deeper, or strings and arrays that are longer, come from a mistake. */
const maxDepth = 100
export const maxLength = 1_000_000

/** Whole numbers beyond 2^53 are not exact. */
const isExact = (value: number) => !Number.isInteger(value) || Number.isSafeInteger(value)

/** Returns what remains of a division, with the sign of the divisor. */
function rest(x: number, y: number): number {
  const left = x % y
  return left !== 0 && left < 0 !== y < 0 ? left + y : left
}

/** Calculates with two numbers. There is no result where Python raises an error, or is more exact. */
function ofNumbers(a: Operand, b: Operand, apply: (x: number, y: number) => number, toFloat = false): Operand {
  if (!isNumber(a) || !isNumber(b)) return undefined
  const operands = [Number(a), Number(b)] as const
  const result = apply(...operands)
  if (!Number.isFinite(result) && operands.every(Number.isFinite)) return undefined
  if (![...operands, result].every(isExact)) return undefined
  // Whole numbers have no negative zero.
  return toFloat || isFloat(a) || isFloat(b) ? floatOf(result) : result + 0
}

/** Returns what remains of a division. Refuses operands for which `%` has no result. */
export function remainder(a: Operand, b: Operand): number {
  return Number(ofNumbers(a, b, rest) ?? refuse(`: ${kind(a)} and ${kind(b)} have no remainder`))
}

/** Rounds as Python does, halves to the even neighbour; or with `method` floor or ceil. */
export function round(value: number, precision: number, method: string): number {
  if (method === 'floor' || method === 'ceil') return Math[method](value * 10 ** precision) / 10 ** precision
  if (method !== 'common') refuse(`: expected the method common, floor or ceil, received ${method}`)
  if (!Number.isFinite(value) || precision > 20 || (precision >= 0 && Number.isInteger(value))) return value
  if (precision < 0) return round(value / 10 ** -precision, 0, method) * 10 ** -precision
  // Of two neighbours that are equally far, `toFixed` takes the larger one. All digits of the number show whether they are.
  const digits = value.toFixed(Math.min(100, precision + 60))
  const isHalf = /^50*$/.test(digits.slice(digits.indexOf('.') + 1 + precision))
  const rounded = value.toFixed(precision)
  return Number(
    isHalf && Number(rounded.at(-1)) % 2 === 1
      ? digits.slice(0, digits.indexOf('.') + (precision && precision + 1))
      : rounded,
  )
}

/** Whether a value is a list of Python, not a tuple. */
const isList = (value: unknown): value is unknown[] => Array.isArray(value) && !shapeOf(value)

export function plus(a: Operand, b: Operand): unknown {
  if (isList(a) && isList(b)) return [...a, ...b]
  return typeof a === 'string' && typeof b === 'string' ? a + b : ofNumbers(a, b, (x, y) => x + y)
}

const isSequence = (value: unknown): value is string | unknown[] => typeof value === 'string' || isList(value)

function times(a: Operand, b: Operand): unknown {
  if (!isSequence(a)) return isSequence(b) ? times(b, a) : ofNumbers(a, b, (x, y) => x * y)
  const count = Math.max(0, Number(b))
  if (!isNumber(b) || isFloat(b) || a.length * count > maxLength) return undefined
  return typeof a === 'string' ? a.repeat(count) : Array.from({ length: count }, () => a).flat()
}

export function isEqual(a: unknown, b: unknown, depth = 0): boolean {
  if (isNumber(a) && isNumber(b)) return compare(a, b) === 0
  if (depth > maxDepth) return false
  if (a instanceof Markup || b instanceof Markup) return plain(a) === plain(b)
  if (Array.isArray(a) && Array.isArray(b))
    return shapeOf(a) === 'iterator' || shapeOf(a) !== shapeOf(b)
      ? a === b
      : a.length === b.length && a.every((item, index) => isEqual(item, b[index], depth + 1))
  if (isDict(a) && isDict(b)) {
    const others = new Map(entriesOf(b))
    const isSame = ([key, item]: [unknown, unknown]) => others.has(key) && isEqual(item, others.get(key), depth + 1)
    return entriesOf(a).length === others.size && entriesOf(a).every(isSame)
  }
  if (typeof a === 'object' && typeof b === 'object' && a && b) return a === b || textOf(a) === textOf(b)
  return (a ?? null) === (b ?? null)
}

/** Returns a negative number if `a` is before `b`, undefined if they have no order. Strings are in the order of their code points. */
export function compare(a: Operand, b: Operand, depth = 0): number | undefined {
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : a > b ? 1 : Number(a) === Number(b) ? 0 : Number.NaN
  if (typeof a === 'string' && typeof b === 'string') {
    if (/[\ud800-\udfff]/.test(a + b)) return compare(pointsOf(a), pointsOf(b))
    return a < b ? -1 : a > b ? 1 : 0
  }
  if (!isList(a) || !isList(b) || depth > maxDepth) return undefined
  const at = a.findIndex((item, index) => index < b.length && !isEqual(item, b[index]))
  return at === -1 ? a.length - b.length : compare(a[at], b[at], depth + 1)
}
const pointsOf = (text: string) => Array.from(text, (character) => character.codePointAt(0))

function compared(a: Operand, b: Operand, isTrue: (sign: number) => boolean): boolean | undefined {
  const sign = compare(a, b)
  return sign === undefined ? undefined : isTrue(sign)
}

const negated = (value: boolean | undefined) => (value === undefined ? undefined : !value)

/** Whether something contains a value; undefined if it contains nothing, or no such values. */
export function contains(all: unknown, value: unknown): boolean | undefined {
  if (typeof all === 'string') return typeof value === 'string' ? all.includes(value) : undefined
  if (typeof all !== 'object' || all === null || all instanceof Float) return undefined
  if (all instanceof Undefined) return false
  if (!(all instanceof Map) && Symbol.iterator in all) return itemsOf(all).some((item) => isEqual(item, value))
  if (isDict(value) || isList(value)) return undefined
  return all instanceof Map ? all.has(value) : typeof value === 'string' && Object.hasOwn(all, value)
}

/** Returns the items or characters from a place up to another. */
export function slice(value: unknown, from: unknown, to: unknown): unknown {
  const [start, end] = [from ?? 0, to ?? undefined] as [number, number | undefined]
  if (![start, end ?? 0].every(Number.isInteger)) refuse(': expected whole numbers')
  if (typeof value === 'string') return [...value].slice(start, end).join('')
  return isList(value) ? value.slice(start, end) : refuse(` of ${kind(value)}`)
}
