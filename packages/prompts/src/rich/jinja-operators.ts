/**
 * @module
 * The operators of the expressions of a template, on values as Python has them.
 */
import { type Operand, textOf, Undefined } from './python-text.ts'

/** The comparisons. */
export const compare: Readonly<Record<string, (a: Operand, b: Operand) => unknown>> = {
  '==': (a, b) => isEqual(a, b),
  '!=': (a, b) => !isEqual(a, b),
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  in: (a, b) => contains(b, a),
  'not in': (a, b) => !contains(b, a),
}

/** The operators of numbers, and `+` of arrays. */
export const arithmetic: Readonly<Record<string, (a: Operand, b: Operand) => unknown>> = {
  '+': (a, b) => (Array.isArray(a) ? [...a, ...b] : a + b),
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '//': (a, b) => Math.floor(a / b),
  '%': (a, b) => ((a % b) + b) % b,
  '**': (a, b) => a ** b,
}

function isEqual(a: unknown, b: unknown): boolean {
  if (typeof a === 'object' && typeof b === 'object' && a && b) return textOf(a) === textOf(b)
  return (a ?? null) === (b ?? null)
}

function contains(all: unknown, value: unknown): boolean {
  if (typeof all === 'string') return all.includes(textOf(value))
  if (Array.isArray(all)) return all.some((item) => isEqual(item, value))
  return typeof all === 'object' && all !== null && Object.hasOwn(all, value as string)
}

/** Returns the items or characters from a place up to another. */
export function slice(value: unknown, from: unknown, to: unknown): unknown {
  const [start, end] = [from ?? 0, to ?? undefined] as [number, number | undefined]
  return typeof value === 'string'
    ? [...value].slice(start, end).join('')
    : Array.isArray(value)
      ? value.slice(start, end)
      : new Undefined(null)
}

const escaped: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '' }

/** Returns the value of a quoted string. */
export function unquote(text: string): string {
  return text
    .slice(1, -1)
    .replace(/\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g, (found, four, two, other) =>
      other === undefined
        ? String.fromCharCode(Number.parseInt(four ?? two, 16))
        : /[\\'"ntr\n]/.test(other)
          ? (escaped[other] ?? other)
          : found,
    )
}
