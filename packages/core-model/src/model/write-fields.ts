/**
 * @module
 * From the values of fields to plain data and JSON.
 */
import { SerializationError } from '../errors.ts'
import { kindOf, pathText } from './check-value.ts'
import { isModel } from './is-model.ts'
import type { Dict, DictOptions, JsonOptions } from './model.ts'
import { isPlainObject } from './plain.ts'

/** The wire form of a value that is no list or plain object. */
export function writeLeaf(value: unknown, options: DictOptions, path: readonly (string | number)[]): unknown {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new SerializationError(pathText(path), `${value} has no JSON form`)
  const { toDict } = (value ?? {}) as { toDict?: (options?: DictOptions) => unknown }
  return typeof toDict === 'function' ? toDict.call(value, isModel(value) ? options : undefined) : value
}

/** A value that `JSON.stringify` writes without loss. */
export function jsonValue(value: unknown, options: JsonOptions, path: (string | number)[]): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return value
  const at = (key: string | number, item: unknown): unknown => {
    path.push(key)
    const result = jsonValue(item, options, path)
    path.pop()
    return result
  }
  if (Array.isArray(value)) return value.map((item, index) => at(index, item))
  if (isPlainObject(value)) {
    const keys = Object.keys(value).filter((key) => value[key] !== undefined)
    if (options.sortKeys) keys.sort()
    return Object.fromEntries(keys.map((key) => [key, at(key, value[key])])) as Dict
  }
  if (options.encoder) return jsonValue(options.encoder(value), { ...options, encoder: undefined }, path)
  throw new SerializationError(pathText(path), `${kindOf(value)} has no JSON form`)
}
