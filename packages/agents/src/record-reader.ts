/**
 * @module
 * Reading records that are no models: the fields of data in wire form, checked, with every fault reported at once.
 */
import { type Dict, isToolkitError, ModelValidationError, type ValidationIssue } from '@x/core-model'
import { isPlainObject, kindOf, mapValues } from '@x/core-model/internal'

/**
 * Reads the fields of one record by their wire names. Call {@link finish} last.
 * @throws {ModelValidationError} at once when the data is not an object.
 */
export class RecordReader {
  readonly data: Readonly<Dict>
  private readonly title: string
  private readonly issues: ValidationIssue[] = []

  constructor(title: string, data: unknown) {
    this.title = title
    if (!isPlainObject(data)) throw new ModelValidationError(title, [expected('', 'an object', data)])
    this.data = data
  }

  string(key: string, byDefault?: string): string {
    return this.read(key, 'a string', (value) => typeof value === 'string', byDefault)
  }

  /** A string, or null when the key is missing. */
  nullableString(key: string): string | null {
    return this.read<string | null>(
      key,
      'a string or null',
      (value) => value === null || typeof value === 'string',
      null,
    )
  }

  boolean(key: string, byDefault: boolean): boolean {
    return this.read(key, 'a boolean', (value) => typeof value === 'boolean', byDefault)
  }

  object(key: string, byDefault?: Dict): Dict {
    return this.read(key, 'an object', isPlainObject, byDefault)
  }

  oneOf<const T extends string>(key: string, values: readonly T[], byDefault: T): T {
    const words = `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`
    return this.read(key, words, (value) => values.includes(value as T), byDefault)
  }

  /** The items of an array, each read by `read`; empty when the key is missing. */
  list<T>(key: string, read: (item: unknown) => T): T[] {
    const items = this.read<unknown[]>(key, 'an array', Array.isArray, [])
    return items.flatMap((item, index) => this.nested(`${apiName(key)}[${index}]`, () => read(item)) ?? [])
  }

  /** The values of an object, each read by `read`; empty when the key is missing. */
  entries<T>(key: string, read: (item: unknown) => T): Map<string, T> {
    const found = new Map<string, T>()
    for (const [name, item] of Object.entries(this.object(key, {}))) {
      const value = this.nested(`${apiName(key)}.${name}`, () => read(item))
      if (value !== undefined) found.set(name, value)
    }
    return found
  }

  /** What `read` returns for a required key. */
  record<T>(key: string, read: (item: unknown) => T): T {
    const value = this.has(key) ? this.nested(apiName(key), () => read(this.data[key])) : this.missing(key)
    return value as T
  }

  /** Whether the data has the key. */
  has(key: string): boolean {
    return Object.hasOwn(this.data, key) && this.data[key] !== undefined
  }

  /** @throws {ModelValidationError} naming every field that does not fit. */
  finish(): void {
    if (this.issues.length > 0) throw new ModelValidationError(this.title, this.issues)
  }

  private read<T>(key: string, words: string, fits: (value: unknown) => boolean, byDefault: T | undefined): T {
    if (!this.has(key)) return byDefault === undefined ? (this.missing(key) as T) : byDefault
    const value = this.data[key]
    if (fits(value)) return value as T
    this.issues.push(expected(apiName(key), words, value))
    return byDefault as T
  }

  private missing(key: string): undefined {
    this.issues.push({ path: apiName(key), message: 'required, but missing', code: 'required' })
  }

  /** Faults of nested data are reported with the place where it stands. */
  private nested<T>(path: string, read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      if (!isToolkitError(error, 'model_validation')) throw error
      for (const issue of error.issues) {
        const separator = issue.path === '' || issue.path.startsWith('[') ? '' : '.'
        this.issues.push({ ...issue, path: path + separator + issue.path })
      }
      return undefined
    }
  }
}

function expected(path: string, words: string, value: unknown): ValidationIssue {
  return { path, message: `expected ${words}, received ${kindOf(value)}`, code: 'type' }
}

/** Paths in messages are in API names. */
function apiName(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** Data with every model and record in it as its dict, at any depth; arrays and objects are copied. */
export function plainData(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(plainData)
  if ('toDict' in value && typeof value.toDict === 'function') return plainData(value.toDict())
  return isPlainObject(value) ? mapValues(value, plainData) : value
}
