/**
 * @module
 * The tasks of agents in a database.
 */
import { checkOptions, type OptionCheck, text } from '@x/core/options'
import {
  readJsonText,
  type TaskBlobs,
  type TaskFilter,
  type TaskStore,
  type TaskSummary,
  taskFacts,
  writeJsonText,
} from '@x/core-model'
import { newId } from '@x/core-model/data'
import { checkEntryCount, readingRecord } from '@x/storage'
import { opened } from './opened.ts'
import type { PostgresDatabase } from './postgres-database.ts'
import { storedKey, textOfStored } from './stored-key.ts'

/** The options of `claim`. */
interface ClaimOptions {
  /**
   * How long other stores cannot add entries, in milliseconds. Each entry that this store appends extends the lease. @defaultValue 60000
   */
  leaseMs?: number | undefined
  /** The task to take, which this store may already have taken. @defaultValue the unfinished task that has waited longest */
  taskId?: string | undefined
}

/** The options of `release`. */
interface ReleaseOptions {
  /** How long `claim` skips the task, in milliseconds, unless an entry is added to it. @defaultValue 0 */
  pauseMs?: number | undefined
}

/**
 * Stores the journals of agents' tasks in a database: the `taskStore` of a runner of `@x/agents`. An entry is saved when the promise of
 * `append` resolves; adding one writes this entry only. When several processes continue one task, one of them succeeds; the others throw
 * `task_claimed`.
 *
 * Workers that share the tasks of a database `claim` them. While a lease lasts, no other store adds entries to the task; when its
 * worker dies, it ends by itself. Its time is that of the server.
 * @example
 * import pg from 'pg'
 * const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] })
 * const store = new PostgresTaskStore(await openDatabase(pool, { schema: 'tasks' }))
 * await store.append('t1', [{ type: 'task', n: 0, task: { conversation_id: 'ann' } }], 0) // => true
 * await store.append('t1', [{ type: 'finalized', n: 1 }], 7) // => false
 * await store.list({ unfinished: true })
 * // => [{ taskId: 't1', conversationId: 'ann', isFinished: false, revision: 1 }]
 * await pool.end()
 */
export class PostgresTaskStore implements TaskStore {
  /** Strings above 64 kB, each once for all tasks. */
  readonly blobs: TaskBlobs
  private readonly database: PostgresDatabase
  /** The name of this store in its claims. */
  private readonly owner = newId()
  /** The time of the last claim, for the entries that extend it. */
  private readonly leases = new Map<string, number>()

  constructor(database: PostgresDatabase) {
    this.database = opened('PostgresTaskStore', database)
    this.blobs = taskBlobs(database)
  }

  /**
   * Adds entries to the journal of a task, all or none, if exactly `revision` entries are stored; 0 if the journal does not exist yet.
   * @returns false if the number is different, or another store has the lease of the task; nothing is stored then.
   * @throws {SerializationError} when an entry contains a value that has no JSON form.
   */
  async append(taskId: string, entries: readonly object[], revision: number): Promise<boolean> {
    const texts = entries.map((entry) => writeJsonText(entry))
    const { tasks, taskEntries } = this.database.tables
    const { conversationId = null, isFinished = null, isActive = null } = taskFacts(entries)
    const conversation = conversationId === null ? null : storedKey(conversationId)
    const change = `revision = t.revision + $2, conversation = coalesce($3, t.conversation), is_finished = coalesce($4, t.is_finished),
      is_active = coalesce($9, t.is_active),
      owner = case when t.owner = $6 then t.owner end,
      leased_until = case when t.owner = $6 then clock_timestamp() + $7 * interval '1 ms' end`
    const condition = `t.revision = $8 and (t.owner is null or t.owner = $6 or t.leased_until <= clock_timestamp())`
    const task =
      revision === 0
        ? `insert into ${tasks} as t (id, revision, conversation, is_finished, is_active)
           values ($1, $2, $3, coalesce($4, false), coalesce($9, false))
           on conflict (id) do update set ${change} where ${condition} returning seq`
        : `update ${tasks} t set ${change} where id = $1 and ${condition} returning seq`
    const sql = `with task as (${task}), added as (
        insert into ${taskEntries} (task, position, entry)
        select seq, $8::int + at - 1, entry from task, unnest($5::text[]) with ordinality as e (entry, at)
      ) select seq from task`
    const lease = this.leases.get(taskId) ?? 0
    if (isFinished) this.leases.delete(taskId)
    const values = [
      storedKey(taskId),
      texts.length,
      conversation,
      isFinished,
      texts,
      this.owner,
      lease,
      revision,
      isActive,
    ]
    return (await this.database.query(sql, values)).rows.length > 0
  }

  /** Returns all entries in order; null if the journal does not exist. @throws {StoreReadError} if one is damaged. */
  async load(taskId: string): Promise<readonly unknown[] | null> {
    const { tasks, taskEntries } = this.database.tables
    const sql = `select array(select entry from ${taskEntries} where task = t.seq order by position) as entries, revision
      from ${tasks} t where id = $1`
    const [task] = (await this.database.query(sql, [storedKey(taskId)])).rows
    if (!task) return null
    const place = { path: taskEntries, taskId }
    checkEntryCount(place, Number(task.revision), task.entries.length)
    return task.entries.map((text: string) => readingRecord(place, () => readJsonText(text)))
  }

  /** Returns the tasks, in order of creation. */
  async list({ unfinished = false, conversationId, active = false }: TaskFilter = {}): Promise<TaskSummary[]> {
    const conditions = [
      ...(active ? ['is_active and not is_finished'] : []),
      ...(unfinished ? ['not is_finished'] : []),
      ...(conversationId === undefined ? [] : ['conversation = $1']),
    ]
    const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
    const sql = `select ${SUMMARY} from ${this.database.tables.tasks} ${where} order by seq`
    const values = conversationId === undefined ? [] : [storedKey(conversationId)]
    return (await this.database.query(sql, values)).rows.map(summaryOf)
  }

  /** Deletes the journal of a task, if it exists, and the strings that no other task has. */
  async delete(taskId: string): Promise<void> {
    this.leases.delete(taskId)
    await this.database.within(async (inside) => {
      await inside.query(`delete from ${inside.tables.tasks} where id = $1`, [storedKey(taskId)])
      await deleteBlobs(inside, taskId)
    })
  }

  /**
   * Takes the lease of an unfinished task that no other store has: for a time, or until it is released, no other store adds entries to it
   * or takes it.
   * @returns null if no task can be taken.
   * @throws {ModelValidationError} if `leaseMs` is not a number above 0.
   */
  async claim(options: ClaimOptions = {}): Promise<TaskSummary | null> {
    checkOptions('PostgresTaskStore.claim', options, { leaseMs: time, taskId: text })
    const { leaseMs = 60_000, taskId } = options
    const { tasks } = this.database.tables
    const free = 'leased_until is null or leased_until <= clock_timestamp()'
    const condition = taskId === undefined ? `(${free})` : `id = $3 and (owner is null or owner = $1 or ${free})`
    const sql = `update ${tasks} set owner = $1, leased_until = clock_timestamp() + $2 * interval '1 ms' where seq = (
        select seq from ${tasks} where not is_finished and ${condition}
        order by leased_until nulls first, seq limit 1 for update skip locked
      ) returning ${SUMMARY}`
    const values = [this.owner, leaseMs, ...(taskId === undefined ? [] : [storedKey(taskId)])]
    const [task] = (await this.database.query(sql, values)).rows.map(summaryOf)
    if (task) this.leases.set(task.taskId, leaseMs)
    return task ?? null
  }

  /**
   * Ends the lease of this store, if it has one. With `pauseMs`, a task that waits for something, such as an approval, is not taken again
   * immediately.
   * @throws {ModelValidationError} if `pauseMs` is not a number of at least 0.
   */
  async release(taskId: string, options: ReleaseOptions = {}): Promise<void> {
    checkOptions('PostgresTaskStore.release', options, { pauseMs: (value) => (value === 0 ? undefined : time(value)) })
    const { pauseMs = 0 } = options
    const sql = `update ${this.database.tables.tasks} set owner = null, leased_until = clock_timestamp() + $3 * interval '1 ms'
      where id = $1 and owner = $2`
    await this.database.query(sql, [storedKey(taskId), this.owner, pauseMs])
    this.leases.delete(taskId)
  }
}

const SUMMARY = 'id, conversation, is_finished, revision'

/** Accepts a time that the server can add. */
const time: OptionCheck = (value) =>
  typeof value === 'number' && value > 0 && value <= Number.MAX_SAFE_INTEGER
    ? undefined
    : 'a number of milliseconds above 0'

function summaryOf(row: {
  id: string
  conversation: string | null
  is_finished: boolean
  revision: number
}): TaskSummary {
  return {
    taskId: textOfStored(row.id),
    conversationId: row.conversation === null ? null : textOfStored(row.conversation),
    isFinished: row.is_finished,
    revision: Number(row.revision),
  }
}

/** Returns the large strings of tasks, each once for all tasks. */
function taskBlobs(database: PostgresDatabase): TaskBlobs {
  const { taskBlobs, taskBlobUses } = database.tables
  return {
    async put(taskId, blobs) {
      const hashes = [...blobs.keys()].sort()
      const contents = hashes.map((hash) => blobs.get(hash))
      await database.within(async (inside) => {
        // A known blob is locked, so that it is not deleted before its use is written.
        const sql = `insert into ${taskBlobs} as b (hash, content) select * from unnest($1::text[], $2::text[])
          on conflict (hash) do update set hash = b.hash`
        await inside.query(sql, [hashes, contents])
        const uses = `insert into ${taskBlobUses} (task, hash) select $1, unnest($2::text[]) on conflict do nothing`
        await inside.query(uses, [storedKey(taskId), hashes])
      })
    },
    async get(taskId, hashes) {
      const sql = `select hash, content from ${taskBlobs} natural join ${taskBlobUses} where task = $1 and hash = any($2)`
      const { rows } = await database.query(sql, [storedKey(taskId), hashes])
      return new Map(rows.map(({ hash, content }) => [hash, content]))
    },
  }
}

/** Deletes the uses of a deleted task, and the strings that no other task has. @param inside - a transaction. */
async function deleteBlobs(inside: PostgresDatabase, taskId: string): Promise<void> {
  const { taskBlobs, taskBlobUses } = inside.tables
  // Statements that put or delete the same strings end first; the next statements see what they did.
  const lock = `select hash from ${taskBlobs} b where hash in (select hash from ${taskBlobUses} where task = $1) order by hash for update`
  const { rows } = await inside.query(lock, [storedKey(taskId)])
  if (rows.length === 0) return
  const hashes = rows.map(({ hash }) => hash)
  await inside.query(`delete from ${taskBlobUses} where task = $1 and hash = any($2)`, [storedKey(taskId), hashes])
  const isUsed = `select from ${taskBlobUses} u where u.hash = b.hash`
  await inside.query(`delete from ${taskBlobs} b where hash = any($1) and not exists (${isUsed})`, [hashes])
}
