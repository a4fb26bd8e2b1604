/**
 * @module
 * The lists of chats in a database: the conversations with an owner.
 */
import type { ChatList, ChatListOptions, ListedChat } from '@x/core-model'
import { sha256 } from '@x/core-model/data'
import type { PostgresDatabase } from './postgres-database.ts'
import { storedKey, storedText, textOfStored } from './stored-key.ts'

/** The lists of a `PostgresChatStore`. */
export class PostgresChats implements ChatList {
  private readonly database: PostgresDatabase

  constructor(database: PostgresDatabase) {
    this.database = database
  }

  /** Adds a conversation to the list of an owner, or sets its time. */
  async put(key: string, owner: string, { id, title, at }: ListedChat): Promise<boolean> {
    const { conversations } = this.database.tables
    // The row before the statement says whether the chat is new.
    const sql = `with known as (select from ${conversations} where key = $1 and owner = $2)
      insert into ${conversations} as c (key, next, owner, id, title, at) values ($1, 0, $2, $3, $4, greatest($5::bigint,
        (select max(at) + 1 from ${conversations} where owner = $2 and key <> $1)))
      on conflict (key) do update set owner = excluded.owner, id = excluded.id, at = excluded.at,
        title = case when c.owner = excluded.owner then c.title else excluded.title end
      returning not exists (select from known) as is_new`
    const values = [storedKey(key), stored(owner), storedText(id), storedText(title), at]
    return (await this.database.query(sql, values)).rows[0].is_new
  }

  /** Returns the chats of an owner, the latest one first. */
  async list(
    owner: string,
    { limit = 100, before = Number.MAX_SAFE_INTEGER }: ChatListOptions = {},
  ): Promise<ListedChat[]> {
    const sql = `select id, title, at from ${this.database.tables.conversations}
      where owner = $1 and at < $2 order by at desc limit $3`
    const { rows } = await this.database.query(sql, [stored(owner), before, limit])
    return rows.map(({ id, title, at }) => ({ id: textOfStored(id), title: textOfStored(title), at: Number(at) }))
  }

  /** Replaces the title of a chat. */
  async setTitle(key: string, owner: string, title: string): Promise<void> {
    const sql = `update ${this.database.tables.conversations} set title = $3 where key = $1 and owner = $2`
    await this.database.query(sql, [storedKey(key), stored(owner), storedText(title)])
  }

  /** Deletes a chat with its messages. */
  async delete(key: string): Promise<void> {
    await this.database.query(`delete from ${this.database.tables.conversations} where key = $1`, [storedKey(key)])
  }
}

/** Returns an owner of any length as it is stored. */
function stored(owner: string): string {
  return sha256(JSON.stringify(owner))
}
