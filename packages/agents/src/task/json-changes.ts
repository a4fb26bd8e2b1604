/**
 * @module
 * The parts of the JSON of a state that differ from an earlier one.
 */
import { isPlainObject } from '@x/core/values'

/** An array of the table that has more items than before. */
export class Grown {
  readonly list: number
  readonly from: number
  readonly to: number

  constructor(list: number, from: number, to: number) {
    this.list = list
    this.from = from
    this.to = to
  }
}

/**
 * Returns the changes from one value to another: the keys that lead to a part, and its new value. A value most of whose parts differ is
 * one change.
 */
export function changesOf(before: unknown, after: unknown): unknown[][] {
  if (before === after) return []
  if (Array.isArray(before) && Array.isArray(after) && after.length === before.length) {
    const changes: unknown[][] = []
    for (let i = 0; i < before.length; i++) addChanges(changes, i, before[i], after[i])
    return smaller(changes, before.length, after)
  }
  if (!isPlainObject(before) || !isPlainObject(after)) return [[after]]
  const grown = grownList(before, after)
  if (grown) return [[grown]]
  const keys = Object.keys(before)
  if (keys.length !== Object.keys(after).length) return [[after]]
  const changes: unknown[][] = []
  for (const key of keys) {
    if (!Object.hasOwn(after, key)) return [[after]]
    addChanges(changes, key, before[key], after[key])
  }
  return smaller(changes, keys.length, after)
}

function addChanges(changes: unknown[][], key: string | number, before: unknown, after: unknown): void {
  if (before === after) return
  for (const change of changesOf(before, after)) {
    change.unshift(key)
    changes.push(change)
  }
}

function smaller(changes: unknown[][], parts: number, after: unknown): unknown[][] {
  return parts > 2 && changes.length * 2 > parts ? [[after]] : changes
}

function grownList(before: Record<string, unknown>, after: Record<string, unknown>): Grown | undefined {
  const [one, other] = [listOf(before), listOf(after)]
  return one && other && one[0] === other[0] && one[1] < other[1] ? new Grown(one[0], one[1], other[1]) : undefined
}

/** Returns the index and the length of an array of the table, if the value refers to one. */
export function listOf({ $kind, value }: Readonly<Record<string, unknown>>): [number, number] | undefined {
  return $kind === 'List' && Array.isArray(value) ? (value as [number, number]) : undefined
}

/** Returns the part of a value to which keys lead; undefined if it does not exist. */
export function partAt(value: unknown, keys: readonly unknown[]): unknown {
  let part = value
  for (const key of keys) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, key as string)) return undefined
    part = (part as Record<string, unknown>)[key as string]
  }
  return part
}

/**
 * Returns the value with another part. What does not change is shared.
 * @throws {RangeError} if there is no such part.
 */
export function withPart(value: unknown, keys: readonly unknown[], part: unknown): unknown {
  const [key, ...rest] = keys
  if (key === undefined) return part
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key as string))
    throw new RangeError(`expected the key of a part, received ${JSON.stringify(key)}`)
  const inner = withPart((value as Record<string, unknown>)[key as string], rest, part)
  if (Array.isArray(value)) return value.map((item, index) => (index === Number(key) ? inner : item))
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, name === key ? inner : item]))
}

/** Returns items that are marked with the same kind without their marks. */
export function withoutKind(items: readonly unknown[]): unknown {
  const { $kind: kind } = (items[0] ?? {}) as { $kind?: unknown }
  if (typeof kind !== 'string' || !items.every((item) => isMarked(item, kind))) return items
  return { [kind]: items.map((item) => (item as { value: unknown }).value) }
}

/** Returns the items of {@link withoutKind}; undefined for other values. */
export function withKind(items: unknown): unknown[] | undefined {
  if (Array.isArray(items)) return items
  const [kind, values] = isPlainObject(items) ? (Object.entries(items)[0] ?? []) : []
  return Array.isArray(values) ? values.map((value) => ({ $kind: kind, value })) : undefined
}

function isMarked(item: unknown, kind: string): boolean {
  const { $kind, value, ...others } = item as { $kind?: unknown; value?: unknown }
  return $kind === kind && value !== undefined && Object.keys(others).length === 0
}
