/**
 * @module
 * The operators of the expressions of a template, on values as Python has them.
 */
import { type Operand, textOf, Undefined } from './python-text.ts'

/** The ranks of operators; a higher one binds more strongly. */
export const rank = { or: 1, and: 2, compare: 3, add: 4, join: 5, multiply: 6, power: 7, filter: 8, lookUp: 9 }

type Operator = readonly [rank: number, apply?: (a: Operand, b: Operand) => unknown]

/** All operators: the rank and, of those that calculate, the function. */
export const operators: Readonly<Record<string, Operator>> = {
  or: [rank.or],
  and: [rank.and],
  '==': [rank.compare, isEqual],
  '!=': [rank.compare, (a, b) => !isEqual(a, b)],
  '<': [rank.compare, (a, b) => a < b],
  '<=': [rank.compare, (a, b) => a <= b],
  '>': [rank.compare, (a, b) => a > b],
  '>=': [rank.compare, (a, b) => a >= b],
  in: [rank.compare, (a, b) => contains(b, a)],
  'not in': [rank.compare, (a, b) => !contains(b, a)],
  '+': [rank.add, (a, b) => (Array.isArray(a) ? [...a, ...b] : a + b)],
  '-': [rank.add, (a, b) => a - b],
  '~': [rank.join, (a, b) => textOf(a) + textOf(b)],
  '*': [rank.multiply, (a, b) => a * b],
  '/': [rank.multiply, (a, b) => a / b],
  '//': [rank.multiply, (a, b) => Math.floor(a / b)],
  '%': [rank.multiply, (a, b) => ((a % b) + b) % b],
  '**': [rank.power, (a, b) => a ** b],
  '|': [rank.filter],
  is: [rank.filter],
  '.': [rank.lookUp],
  '[': [rank.lookUp],
  '(': [rank.lookUp],
}

export function isEqual(a: unknown, b: unknown): boolean {
  if (typeof a === 'object' && typeof b === 'object' && a && b) return textOf(a) === textOf(b)
  return (a ?? null) === (b ?? null)
}

export function contains(all: unknown, value: unknown): boolean {
  if (typeof all === 'string') return all.includes(textOf(value))
  if (Array.isArray(all)) return all.some((item) => isEqual(item, value))
  return typeof all === 'object' && all !== null && Object.hasOwn(all, value as string)
}

/** Returns the items or characters from a place up to another. */
export function slice(value: unknown, from: unknown, to: unknown): unknown {
  const [start, end] = [from ?? 0, to ?? undefined] as [number, number | undefined]
  if (typeof value === 'string') return [...value].slice(start, end).join('')
  return Array.isArray(value) ? value.slice(start, end) : new Undefined(null)
}
