/**
 * @module
 * Which fields and which parts of their values `dict` and `copy` take.
 */
import { isPlainObject } from './plain.ts'

/**
 * A list of field names, or a mapping from a field name to `true` (all of it) or to a selection inside it.
 * Names are those of the API or of the wire. Elements of lists are named by index or `__all__`.
 */
export type FieldSelection = readonly string[] | { readonly [name: string]: FieldSelection | true }

/** The selection of one level: what it says of a name. */
function inside(selection: FieldSelection, names: readonly string[]): FieldSelection | true | undefined {
  if (!isPlainObject(selection)) return names.some((name) => selection.includes(name)) ? true : undefined
  const hit = names.find((name) => Object.hasOwn(selection, name))
  return hit === undefined ? undefined : selection[hit]
}

/** `include` and `exclude` of one level; exclude wins over include. */
export interface Selections {
  include?: FieldSelection | undefined
  exclude?: FieldSelection | undefined
}

/** The selections for the value of a name, or null when the name is left out. */
export function select({ include, exclude }: Selections, ...names: string[]): Selections | null {
  const kept = include === undefined ? true : inside(include, names)
  const dropped = exclude === undefined ? undefined : inside(exclude, names)
  if (kept === undefined || dropped === true) return null
  return { include: kept === true ? undefined : kept, exclude: dropped }
}

/** The parts of plain data that the selections take, copied; `leaf` handles everything that is no list or plain object. */
export function selectValue(
  value: unknown,
  selections: Selections,
  path: (string | number)[],
  leaf: (value: unknown, selections: Selections, path: (string | number)[]) => unknown,
): unknown {
  const all = selections.include === undefined && selections.exclude === undefined
  function part(item: unknown, key: string | number, ...names: string[]): { value: unknown } | null {
    const inner = all ? selections : select(selections, ...names)
    if (inner === null) return null
    path.push(key)
    const result = { value: selectValue(item, inner, path, leaf) }
    path.pop()
    return result
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => {
      const kept = part(item, index, String(index), '__all__')
      return kept === null ? [] : [kept.value]
    })
  }
  if (!isPlainObject(value)) return leaf(value, selections, path)
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const kept = part(item, key, key)
      return kept === null ? [] : [[key, kept.value]]
    }),
  )
}
