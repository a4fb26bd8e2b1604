/**
 * @module
 * What is wrong with values: where, what was expected and what was received.
 */
import { joinPath, ModelValidationError, type ValidationIssue } from '../errors.ts'
import { isPlainObject, type Path } from './plain.ts'

/** Formats a path: `['a', 0, 'b']` is `a[0].b`. */
export function pathText(path: Path): string {
  return path.reduce<string>((text, step) => joinPath(text, typeof step === 'number' ? `[${step}]` : step), '')
}

/** Describes the type of a value for a message. Strings are not quoted, because they may be private data of a user. */
export function kindOf(value: unknown): string {
  if (value === null || ['undefined', 'number', 'boolean'].includes(typeof value)) return `${value}`
  if (typeof value === 'bigint') return `${value} (a bigint)`
  if (Array.isArray(value)) return 'an array'
  if (typeof value !== 'object') return `a ${typeof value}`
  return isPlainObject(value) ? 'an object' : `an instance of ${value.constructor?.name || 'a class'}`
}

/**
 * Returns what was expected and what was received. The received value is shown if it is not one of an enumeration: at most 20 characters,
 * and none if the name of the field says that it is secret.
 */
export function mismatch(expected: string, value: unknown, path = ''): string {
  const isShown =
    typeof value === 'string' && /^(?:one of |")/.test(expected) && !/key|token|secret|pass|auth|credential/i.test(path)
  const received = isShown ? JSON.stringify(value.length > 20 ? `${value.slice(0, 20)}…` : value) : kindOf(value)
  return `expected ${expected}, received ${received}`
}

/** Collects validation issues. `path` is the path of the value that is being checked. */
export class Report {
  readonly path: Path
  readonly issues: ValidationIssue[] = []

  constructor(path: Path = ['']) {
    this.path = path
  }

  /** Adds issues that were found elsewhere. */
  addAll(issues: readonly ValidationIssue[]): void {
    for (const issue of issues) this.issues.push(issue)
  }

  /** Adds an issue at `path`: the expected and the received type, and optionally advice. */
  add(expected: string, value: unknown, code = 'type', advice?: string): this {
    const path = pathText(this.path)
    const message = mismatch(expected, value, path) + (advice ? `; ${advice}` : '')
    this.issues.push({ path, message, code })
    return this
  }
}

/** Returns the first names of a list in parentheses, for messages; nothing for an empty one. */
export function firstOf(names: readonly string[]): string {
  const most = 12
  const shown = names.slice(0, most).join(', ')
  return shown && ` (${shown}${names.length > most ? ', …' : ''})`
}

/** Returns the error for a single invalid value. */
export function invalid(title: string, expected: string, value: unknown, path?: Path): ModelValidationError {
  return new ModelValidationError(title, new Report(path).add(expected, value).issues)
}
