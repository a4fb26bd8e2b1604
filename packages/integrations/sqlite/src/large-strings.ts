/**
 * @module
 * The large strings of tasks and of their events, each stored once for all of them.
 */
import { isPlainObject, maxLevels } from '@x/core/values'
import { readJsonText, SerializationError, writeJsonText } from '@x/core-model'
import { newId, sha256 } from '@x/core-model/data'
import { type RecordPlace, readingRecord } from '@x/storage'
import type { SqliteDatabase } from './sqlite-database.ts'

/** Longer strings are stored once. */
const LEAST = 65_536
/** The longest string that is stored, in characters of its JSON: a longer one would stop the process for seconds. */
const MOST = 32_000_000

/** The length of an id. */
const ID_LENGTH = 36

type Uses = 'task_blob_uses' | 'event_blob_uses'

/** Large strings by their hash, as JSON. The journals of tasks use some, and the events of tasks, in a table each. */
export class LargeStrings {
  private readonly database: SqliteDatabase
  private readonly uses: Uses

  constructor(database: SqliteDatabase, uses: Uses) {
    this.database = database
    this.uses = uses
  }

  /** Stores strings for a task. @throws {SerializationError} if one is too long. */
  put(taskId: string, strings: ReadonlyMap<string, string>): void {
    for (const [hash, content] of strings) {
      if (content.length > MOST) throw tooLong(content)
      this.database.run('insert or ignore into task_blobs (hash, content) values (?, ?)', hash, content)
      this.database.run(`insert or ignore into ${this.uses} (task, hash) values (?, ?)`, taskId, hash)
    }
  }

  /** Returns the strings of a task that exist. */
  get(taskId: string, hashes: readonly string[]): Map<string, string> {
    const sql = `select content from task_blobs natural join ${this.uses} where task = ? and hash = ?`
    const found = new Map<string, string>()
    for (const hash of hashes) {
      const row = this.database.get(sql, taskId, hash)
      if (row) found.set(hash, String(row['content']))
    }
    return found
  }

  /** Deletes the strings of a task that nothing else uses. */
  delete(taskId: string): void {
    const hashes = this.database.all(`select hash from ${this.uses} where task = ?`, taskId)
    this.database.run(`delete from ${this.uses} where task = ?`, taskId)
    for (const { hash } of hashes) this.database.run(UNUSED, hash!)
  }
}

const UNUSED = `delete from task_blobs where hash = ? and not exists (select 1 from task_blob_uses u where u.hash = task_blobs.hash)
  and not exists (select 1 from event_blob_uses u where u.hash = task_blobs.hash)`

function tooLong({ length }: string): SerializationError {
  const millions = Math.ceil(length / 1e6)
  const reason = `a string has ${millions} million characters as JSON, at most ${MOST / 1e6} million are stored`
  return new SerializationError('SqliteTaskStore', `${reason}: store it elsewhere, and return where it is`)
}

/**
 * Returns data as JSON in which each large string is a reference. Such a text begins with an id, as no JSON of an object does; a reference
 * is a string of this id and the hash of the string.
 * @throws {SerializationError} naming a value that has no JSON form.
 */
export function withoutLarge(data: object): { text: string; strings: ReadonlyMap<string, string> } {
  let id = ''
  const strings = new Map<string, string>()
  // The output of a tool is in a record several times.
  const references = new Map<string, string>()
  const referenceTo = (value: string) => {
    const content = JSON.stringify(value)
    const hash = sha256(content)
    strings.set(hash, content)
    id ||= newId()
    return id + hash
  }
  const replaced = (value: unknown, level: number): unknown => {
    if (typeof value === 'string') {
      if (value.length <= LEAST) return value
      const reference = references.get(value) ?? referenceTo(value)
      references.set(value, reference)
      return reference
    }
    if (!Array.isArray(value) && !isPlainObject(value)) return value
    if (level > maxLevels) throw new SerializationError('SqliteTaskStore', 'data are circular, or nested too deeply')
    return copied(value, (item) => replaced(item, level + 1))
  }
  const text = writeJsonText(replaced(data, 0))
  return { text: id + text, strings }
}

/** Returns an array or an object with the results for its items: itself, if they are the same. */
function copied<T extends object>(value: T, change: (item: unknown) => unknown): T {
  let copy: T | undefined
  for (const [key, item] of Object.entries(value)) {
    const changed = change(item)
    if (changed !== item)
      (copy ??= (Array.isArray(value) ? [...value] : { ...value }) as T)[key as keyof T] = changed as never
  }
  return copy ?? value
}

/**
 * Returns the data of {@link withoutLarge}.
 * @param get - returns strings by their hash.
 * @throws {StoreReadError} with the place, if the text or one of its strings is damaged.
 */
export function withLarge(
  text: string,
  get: (hashes: readonly string[]) => ReadonlyMap<string, string>,
  place: RecordPlace,
): unknown {
  if (text.startsWith('{')) return readingRecord(place, () => readJsonText(text))
  const id = text.slice(0, ID_LENGTH)
  const reference = new RegExp(`"${id}([0-9a-f]{64})"`, 'g')
  const hashes = new Set(Array.from(text.matchAll(reference), ([, hash]) => hash!))
  const strings = get([...hashes])
  const stringOf = (_: string, hash: string) => {
    const content = strings.get(hash)
    if (content === undefined) throw new RangeError(`the string ${hash} is missing`)
    return content
  }
  return readingRecord(place, () => readJsonText(text.slice(id.length).replace(reference, stringOf)))
}
