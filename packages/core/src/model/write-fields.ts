/**
 * @module
 * Converts field values to plain data.
 */
import { SerializationError } from '../errors.ts'
import type { Selections } from './field-selection.ts'
import { isModel } from './is-model.ts'
import type { DictOptions } from './model-class.ts'
import type { Path } from './plain.ts'
import { pathText } from './report.ts'

/** Returns the wire form of a value that is not an array or plain object. */
export function writeLeaf(value: unknown, options: DictOptions, selections: Selections, path: Path): unknown {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new SerializationError(pathText(path), `${value} has no JSON form`)
  const { toDict } = (value ?? {}) as { toDict?: (options?: DictOptions) => unknown }
  if (typeof toDict !== 'function') return value
  return toDict.call(value, isModel(value) ? { ...options, ...selections } : { line: options.line })
}
