/**
 * @module
 * Writes each value of a journal once. A string or object that occurs again is written as `{ "$n": 12 }`: value 12 since the entry
 * with `"once": 0`. Works on the JSON of entries, whatever they contain.
 *
 * Values are counted as they end, the keys of an object in alphabetical order, because stores may change it. Strings count from a length of
 * 32; objects count if they contain a value that counts, or are as long. `once` is the number of values so far, the entry included, so that a changed entry is noticed. An object
 * with the key `$n` is written as `{ "$n": { … } }`. A string above 64 kB, if the store has blobs, is written as `{ "$n": { "sha256": "…" } }`.
 */
import { errorMessage, isPlainObject } from '@x/core/values'
import { sha256 } from '@x/core-model/data'
import { SavedTaskError } from './task-errors.ts'

const REF = '$n'
/** Shorter values are written again. */
const LEAST = 32
/** Longer strings are blobs, if the store has them. */
const MOST = 65_536

/** Writes the entries that one runner appends to a journal. Each is followed by {@link commit} or {@link discard}. */
export class OnceWriter {
  /** The numbers of strings and of other values, by their content. Contents refer to values inside by number. */
  private readonly texts = new Map<string, number>()
  private others = new Map<string, number>()
  /** Those of earlier entries. Arrays and objects rarely occur again much later. */
  private earlier = new Map<string, number>()
  private entries = 0
  private readonly stagedTexts: string[] = []
  private readonly stagedOthers: string[] = []
  private count = 0
  private committed = 0
  private isNew = true
  /** The JSON of the last value, and the length of its content. */
  private json: unknown
  private size = 0
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
    const isFirst = (entry as { type?: unknown }).type === 'task'
    const written: Record<string, unknown> = { ...entry }
    for (const key of sortedKeys(entry)) {
      this.content((entry as Record<string, unknown>)[key], !isFirst)
      written[key] = this.json
    }
    if (this.isNew || this.hasRefs) written['once'] = this.isNew ? 0 : this.count
    return written
  }

  commit(): void {
    if (++this.entries % 8 === 0) {
      this.earlier = this.others
      this.others = new Map()
    }
    this.isNew = false
    this.committed = this.count
    this.stagedTexts.length = 0
    this.stagedOthers.length = 0
    this.blobs.clear()
  }

  discard(): void {
    for (const text of this.stagedTexts) this.texts.delete(text)
    for (const content of this.stagedOthers) this.others.delete(content)
    this.count = this.committed
    this.stagedTexts.length = 0
    this.stagedOthers.length = 0
    this.blobs.clear()
  }

  /** Returns the content of a value. It begins with `#` if the value counts, with its number, or if it is an array with values that count. */
  private content(value: unknown, refs: boolean): string {
    this.json = value
    if (typeof value === 'string') {
      const { length } = value
      if (length >= LEAST) return this.counted(value, this.texts, this.stagedTexts, value, refs)
      this.size = length
      return `${length}"${value}`
    }
    if (typeof value !== 'object' || value === null) {
      const content = isJsonLeaf(value) ? String(value) : 'null'
      this.size = content.length
      return content
    }
    const { toJSON } = value as { toJSON?: unknown }
    if (typeof toJSON === 'function') return this.content(toJSON.call(value), refs)
    return Array.isArray(value) ? this.array(value, refs) : this.object(value as Record<string, unknown>, refs)
  }

  private array(items: readonly unknown[], refs: boolean): string {
    let copy: unknown[] | undefined
    let content = '['
    let size = 0
    let isCounted = false
    for (let i = 0; i < items.length; i++) {
      const inner = this.content(items[i], refs)
      if (this.json !== items[i]) (copy ??= [...items])[i] = this.json
      if (inner[0] === '#') isCounted = true
      content += `${inner},`
      size += this.size + 1
    }
    this.json = copy ?? items
    this.size = size
    return isCounted ? `#${content}` : content
  }

  private object(value: Record<string, unknown>, refs: boolean): string {
    let copy: Record<string, unknown> | undefined
    let content = '{'
    let size = 0
    let isCounted = false
    const keys = Object.keys(value)
    const isSorted = inOrder(keys)
    if (!isSorted) keys.sort()
    for (const key of keys) {
      const item = value[key]
      // JSON leaves them out.
      if (item === undefined) continue
      const inner = this.content(item, refs)
      if (this.json !== item) (copy ??= { ...value })[key] = this.json
      if (inner[0] === '#') isCounted = true
      content += `${key.length}:${key}${inner},`
      size += this.size + key.length + 1
    }
    this.json = copy ?? value
    if (Object.hasOwn(value, REF)) this.json = { [REF]: this.json }
    this.size = size
    if (!isCounted && size < LEAST) return content
    if (!isSorted) content += `|${Object.keys(value).join()}`
    return this.counted(content, this.others, this.stagedOthers, this.json, refs)
  }

  /** Contains the JSON of the string, so that it is valid Unicode. */
  private blob(text: string): object {
    const content = JSON.stringify(text)
    const hash = sha256(content)
    this.blobs.set(hash, content)
    return { [REF]: { sha256: hash } }
  }

  private counted(content: string, known: Map<string, number>, staged: string[], json: unknown, refs: boolean): string {
    const found = known.get(content) ?? (known === this.others ? this.earlier.get(content) : undefined)
    if (found !== undefined && refs) {
      this.hasRefs = true
      this.json = { [REF]: found }
      return `#${found}`
    }
    this.json = this.hasBlobs && typeof json === 'string' && json.length > MOST ? this.blob(json) : json
    const number = this.count++
    if (found !== undefined) return `#${found}`
    known.set(content, number)
    staged.push(content)
    return `#${number}`
  }
}

/** Reads the entries of a journal, without blobs. */
export class OnceReader {
  private values: unknown[] | undefined
  private json: unknown

  /** Returns the entry with all its values. @throws {RangeError} if they do not exist. */
  read(entry: unknown): unknown {
    if (!isPlainObject(entry)) return entry
    const { once, ...rest } = entry
    if (once === 0) this.values = []
    const { values } = this
    if (!values) return entry
    const read: Record<string, unknown> = { ...rest }
    for (const key of sortedKeys(rest)) {
      this.size(rest[key], values)
      read[key] = this.json
    }
    if (once !== undefined && once !== 0 && once !== values.length)
      throw new RangeError(`once: expected ${values.length}, the number of values so far, received ${String(once)}`)
    return read
  }

  /** Returns the size of a value as the writer computes it; -1 if it counts. The value is in `this.json`. */
  private size(value: unknown, values: unknown[]): number {
    this.json = value
    if (typeof value === 'string') {
      const { length } = value
      if (length < LEAST) return length
      values.push(value)
      return -1
    }
    if (typeof value !== 'object' || value === null) return isJsonLeaf(value) ? String(value).length : 4
    if (isRef(value)) {
      const number = value[REF]
      if (!Object.hasOwn(values, number))
        throw new RangeError(`expected the number of an earlier value, received ${number}`)
      this.json = values[number]
      return -1
    }
    const isEscaped = Object.hasOwn(value, REF) && !Array.isArray(value)
    if (isBlobRef(value)) throw new RangeError('expected the text of a blob; read the journal with journalEntries')
    const source = (isEscaped ? (value as { [REF]: object })[REF] : value) as Record<string, unknown>
    if (!isPlainObject(source) && !Array.isArray(source)) throw new RangeError(`expected an object as ${REF}`)
    return this.items(source, values)
  }

  private items(source: Record<string, unknown> | unknown[], values: unknown[]): number {
    const isArray = Array.isArray(source)
    let copy: Record<string, unknown> | undefined
    let size = 0
    let isCounted = false
    for (const key of isArray ? Object.keys(source) : sortedKeys(source)) {
      const item = (source as Record<string, unknown>)[key]
      const inner = this.size(item, values)
      if (this.json !== item) {
        copy ??= (isArray ? [...source] : { ...source }) as Record<string, unknown>
        copy[key] = this.json
      }
      if (inner < 0) isCounted = true
      size += inner + 1 + (isArray ? 0 : key.length)
    }
    this.json = copy ?? source
    if (isArray && isCounted) return -1
    if (isArray || (!isCounted && size < LEAST)) return size
    values.push(this.json)
    return -1
  }
}

/**
 * Returns the entries of a journal with all their values: a journal contains each value once, and refers to it as `{ "$n": 12 }` where it
 * occurs again. For programs that read the entries of a store themselves; the result can be loaded like the journal.
 * @throws {SavedTaskError} naming the entry with a reference to a value that does not exist.
 * @example
 * const entries = [
 *   { type: 'task', n: 0, once: 0, task: { task_id: 't', input: 'What is the capital of the French Republic?' } },
 *   { type: 'result', n: 1, once: 3, step: 1, name: 'step-1/tool-0', value: { content: { $n: 0 } } },
 * ]
 * expandJournal(entries)[1] // => { type: 'result', n: 1, step: 1, name: 'step-1/tool-0', value: { content: 'What is the capital of the French Republic?' } }
 */
export function expandJournal(entries: readonly unknown[]): unknown[] {
  const reader = new OnceReader()
  return entries.map((entry, n) => {
    try {
      return reader.read(entry)
    } catch (error) {
      throw new SavedTaskError(`Entry ${n}: ${errorMessage(error)}`, { cause: error })
    }
  })
}

function isJsonLeaf(value: unknown): boolean {
  return typeof value === 'boolean' || typeof value === 'bigint' || Number.isFinite(value)
}

function isRef(value: object): value is { [REF]: number } {
  return typeof (value as { [REF]?: unknown })[REF] === 'number' && Object.hasOwn(value, REF)
}

function isBlobRef(value: object): value is { [REF]: { sha256: string } } {
  const inner = (value as { [REF]?: unknown })[REF]
  return isPlainObject(inner) && !Object.hasOwn(inner, REF) && typeof inner['sha256'] === 'string'
}

/** The hashes of the blobs to which the entries of a journal refer. */
export function blobHashes(entries: readonly unknown[]): string[] {
  const found = new Set<string>()
  withBlobs(entries, (hash) => {
    found.add(hash)
    return ''
  })
  return [...found]
}

/** Returns the entries of a journal with the texts of its blobs. @param textOf - returns the text of a blob. */
export function withBlobs(entries: readonly unknown[], textOf: (hash: string) => string): unknown[] {
  // Entries without references may have the form of one.
  let isWritten = false
  return entries.map((entry) => {
    if (!isPlainObject(entry)) return entry
    isWritten ||= entry['once'] === 0
    return isWritten ? changedItems(entry, textOf) : entry
  })
}

function withTexts(value: unknown, textOf: (hash: string) => string): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (isBlobRef(value)) return textOf(value[REF].sha256)
  const inner = (value as { [REF]?: unknown })[REF]
  if (!Array.isArray(value) && isPlainObject(inner)) return { [REF]: changedItems(inner, textOf) }
  return changedItems(value as Record<string, unknown>, textOf)
}

function changedItems<T extends Record<string, unknown> | unknown[]>(value: T, textOf: (hash: string) => string): T {
  let copy: T | undefined
  for (const key of Object.keys(value) as (keyof T)[]) {
    const changed = withTexts(value[key], textOf)
    if (changed === value[key]) continue
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as T
    copy[key] = changed as never
  }
  return copy ?? value
}

function sortedKeys(value: object): string[] {
  const keys = Object.keys(value)
  return inOrder(keys) ? keys : keys.sort()
}

function inOrder(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) if (keys[i - 1]! > keys[i]!) return false
  return true
}
