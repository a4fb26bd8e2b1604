/**
 * @module
 * What a running template reads and writes: variables, the names without a value, and the fragments of its text.
 */
import { type ContentPart, NotSupportedError } from '@x/core-model'
import type { SourceSpan } from '../source-map.ts'
import {
  checkData,
  entriesOf,
  Float,
  isDict,
  isIterator,
  kind,
  plain,
  refuse,
  shaped,
  shapeOf,
  Undefined,
} from './python-text.ts'

/** A piece of formatted text with its source. `part`: the content part that the text stands for. */
export interface Fragment {
  readonly text: string
  readonly span: Omit<SourceSpan, 'start' | 'end'>
  readonly part?: ContentPart
}

/** A value and, if it comes from a variable, its place there, such as `nodes[2].text`. */
export type Traced = readonly [value: unknown, place: string | null]

/** The text of a chat block. */
export interface ChatBlock {
  readonly role: string
  readonly fragments: readonly Fragment[]
}

/** One formatting of a template. */
export interface Run {
  valueOf(name: string): unknown
  /** Whether formatting fails with the names in `missing`. */
  readonly isStrict: boolean
  /** The names without a value whose value is needed. */
  readonly missing: Set<string>
  readonly chats: ChatBlock[]
  /** How often the bodies of loops ran. */
  rounds: number
}

/** The names that are defined in a template, with their values. */
export interface Scope {
  readonly run: Run
  readonly names: Record<string, Traced>
}

const maxRounds = 1_000_000

/** Returns a scope inside of another one. */
export function scopeIn({ run, names }: Scope): Scope {
  return { run, names: Object.create(names) }
}

/** Returns the value of a name. */
export function read({ run, names }: Scope, name: string): Traced {
  const value = run.valueOf(name)
  return names[name] ?? [value === undefined ? new Undefined(name) : value, name]
}

/** Whether a value is a variable that has none. */
export const isMissing = (value: unknown): boolean => value instanceof Undefined && value.variable !== null

/** Returns the value. A missing variable is recorded: formatting fails with the names of all. */
export function need<T>(value: T, { run }: Scope): T {
  if (value instanceof Undefined && value.variable !== null) run.missing.add(value.variable)
  return value
}

/** Counts a round of a loop. @throws {NotSupportedError} for a loop that does not end in practice. */
export function countRound({ run }: Scope): void {
  if (++run.rounds > maxRounds)
    throw new NotSupportedError(`RichPromptTemplate: expected at most ${maxRounds} rounds of loops; pass fewer items.`)
}

/** Whether a value counts as true in Python: not zero, not empty, not None. */
export function isTrue(value: unknown): boolean {
  if (value instanceof Undefined || !plain(value)) return false
  if (value instanceof Float) return value.value !== 0
  if (Array.isArray(value)) return value.length > 0 || isIterator(value)
  return !isDict(value) || entriesOf(value).length > 0
}

/** Returns the items of a value: of an array, the characters of a string, the keys of an object. A missing value has none. */
export function itemsOf(value: unknown): readonly unknown[] {
  const shape = shapeOf(value)
  if (shape === 'spent') return []
  if (shape === 'iterator') shaped(value as object, 'spent')
  if (Array.isArray(value)) return value
  const text = plain(value)
  if (typeof text === 'string') return [...text]
  if (value instanceof Undefined) return []
  if (typeof value !== 'object' || value === null || value instanceof Float)
    return refuse(`: expected a list, received ${kind(value)}`)
  if (value instanceof Map || !(Symbol.iterator in value)) {
    if (!isDict(value)) checkData(value)
    return entriesOf(value).map(([key]) => key)
  }
  const items: unknown[] = []
  // Counted here, because an iterator may have no end.
  for (const item of value as Iterable<unknown>)
    if (items.push(item) > maxRounds) refuse(`: expected at most ${maxRounds} items`)
  return items
}
