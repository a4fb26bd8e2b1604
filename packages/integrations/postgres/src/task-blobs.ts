/**
 * @module
 * Large strings of tasks in a database, by their hash.
 */
import type { TaskBlobs } from '@x/core-model'
import type { PostgresDatabase } from './postgres-database.ts'
import { storedKey } from './stored-key.ts'

/** Returns the large strings of tasks, each once for all tasks. */
export function taskBlobs(database: PostgresDatabase): TaskBlobs {
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
export async function deleteBlobs(inside: PostgresDatabase, taskId: string): Promise<void> {
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
