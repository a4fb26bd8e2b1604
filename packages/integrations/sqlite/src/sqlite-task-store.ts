/**
 * @module
 * The tasks of agents in a database.
 */
import { checkGiven, text as string } from '@x/core/options'
import { type TaskBlobs, type TaskFilter, type TaskStore, type TaskSummary, taskFacts } from '@x/core-model'
import { checkEntryCount } from '@x/storage'
import { LargeStrings, withLarge, withoutLarge } from './large-strings.ts'
import { opened } from './opened.ts'
import type { SqliteDatabase } from './sqlite-database.ts'
import type { SqlRow } from './sqlite-driver.ts'

/**
 * Stores the journals of agents' tasks in a database: the `taskStore` of a runner of `@x/agents`. An entry is saved when `append` returns;
 * adding one writes this entry only. Several processes may share a database: only one of them can continue a task.
 * @example
 * const store = new SqliteTaskStore(await openDatabase(':memory:'))
 * store.append('t1', [{ type: 'task', n: 0, task: { conversation_id: 'ann' } }], 0) // => true
 * store.append('t1', [{ type: 'finalized', n: 1 }], 7) // => false
 * store.list({ unfinished: true })
 * // => [{ taskId: 't1', conversationId: 'ann', isFinished: false, revision: 1 }]
 */
export class SqliteTaskStore implements TaskStore {
  /** Strings above 64 kB, each once for all tasks. */
  readonly blobs: TaskBlobs = {
    put: (taskId, blobs) => this.database.patient(() => this.strings.put(taskId, blobs)),
    get: (taskId, hashes) => this.strings.get(taskId, hashes),
  }
  private readonly database: SqliteDatabase
  private readonly strings: LargeStrings

  constructor(database: SqliteDatabase) {
    this.database = opened('SqliteTaskStore', database)
    this.strings = new LargeStrings(database, 'task_blob_uses')
  }

  /**
   * Adds entries to the journal of a task, all or none, if exactly `revision` entries are stored; 0 if the journal does not exist yet.
   * @returns false if the number is different; nothing is stored then. While another connection is writing, a promise.
   * @throws {SerializationError} when an entry contains a value that has no JSON form, or a string with more than 32 million characters.
   */
  append(taskId: string, entries: readonly object[], revision: number): boolean | Promise<boolean> {
    checkGiven('append', { taskId }, string)
    const { conversationId = null, isFinished, isActive } = taskFacts(entries)
    const texts = entries.map(withoutLarge)
    const flag = (value: boolean | undefined) => (value === undefined ? null : Number(value))
    const facts = [revision + texts.length, conversationId, flag(isFinished), flag(isActive), taskId]
    const values = revision === 0 ? facts : [...facts, revision]
    return this.database.patient(() => {
      const row = this.database.get(revision === 0 ? NEW_TASK : KNOWN_TASK, ...values)
      if (!row) return false
      for (const [i, { text, strings }] of texts.entries()) {
        this.strings.put(taskId, strings)
        this.database.run(NEW_ENTRY, row['seq']!, revision + i, text)
      }
      return true
    })
  }

  /** Returns all entries in order; null if the journal does not exist. @throws {StoreReadError} if one is damaged. */
  load(taskId: string): readonly unknown[] | null {
    const rows = this.database.all(ENTRIES, taskId)
    if (rows.length === 0) return null
    const place = { path: this.database.path, taskId }
    const get = (hashes: readonly string[]) => this.strings.get(taskId, hashes)
    const entries = rows.filter(({ entry }) => entry !== null)
    checkEntryCount(place, Number(rows[0]!['revision']), entries.length)
    return entries.map(({ entry }) => withLarge(String(entry), get, place))
  }

  /** Returns the tasks, in order of creation. */
  list({ unfinished = false, conversationId, active = false }: TaskFilter = {}): TaskSummary[] {
    const conditions = [
      ...(active ? ['is_active = 1 and is_finished = 0'] : []),
      ...(unfinished ? ['is_finished = 0'] : []),
      ...(conversationId === undefined ? [] : ['conversation = ?']),
    ]
    const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
    const values = conversationId === undefined ? [] : [conversationId]
    return this.database.all(`select * from tasks ${where} order by seq`, ...values).map(summaryOf)
  }

  /** Deletes the journal of a task, if it exists, and the strings that no other task has. */
  delete(taskId: string): void | Promise<void> {
    return this.database.patient(() => {
      this.database.run('delete from tasks where id = ?', taskId)
      this.strings.delete(taskId)
    })
  }
}

/** The first entries of a task; no row if it exists. */
const NEW_TASK = `insert into tasks (revision, conversation, is_finished, is_active, id)
  values (?, ?, coalesce(?, 0), coalesce(?, 0), ?) on conflict do nothing returning seq`
/** More entries of a task; no row if it has a different revision. */
const KNOWN_TASK = `update tasks set revision = ?, conversation = coalesce(?, conversation),
  is_finished = coalesce(?, is_finished), is_active = coalesce(?, is_active) where id = ? and revision = ? returning seq`
/** One statement, so that the number of entries is of the same moment. */
const ENTRIES = `select revision, entry from tasks left join task_entries on task = seq where id = ? order by position`
const NEW_ENTRY = 'insert into task_entries (task, position, entry) values (?, ?, ?)'

function summaryOf(row: SqlRow): TaskSummary {
  return {
    taskId: String(row['id']),
    conversationId: row['conversation'] as string | null,
    isFinished: Number(row['is_finished']) === 1,
    revision: Number(row['revision']),
  }
}
