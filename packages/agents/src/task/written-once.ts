/**
 * @module
 * Writes each long text of a journal once, and each object that contains one, if it is the same object. Where it occurs again, it is
 * `{ "$n": 12 }`: value 12 since the entry with `"once": 0`. Works on the JSON of entries, whatever they contain.
 *
 * Values are counted as they end, the keys of an object in alphabetical order, because stores may change it. Strings count from a length of
 * 32, objects if a value in them counts. `once` is the number of values so far, the entry included, so that a changed entry is noticed. An
 * object with the key `$n` is written as `{ "$n": { … } }`. A string above 64 kB, if the store has blobs, is written as
 * `{ "$n": { "sha256": "…" } }`.
 */
import { checkGiven, list } from '@x/core/options'
import { isPlainObject } from '@x/core/values'
import { sha256 } from '@x/core-model/data'
import { unreadable } from './task-errors.ts'

const REF = '$n'
/** Shorter strings are written again. */
const LEAST = 32
/** Longer strings are blobs, if the store has them. */
const MOST = 65_536

/** Writes the entries that one runner appends to a journal. Those of an append are followed by {@link commit} or {@link discard}. */
export class OnceWriter {
  /** The numbers of strings by their content, and of objects by their identity. */
  private readonly texts = new Map<string, number>()
  private readonly objects = new WeakMap<object, number>()
  private staged: unknown[] = []
  private count = 0
  private committed = 0
  private isNew = true
  private wasNew = true
  /** How often a value was counted or referred to. */
  private seen = 0
  private hasRefs = false
  private readonly hasBlobs: boolean
  /** The blobs of the entries that were not confirmed, as JSON, by their hash. */
  readonly blobs = new Map<string, string>()

  /** @param hasBlobs - whether the store stores large strings by their hash. */
  constructor(hasBlobs = false) {
    this.hasBlobs = hasBlobs
  }

  /** Returns the entry with references. Stores read the first entry of a journal, so it has none. */
  write(entry: object): object {
    this.hasRefs = false
    const refs = (entry as { type?: unknown }).type !== 'task'
    const written: Record<string, unknown> = { ...entry }
    for (const key of sortedKeys(entry)) written[key] = this.value(written[key], refs)
    if (this.isNew || this.hasRefs) written['once'] = this.isNew ? 0 : this.count
    this.isNew = false
    return written
  }

  commit(): void {
    this.wasNew = false
    this.committed = this.count
    this.staged = []
    this.blobs.clear()
  }

  discard(): void {
    for (const value of this.staged) (typeof value === 'string' ? this.texts : this.objects).delete(value as never)
    this.count = this.committed
    this.isNew = this.wasNew
    this.staged = []
    this.blobs.clear()
  }

  private value(value: unknown, refs: boolean): unknown {
    if (typeof value === 'string') return value.length < LEAST ? value : this.counted(value, value, refs)
    if (typeof value !== 'object' || value === null) return value
    const { toJSON } = value as { toJSON?: unknown }
    if (typeof toJSON === 'function') return this.value(toJSON.call(value), refs)
    if (refs && this.objects.has(value)) return this.counted(value, value, refs)
    const { seen } = this
    const written = this.items(value as Record<string, unknown>, refs)
    if (Array.isArray(value)) return written
    const escaped = Object.hasOwn(value, REF) ? { [REF]: written } : written
    return this.seen > seen ? this.counted(value, escaped, refs) : escaped
  }

  private items(value: Record<string, unknown> | unknown[], refs: boolean): unknown {
    let copy: Record<string, unknown> | undefined
    for (const key of Array.isArray(value) ? value.keys() : sortedKeys(value)) {
      const item = (value as Record<string | number, unknown>)[key]
      if (item === undefined) continue
      const written = this.value(item, refs)
      if (written !== item)
        (copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>)[key] = written
    }
    return copy ?? value
  }

  private counted(value: unknown, written: unknown, refs: boolean): unknown {
    this.seen++
    const known = (typeof value === 'string' ? this.texts : this.objects) as Pick<Map<unknown, number>, 'get' | 'set'>
    const found = known.get(value)
    if (found !== undefined && refs) {
      this.hasRefs = true
      return { [REF]: found }
    }
    const number = this.count++
    if (found === undefined) {
      known.set(value, number)
      this.staged.push(value)
    }
    return this.hasBlobs && typeof value === 'string' && value.length > MOST ? this.blob(value) : written
  }

  /** Contains the JSON of the string, so that it is valid Unicode. */
  private blob(text: string): object {
    const content = JSON.stringify(text)
    const hash = sha256(content)
    this.blobs.set(hash, content)
    return { [REF]: { sha256: hash } }
  }
}

/** Reads the entries of a journal. */
class OnceReader {
  private readonly textOf: (hash: string) => string
  private values: unknown[] | undefined
  private seen = 0

  /** @param textOf - returns the text of a blob. @defaultValue throws */
  constructor(textOf: (hash: string) => string = noBlob) {
    this.textOf = textOf
  }

  /** Returns the entry with all its values. @throws {RangeError} if they do not exist. */
  read(entry: unknown): unknown {
    if (!isPlainObject(entry)) return entry
    if (entry['once'] === 0) this.values = []
    const { values } = this
    if (!values) return entry
    const { once, ...rest } = entry
    const read: Record<string, unknown> = { ...rest }
    for (const key of sortedKeys(rest)) read[key] = this.value(rest[key], values)
    if (once !== undefined && once !== 0 && once !== values.length)
      throw new RangeError(`once: expected ${values.length}, the number of values so far, received ${String(once)}`)
    return read
  }

  private value(value: unknown, values: unknown[]): unknown {
    if (typeof value === 'string') {
      if (value.length >= LEAST) this.count(value, values)
      return value
    }
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value) || !Object.hasOwn(value, REF)) return this.items(value as Record<string, unknown>, values)
    const known = (value as { [REF]: unknown })[REF]
    if (typeof known === 'number') {
      if (!Object.hasOwn(values, known))
        throw new RangeError(`expected the number of an earlier value, received ${known}`)
      this.seen++
      return values[known]
    }
    if (!isPlainObject(known) && !Array.isArray(known)) throw new RangeError(`expected an object as ${REF}`)
    const hash = Object.hasOwn(known, REF) ? undefined : (known as { sha256?: unknown }).sha256
    if (typeof hash !== 'string') return this.items(known as Record<string, unknown>, values)
    const text = this.textOf(hash)
    this.count(text, values)
    return text
  }

  private items(source: Record<string, unknown> | unknown[], values: unknown[]): unknown {
    const { seen } = this
    let copy: Record<string, unknown> | undefined
    for (const key of Array.isArray(source) ? source.keys() : sortedKeys(source)) {
      const item = (source as Record<string | number, unknown>)[key]
      const read = this.value(item, values)
      if (read !== item)
        (copy ??= (Array.isArray(source) ? [...source] : { ...source }) as Record<string, unknown>)[key] = read
    }
    const read = copy ?? source
    if (this.seen > seen && !Array.isArray(read)) this.count(read, values)
    return read
  }

  private count(value: unknown, values: unknown[]): void {
    this.seen++
    values.push(value)
  }
}

/**
 * Returns the entries of a journal with all their values: a journal contains each value once, and refers to it as `{ "$n": 12 }` where it
 * occurs again. For programs that read the entries of a store themselves; the result can be loaded like the journal.
 * @param textOf - returns the text of a blob by its hash. @defaultValue entries with blobs are refused
 * @throws {SavedTaskError} naming the entry with a reference to a value that does not exist.
 * @example
 * const entries = [
 *   { type: 'task', n: 0, once: 0, task: { task_id: 't', input: 'What is the capital of the French Republic?' } },
 *   { type: 'result', n: 1, once: 3, step: 1, name: 'step-1/tool-0', value: { content: { $n: 0 } } },
 * ]
 * expandJournal(entries)[1] // => { type: 'result', n: 1, step: 1, name: 'step-1/tool-0', value: { content: 'What is the capital of the French Republic?' } }
 */
export function expandJournal(entries: readonly unknown[], textOf?: (hash: string) => string): unknown[] {
  checkGiven('expandJournal', { entries }, list)
  const reader = new OnceReader(textOf)
  return entries.map((entry, n) => {
    try {
      return reader.read(entry)
    } catch (error) {
      throw unreadable(error, `Entry ${n}: `)
    }
  })
}

function noBlob(): never {
  throw new RangeError('expected the text of a blob; read the journal with journalEntries')
}

function sortedKeys(value: object): string[] {
  const keys = Object.keys(value)
  return inOrder(keys) ? keys : keys.sort()
}

function inOrder(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) if (keys[i - 1]! > keys[i]!) return false
  return true
}
