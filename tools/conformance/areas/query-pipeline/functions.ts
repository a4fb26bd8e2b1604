/** The functions and conditions of pipelines. */
import { ToolExecutionError } from '@x/agents/errors'
import type { Dict } from '@x/core-model'
import { named } from '../../given.ts'
import { sum } from '../../stand-ins/tool-functions.ts'

/** A function of named inputs. */
interface PipelineFunction {
  required: readonly string[]
  optional?: readonly string[]
  run: (inputs: Dict) => unknown
}

/** A function of one input `x`. */
const unary = (run: (x: unknown) => unknown): PipelineFunction => ({ required: ['x'], run: ({ x }) => run(x) })

const binary = (run: (a: unknown, b: unknown) => unknown): PipelineFunction => ({
  required: ['a', 'b'],
  run: ({ a, b }) => run(a, b),
})

function text(x: unknown): string {
  if (typeof x !== 'string') throw new Error(`expected a string, received ${typeof x}`)
  return x
}

function items(x: unknown): unknown[] {
  if (!Array.isArray(x)) throw new Error(`expected a list, received ${typeof x}`)
  return x
}

/** The functions by name. */
export const functions: Readonly<Record<string, PipelineFunction>> = {
  add1: unary((x) => sum(x, 1)),
  add: binary(sum),
  mul10: unary((x) => Number(x) * 10),
  mul100: unary((x) => Number(x) * 100),
  concat: binary((a, b) => `${a}${b}`),
  upper: unary((x) => text(x).toUpperCase()),
  length: unary((x) => (typeof x === 'string' ? x : items(x)).length),
  identity: unary((x) => x),
  pair: { required: ['x', 'y'], run: ({ x, y }) => [x, y] },
  opt_add: { required: ['x'], optional: ['y'], run: ({ x, y = 5 }) => 10 * Number(x) + Number(y) },
  to_list: unary((x) => [x]),
  nothing: unary(() => null),
  to_obj: unary((x) => ({ v: x })),
  join: { required: ['items'], run: ({ items: list }) => items(list).join(',') },
  sum: {
    required: ['items'],
    run: ({ items: list }) => items(list).reduce((total: number, item) => total + Number(item), 0),
  },
  zero: { required: [], run: () => 0 },
  boom: unary(() => {
    throw new ToolExecutionError('boom', 'boom')
  }),
}

/** The function of one value, for packs and links. */
export function ofOneValue(name: string | undefined): ((value: unknown) => unknown) | undefined {
  if (name === undefined) return undefined
  const { run } = named(functions, name)
  return (x) => run({ x })
}

type Test = (value: unknown) => boolean

/** Compares numbers, or strings by their characters. */
function compare(value: unknown, wanted: unknown): number {
  if (typeof value === 'string' && typeof wanted === 'string') return value < wanted ? -1 : Number(value > wanted)
  return Number(value) - Number(wanted)
}

const conditions: Readonly<Record<string, (wanted: unknown) => Test>> = {
  gt: (wanted) => (value) => compare(value, wanted) > 0,
  lt: (wanted) => (value) => compare(value, wanted) < 0,
  ge: (wanted) => (value) => compare(value, wanted) >= 0,
  le: (wanted) => (value) => compare(value, wanted) <= 0,
  eq: (wanted) => (value) => value === wanted,
  ne: (wanted) => (value) => value !== wanted,
  always: () => () => true,
  never: () => () => false,
  truthy: () => (value) => Boolean(value),
  even: () => (value) => Number(value) % 2 === 0,
  odd: () => (value) => Number(value) % 2 !== 0,
  contains: (wanted) => (value) => text(value).includes(text(wanted)),
}

/** The condition of a link. */
export interface Condition {
  op: string
  value?: unknown
}

export const testOf = ({ op, value }: Condition): Test => named(conditions, op)(value)
