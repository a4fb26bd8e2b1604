/**
 * @module
 * Reads records that are not models: checks the fields of data in wire form and reports all issues at once.
 */

import { errorMessage, isToolkitError, joinPath, ModelValidationError, type ValidationIssue } from '../errors.ts'
import { isInstance } from './is-model.ts'
import type { Model, ModelConstructor } from './model.ts'
import type { Dict, ReadOptions, WireLine } from './model-class.ts'
import { isPlainObject, mapValues } from './plain.ts'
import { mismatch } from './report.ts'

/**
 * Reads a record with `read`, which receives its fields.
 * @param isComplete - whether keys with a default are required too.
 * @throws {ModelValidationError} with an issue for every invalid field.
 */
export function readRecord<T>(title: string, data: unknown, read: (fields: RecordReader) => T, isComplete = false): T {
  // The constructor of nearly all plain objects is `Object`.
  if (data?.constructor !== Object && !isPlainObject(data)) throw invalidRecord(title, '', 'an object', data)
  const fields = new RecordReader(data as Dict, isComplete)
  const record = read(fields)
  if (fields.issues.length > 0) throw new ModelValidationError(title, fields.issues)
  return record
}

/** Reads the fields of one record by their wire names. Invalid fields are collected and reported together at the end. */
export class RecordReader {
  /** The record in wire form. */
  readonly data: Readonly<Dict>
  /** What is invalid so far. */
  readonly issues: ValidationIssue[] = []
  /** @internal */
  readonly isComplete: boolean

  constructor(data: Readonly<Dict>, isComplete: boolean) {
    this.data = data
    this.isComplete = isComplete
  }

  /** A string. Without a default, as in the other methods, a missing key is an issue. */
  string(key: string, byDefault?: string): string {
    return this.value(key, 'a string', (value) => typeof value === 'string', byDefault)
  }

  /** A string, or null when the key is missing. */
  nullableString(key: string): string | null {
    return this.value<string | null>(
      key,
      'a string or null',
      (value) => value === null || typeof value === 'string',
      null,
    )
  }

  /** An integer of at least `minimum`. */
  integer(key: string, minimum: number): number {
    return this.value(
      key,
      `an integer of at least ${minimum}`,
      (value) => Number.isInteger(value) && Number(value) >= minimum,
    )
  }

  /** A boolean. */
  boolean(key: string, byDefault?: boolean): boolean {
    return this.value(key, 'a boolean', (value) => typeof value === 'boolean', byDefault)
  }

  /** A plain object. */
  object(key: string, byDefault?: Dict): Dict {
    return this.value(key, 'an object', isPlainObject, byDefault)
  }

  /** An array of any items. */
  array(key: string, byDefault?: unknown[]): unknown[] {
    return this.value(key, 'an array', Array.isArray, byDefault)
  }

  /** One of these values. */
  oneOf<const T extends string | number | null>(key: string, values: readonly T[], byDefault?: T): T {
    const words = () => `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`
    return this.value(key, words, (value) => values.includes(value as T), byDefault)
  }

  /** The items of an array, each read by `read`; empty when the key is missing. */
  list<T>(key: string, read: (item: unknown) => T): T[] {
    const found: T[] = []
    for (const [index, item] of (this.array(key, []) ?? []).entries()) {
      this.nested(key, `[${index}]`, () => found.push(read(item)))
    }
    return found
  }

  /** The values of an object, each read by `read`; empty when the key is missing. */
  entries<T>(key: string, read: (item: unknown) => T): Map<string, T> {
    const found = new Map<string, T>()
    for (const [name, item] of Object.entries(this.object(key, {}))) {
      this.nested(key, `.${name}`, () => found.set(name, read(item)))
    }
    return found
  }

  /** The result of `read` for a required key. */
  record<T>(key: string, read: (item: unknown) => T): T {
    const value = this.has(key) ? this.nested(key, '', () => read(this.data[key])) : this.missing(key)
    return value as T
  }

  /** Whether the data has the key. */
  has(key: string): boolean {
    return Object.hasOwn(this.data, key) && this.data[key] !== undefined
  }

  /** @internal */
  value<T>(key: string, words: string | (() => string), fits: (value: unknown) => boolean, byDefault?: T): T {
    if (!this.has(key)) return byDefault === undefined || this.isComplete ? (this.missing(key) as T) : byDefault
    const value = this.data[key]
    if (fits(value)) return value as T
    this.issues.push(expected(apiName(key), typeof words === 'string' ? words : words(), value))
    return byDefault as T
  }

  /** @internal */
  missing(key: string): undefined {
    this.issues.push({ path: apiName(key), message: 'required, but missing', code: 'required' })
  }

  /** @internal */
  nested<T>(key: string, place: string, read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      if (!isToolkitError(error, 'model_validation')) throw error
      this.issues.push(...issuesAt(apiName(key) + place, error))
      return undefined
    }
  }
}

/** Returns a function that reads a model from its wire form; an instance is returned unchanged. */
export function modelReader<T extends Model>(
  modelClass: ModelConstructor<T>,
  options: ReadOptions = {},
): (value: unknown) => T {
  return (value) =>
    value instanceof modelClass || isInstance(value, modelClass) ? value : modelClass.fromDict(value, {}, options)
}

/** Returns the issues of a nested value with its path in front. An error without issues becomes one issue. */
export function issuesAt(path: string, error: unknown): ValidationIssue[] {
  if (!isToolkitError(error, 'model_validation')) return [{ path, message: errorMessage(error), code: 'nested' }]
  return error.issues.map((issue) => ({ ...issue, path: joinPath(path, issue.path) }))
}

/** The error for a single value in a record. */
export function invalidRecord(title: string, path: string, words: string, value: unknown): ModelValidationError {
  return new ModelValidationError(title, [expected(path, words, value)])
}

function expected(path: string, words: string, value: unknown): ValidationIssue {
  return { path, message: mismatch(words, value, path), code: 'type' }
}

/** Converts a wire name: paths in messages use the names of the API. */
function apiName(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** Returns data with every model and record replaced by its dict, at any depth; arrays and objects are copied. */
export function plainData(value: unknown, options?: LineOptions): unknown {
  const inner = (item: unknown) => plainData(item, options)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(inner)
  if ('toDict' in value && typeof value.toDict === 'function') return inner(value.toDict(options))
  return isPlainObject(value) ? mapValues(value, inner) : value
}

/** How data are written. */
export interface LineOptions {
  /**
   * The form of a release of LlamaIndex for Python, such as `pythonLine('0.13.6')`, or its name; see `toDict` of models. @defaultValue the
   * line 0.10
   */
  line?: WireLine | string | undefined
}
