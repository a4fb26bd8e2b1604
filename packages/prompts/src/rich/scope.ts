/**
 * @module
 * What a running template reads and writes: variables, the names without a value, and the fragments of its text.
 */
import { type ContentPart, NotSupportedError } from '@x/core-model'
import type { SourceSpan } from '../source-map.ts'
import { Undefined } from './python-text.ts'

/** A piece of formatted text with its source, or a content part. */
export type Fragment =
  | { readonly text: string; readonly span: Omit<SourceSpan, 'start' | 'end'> }
  | { readonly part: ContentPart }

/** A value and, if it comes from a variable, its place there, such as `nodes[2].text`. */
export type Traced = readonly [value: unknown, place: string | null]

/** An expression of a template that was read. */
export interface Expression {
  read(scope: Scope): Traced
  /** The variable that has to have a value; null if there is none, or if it may be missing. */
  readonly needs: string | null
}

/** The text of a chat block. */
export interface ChatBlock {
  readonly role: string
  readonly fragments: readonly Fragment[]
}

/** One formatting of a template. */
export interface Run {
  valueOf(name: string): unknown
  /** The names without a value whose value is needed. */
  readonly missing: Set<string>
  readonly chats: ChatBlock[]
  /** How often the bodies of loops ran. */
  rounds: number
}

const maxRounds = 1_000_000

/** Names with their values and, of values that come from a variable, their places in it. */
export class Scope {
  readonly run: Run
  readonly #parent: Scope | null
  readonly #values = new Map<string, Traced>()

  constructor(run: Run, parent: Scope | null) {
    this.run = run
    this.#parent = parent
  }

  set(name: string, value: unknown, place: string | null = null): void {
    this.#values.set(name, [value, place])
  }

  read(name: string): Traced {
    for (let scope: Scope | null = this; scope; scope = scope.#parent) {
      const entry = scope.#values.get(name)
      if (entry) return entry
    }
    const value = this.run.valueOf(name)
    return [value === undefined ? new Undefined(name) : value, name]
  }

  /** Returns the value. A missing variable is recorded: formatting fails with the names of all. */
  need(value: unknown): unknown {
    if (value instanceof Undefined && value.variable !== null) this.run.missing.add(value.variable)
    return value
  }

  /** Counts a round of a loop. */
  count(): void {
    if (++this.run.rounds > maxRounds)
      throw new NotSupportedError(
        `RichPromptTemplate: expected at most ${maxRounds} rounds of loops; pass fewer items.`,
      )
  }
}

/** Whether a value counts as true in Python: not zero, not empty, not None. */
export function isTrue(value: unknown): boolean {
  if (value instanceof Undefined || !value) return false
  if (Array.isArray(value)) return value.length > 0
  return typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype || Object.keys(value).length > 0
}

/** Returns the items of a value: of an array, the characters of a string, the keys of an object. */
export function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value === 'string') return [...value]
  if (typeof value !== 'object' || value === null || value instanceof Undefined) return []
  return Symbol.iterator in value ? [...(value as Iterable<unknown>)] : Object.keys(value)
}
