/**
 * @module
 * Selects the fields and the parts of their values that `dict` and `copy` include.
 */
import { SerializationError } from '../errors.ts'
import { adviceFor, maxLevels } from './check-value.ts'
import { mapItems, own, type Path } from './plain.ts'
import { invalid, pathText } from './report.ts'

/**
 * An array of field names, or an object that maps a field name to `true` (the whole value) or to a selection inside the value.
 * API names and wire names are accepted. Array items are selected by index or by `__all__`.
 */
export type FieldSelection = readonly string[] | { readonly [name: string]: FieldSelection | true }

/** `include` and `exclude` at one level. `exclude` has priority. */
export interface Selections {
  include?: FieldSelection | undefined
  exclude?: FieldSelection | undefined
}

const all: Selections = {}
const dropped = Symbol('dropped')

/** Returns the part of a selection for a value that has two names. */
function inside(selection: FieldSelection, name: string | number, other: string | number) {
  if (typeof selection !== 'object') throw invalid('include, exclude', 'field names', selection)
  if (Array.isArray(selection)) return selection.includes(`${name}`) || selection.includes(other) || undefined
  return (own(selection, name) ?? own(selection, other)) as FieldSelection | true | undefined
}

/** Returns the selections inside the value with this name or the other name, or null if the value is excluded. */
export function select(
  { include, exclude }: Selections,
  name: string | number,
  other: string | number,
): Selections | null {
  if (include === undefined && exclude === undefined) return all
  const kept = include && inside(include, name, other)
  const left = exclude && inside(exclude, name, other)
  if ((include && kept === undefined) || left === true) return null
  return { include: kept === true ? undefined : kept, exclude: left }
}

/**
 * Returns a copy of the selected parts of plain data. `leaf` converts every value that is not a string, an array or a plain object.
 * @throws {SerializationError} for data that are circular or nested too deeply.
 */
export function selectValue(
  value: unknown,
  selections: Selections,
  leaf: (value: unknown, selections: Selections) => unknown,
  path: Path = [],
): unknown {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return leaf(value, selections)
  if (path.length > maxLevels) throw new SerializationError(pathText(path.slice(0, 5)), adviceFor(value))
  const selectPart = (item: unknown, key: string | number): unknown => {
    const inner = select(selections, key, typeof key === 'number' ? '__all__' : key)
    return inner ? selectValue(item, inner, leaf, path) : dropped
  }
  const parts = mapItems(value, selectPart, path)
  if (parts === undefined) return leaf(value, selections)
  if (Array.isArray(parts)) return parts.includes(dropped) ? parts.filter((part) => part !== dropped) : parts
  for (const key of Object.keys(parts)) if (parts[key] === dropped) delete parts[key]
  return parts
}
