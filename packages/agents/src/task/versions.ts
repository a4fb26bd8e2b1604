/**
 * @module
 * Versions of one JSON document, and what changed from one to the next. A journal, an undo and a saved task are made of these changes.
 */
import { isPlainObject } from '@x/core/values'
import type { Dict } from '@x/core-model'
import { Items } from './shared-items.ts'

/**
 * What changed in a part of a document: `[value]` replaces it, `[length, items]` cuts an array to a length and adds items to it, `[]`
 * removes it, and an object contains the changes of its parts by key.
 * @example
 * // { usage: { calls: [2] }, sources: [1, ['second']], note: [] }
 */
export type Change =
  | readonly []
  | readonly [value: unknown]
  | readonly [length: number, items: readonly unknown[]]
  | Changes

/** The changes of the parts of an object or an array, by key. */
export interface Changes {
  readonly [key: string]: Change
}

/** Returns what changed from one version to the next; undefined if nothing did. Parts that are the same object are not looked at. */
export function diff(before: unknown, after: unknown): Change | undefined {
  if (before === after) return undefined
  const [one, other] = [itemsOf(before), itemsOf(after)]
  if (one && other) return diffItems(one, other)
  if (!isPlainObject(before) || !isPlainObject(after)) return [plain(after)]
  const changes: Record<string, Change> = {}
  for (const key in before) if (!Object.hasOwn(after, key)) put(changes, key, [])
  for (const key in after) {
    const change = Object.hasOwn(before, key) ? diff(before[key], after[key]) : [plain(after[key])]
    if (change) put(changes, key, change)
  }
  return isEmpty(changes) ? undefined : changes
}

function diffItems(before: Items, after: Items): Change | undefined {
  const shared = Math.min(before.length, after.length)
  let same = before.all === after.all ? shared : 0
  while (same < shared && !diff(before.all[same], after.all[same])) same++
  if (before.length !== after.length) return [same, after.all.slice(same, after.length).map(plain)]
  const changes: Record<string, Change> = {}
  for (let i = same; i < shared; i++) {
    const change = diff(before.all[i], after.all[i])
    if (change) changes[i] = change
  }
  return isEmpty(changes) ? undefined : changes
}

/**
 * Returns the next version. What did not change is shared.
 * @throws {RangeError} if there is no such part, or the change is not valid.
 */
export function patched(before: unknown, change: unknown, path = 'changes'): unknown {
  if (Array.isArray(change)) return replaced(before, change, path)
  if (!isPlainObject(change)) throw invalid(path, 'a change')
  if (isPlainObject(before)) {
    const next: Dict = { ...before }
    for (const key in change) {
      const one = change[key]
      const isNew = Array.isArray(one) && one.length === 1
      if (!isNew && !Object.hasOwn(next, key)) throw invalid(`${path}.${key}`, 'the change of a part of the task')
      if (Array.isArray(one) && one.length === 0) delete next[key]
      else put(next, key, patched(next[key], one, `${path}.${key}`))
    }
    return next
  }
  const items = itemsOf(before)?.toArray()
  if (!items) throw invalid(path, 'the change of a part of the task')
  for (const key in change) {
    const i = Number(key)
    if (!(Number.isInteger(i) && i >= 0 && i < items.length)) throw invalid(`${path}.${key}`, 'the change of an item')
    items[i] = patched(items[i], change[key], `${path}.${key}`)
  }
  return new Items(items)
}

function replaced(before: unknown, change: readonly unknown[], path: string): unknown {
  if (change.length === 1) return change[0]
  const [length, added] = change as [number, unknown[]]
  // The array of an entry may belong to others.
  const items = Array.isArray(before) ? new Items([...before]) : itemsOf(before)
  const isValid = change.length === 2 && Number.isInteger(length) && length >= 0 && Array.isArray(added)
  if (!isValid || !items || length > items.length) throw invalid(path, 'items of an array')
  return items.with(length, added)
}

function invalid(path: string, words: string): RangeError {
  return new RangeError(`${path}: expected ${words}`)
}

function itemsOf(value: unknown): Items | undefined {
  if (value instanceof Items) return value
  return Array.isArray(value) ? new Items(value) : undefined
}

/** Returns a part of a version as JSON data: the same object if it contains no {@link Items}. */
export function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Items) return value.toArray().map(plain)
  let copy: Dict | undefined
  for (const key in value) {
    const item = (value as Dict)[key]
    const part = plain(item)
    if (part !== item) (copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Dict)[key] = part
  }
  return copy ?? value
}

/** The arrays of a task that were written. Each item is written once. */
export class WrittenLists {
  /** By the first object of an array, or by its path if it contains no objects. */
  private readonly written = new Map<unknown, { live: Items; json: Items }>()

  /** Records an array that was read or written. It may have more items later. */
  note(live: readonly unknown[], path: string, json: Items): void {
    this.written.set(keyOf(live, path), { live: new Items(live as unknown[], json.length), json })
  }

  /** Returns the JSON of an array. Only items that were not written before are written. */
  write(live: readonly unknown[], path: string, write: (item: unknown, i: number) => unknown): Items {
    const found = this.written.get(keyOf(live, path))
    const same = found?.live.sameStart(live) ?? 0
    const added = live.slice(same).map((item, i) => write(item, same + i))
    const json = found ? found.json.with(same, added) : new Items(added)
    this.note(live, path, json)
    return json
  }
}

function keyOf([first]: readonly unknown[], path: string): unknown {
  return typeof first === 'object' && first !== null ? first : path
}

function put(object: Dict, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}

function isEmpty(object: object): boolean {
  for (const _ in object) return false
  return true
}
