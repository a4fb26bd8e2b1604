/**
 * @module
 * Which fields and which parts of their values `dict` and `copy` take.
 */
import { mapItems, own, type Path } from './plain.ts'

/**
 * A list of field names, or a mapping from a field name to `true` (all of it) or to a selection inside it.
 * Names are those of the API or of the wire. Elements of lists are named by index or `__all__`.
 */
export type FieldSelection = readonly string[] | { readonly [name: string]: FieldSelection | true }

/** `include` and `exclude` of one level; exclude wins over include. */
export interface Selections {
  include?: FieldSelection | undefined
  exclude?: FieldSelection | undefined
}

const all: Selections = { include: undefined, exclude: undefined }
const dropped = Symbol('dropped')

/** What the selection of one level says of something with two names. */
function inside(selection: FieldSelection, name: string | number, other: string | number) {
  if (Array.isArray(selection)) return selection.includes(`${name}`) || selection.includes(other) || undefined
  return (own(selection, name) ?? own(selection, other)) as FieldSelection | true | undefined
}

/** The selections for the value of a name, which has another name too, or null when it is left out. */
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

/** The parts of plain data that the selections take, copied; `leaf` handles everything that is no list or plain object. */
export function selectValue(
  value: unknown,
  selections: Selections,
  leaf: (value: unknown, selections: Selections) => unknown,
  path: Path = [],
): unknown {
  const selectPart = (item: unknown, key: string | number): unknown => {
    const inner = select(selections, key, typeof key === 'number' ? '__all__' : key)
    return inner ? selectValue(item, inner, leaf, path) : dropped
  }
  const parts = mapItems(value, selectPart, path)
  if (parts === undefined) return leaf(value, selections)
  if (Array.isArray(parts)) return parts.filter((part) => part !== dropped)
  for (const key of Object.keys(parts)) if (parts[key] === dropped) delete parts[key]
  return parts
}
