/**
 * @module
 * From the values of fields to plain data and JSON.
 */
import { SerializationError } from '../errors.ts'
import { kindOf, pathText } from './check-value.ts'
import type { Selections } from './field-selection.ts'
import { isModel } from './is-model.ts'
import type { Dict, DictOptions, JsonOptions } from './model-class.ts'
import { mapItems, type Path } from './plain.ts'

/** The wire form of a value that is no list or plain object. */
export function writeLeaf(value: unknown, options: DictOptions, selections: Selections, path: Path): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw noJsonForm(path, `${value}`)
  const { toDict } = (value ?? {}) as { toDict?: (options?: DictOptions) => unknown }
  if (typeof toDict !== 'function') return value
  return toDict.call(value, isModel(value) ? { ...options, ...selections } : undefined)
}

/** A value that `JSON.stringify` writes without loss. */
export function jsonValue(value: unknown, options: JsonOptions, path: Path): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return value
  const items = mapItems(
    value,
    // JSON leaves out keys without a value.
    (item, key) => (item === undefined && typeof key === 'string' ? item : jsonValue(item, options, path)),
    path,
  )
  if (items) return options.sortKeys && !Array.isArray(items) ? sorted(items) : items
  if (options.encoder) return jsonValue(options.encoder(value), { ...options, encoder: undefined }, path)
  throw noJsonForm(path, kindOf(value))
}

function sorted(object: Dict): Dict {
  const keys = Object.keys(object).sort()
  return Object.fromEntries(keys.map((key) => [key, object[key]]))
}

function noJsonForm(path: Path, what: string): SerializationError {
  return new SerializationError(pathText(path), `${what} has no JSON form`)
}
