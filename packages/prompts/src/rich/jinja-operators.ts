/**
 * @module
 * The operators of the expressions of a template, by rank, on values as Python has them.
 */
import { type Operand, textOf, Undefined } from './python-text.ts'
import { type Expression, isTrue, type Scope, type Traced } from './scope.ts'

/** The comparisons. */
export const compare = {
  '==': (a, b) => isEqual(a, b),
  '!=': (a, b) => !isEqual(a, b),
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  in: (a, b) => contains(b, a),
  'not in': (a, b) => !contains(b, a),
} satisfies Record<string, (a: Operand, b: Operand) => boolean>

/** The operators of numbers, and `+` of arrays. */
const arithmetic: Readonly<Record<string, (a: Operand, b: Operand) => unknown>> = {
  '+': (a, b) => (Array.isArray(a) ? [...a, ...b] : a + b),
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '//': (a, b) => Math.floor(a / b),
  '%': (a, b) => ((a % b) + b) % b,
  '**': (a, b) => a ** b,
}

/** Operators of equal rank. */
interface Rank {
  readonly operators: readonly string[]
  /** Whether the first operand may be a missing variable. */
  readonly mayMiss?: boolean
  combine(first: Expression, rest: readonly (readonly [operator: string, operand: Expression])[], scope: Scope): Traced
}

/** Returns the first operand whose value is `stop`, true or false; otherwise the last. */
const until =
  (stop: boolean): Rank['combine'] =>
  (first, rest, scope) => {
    let found = first.read(scope)
    for (let index = 0; index < rest.length && isTrue(found[0]) !== stop; index++) found = rest[index]![1].read(scope)
    return found
  }
/** `a < b < c` is true if both comparisons are. */
const inOrder: Rank['combine'] = (first, rest, scope) => {
  let left = first.read(scope)[0]
  const isFalse = ([operator, operand]: (typeof rest)[number]) => {
    const right = operand.read(scope)[0]
    const result = compare[operator as keyof typeof compare](left, right)
    left = right
    return !result
  }
  return [!rest.some(isFalse), null]
}
const calculated: Rank['combine'] = (first, rest, scope) => {
  const [start, place] = first.read(scope)
  const next = (left: Operand, [operator, operand]: (typeof rest)[number]): Operand =>
    arithmetic[operator]!(left, scope.need(operand.read(scope)[0]))
  return [rest.reduce(next, scope.need(start) as Operand), place]
}

/** All ranks, lowest first. `~` joins texts. */
export const ranks: readonly Rank[] = [
  { operators: ['or'], mayMiss: true, combine: until(true) },
  { operators: ['and'], mayMiss: true, combine: until(false) },
  { operators: Object.keys(compare), mayMiss: true, combine: inOrder },
  { operators: ['+', '-'], combine: calculated },
  {
    operators: ['~'],
    combine: (first, rest, scope) => {
      const [start, place] = first.read(scope)
      const texts = [start, ...rest.map(([, operand]) => operand.read(scope)[0])].map((value) =>
        textOf(scope.need(value)),
      )
      return [texts.join(''), place]
    },
  },
  { operators: ['*', '/', '//', '%'], combine: calculated },
  { operators: ['**'], combine: calculated },
]
/** The rank whose operands `not` negates. */
export const negation = 2

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
