/**
 * @module
 * Checks the arguments of a tool call with the library of their schema.
 */

import type { ArgumentIssue, CheckedArguments } from '@x/core/arguments'
import { numberIn } from '@x/core/arguments'
import type { StandardIssue, StandardResult, StandardSchema } from '@x/core-model'
import { ToolSchemaError } from './tool-errors.ts'
import { isStandardSchema } from './tool-schema.ts'

/** The check of the arguments or the result of a tool. Returns a promise only if the library of the schema does. */
export type ToolCheck = (value: unknown) => CheckedArguments | Promise<CheckedArguments>

/**
 * Returns the check of a Standard Schema. What the library refuses is corrected and checked once more: a string that contains a number
 * becomes the number, and a null of an object is removed, because models write it for arguments that they leave out.
 */
function standardCheck({ '~standard': standard }: StandardSchema): ToolCheck {
  return (value) =>
    whenChecked(standard.validate(value), (first) => {
      const better = first.issues && corrected(value, first.issues)
      if (better === undefined) return checkedOf(first)
      return whenChecked(standard.validate(better), (second) =>
        checkedOf(second.issues && second.issues.length >= first.issues!.length ? first : second),
      )
    })
}

/**
 * Returns the check of a schema that must be a Standard Schema; without a schema, every value is valid.
 * @param tool - the name of the tool, for the error.
 * @param others - what takes other schemas, for the error.
 * @throws {ToolSchemaError}
 */
export function standardOnly(tool: string | null, schema: object | null | undefined, others: string): ToolCheck {
  if (!schema) return (value) => ({ value, issues: [] })
  if (isStandardSchema(schema)) return standardCheck(schema)
  throw new ToolSchemaError(
    `Tool "${tool}": expected a Standard Schema, such as one of zod; pass a JSON Schema to ${others}.`,
  )
}

/** Returns what a function makes of a result of a library, which may be a promise or another thenable. */
export function whenChecked<T>(
  result: StandardResult<unknown> | Promise<StandardResult<unknown>>,
  next: (result: StandardResult<unknown>) => T | Promise<T>,
): T | Promise<T> {
  return 'then' in result ? Promise.resolve(result).then(next) : next(result)
}

/** Returns the result of a library with the paths of its issues as text. */
export function checkedOf(result: StandardResult<unknown>): CheckedArguments {
  if (result.issues === undefined) return { value: result.value, issues: [] }
  return { value: undefined, issues: result.issues.map(toIssue) }
}

function toIssue(issue: StandardIssue): ArgumentIssue {
  return { path: keysOf(issue).map(String).join('.'), message: issue.message }
}

function keysOf({ path = [] }: StandardIssue): PropertyKey[] {
  return path.map((part) => (typeof part === 'object' ? part.key : part))
}

type Parts = Record<PropertyKey, unknown>

/** Returns a copy of a value with corrections at the places of the issues; undefined if there is nothing to correct. */
function corrected(value: unknown, issues: readonly StandardIssue[]): unknown {
  const copies = new Set<unknown>()
  const root: Parts = { value }
  let isChanged = false
  for (const issue of issues) {
    const path = ['value', ...keysOf(issue)]
    const last = path.pop()!
    let parts: unknown = root
    for (const key of path) parts = partCopied(parts, key, copies)
    if (!hasPart(parts, last)) continue
    const number = numberIn(parts[last])
    if (number !== undefined) parts[last] = number
    else if (parts[last] === null && parts !== root && !Array.isArray(parts)) delete parts[last]
    else continue
    isChanged = true
  }
  return isChanged ? root['value'] : undefined
}

function hasPart(parts: unknown, key: PropertyKey): parts is Parts {
  return typeof parts === 'object' && parts !== null && Object.hasOwn(parts, key) && key !== '__proto__'
}

/** Returns a part that may be changed: each part is copied once, however many issues it has. */
function partCopied(parts: unknown, key: PropertyKey, copies: Set<unknown>): unknown {
  if (!hasPart(parts, key)) return undefined
  const part = parts[key]
  if (typeof part !== 'object' || part === null || copies.has(part)) return part
  const copy = Array.isArray(part) ? [...part] : { ...part }
  copies.add(copy)
  parts[key] = copy
  return copy
}
