/**
 * @module
 * The lists of chats in a database: the conversations with an owner.
 */
import type { ChatList, ChatListOptions, ListedChat } from '@x/core-model'
import type { SqliteDatabase } from './sqlite-database.ts'

/** The lists of a {@link SqliteChatStore}. */
export class SqliteChats implements ChatList {
  private readonly database: SqliteDatabase

  constructor(database: SqliteDatabase) {
    this.database = database
  }

  /** Adds a conversation to the list of an owner, or sets its time. */
  put(key: string, owner: string, { id, title, at }: ListedChat): boolean | Promise<boolean> {
    return this.database.patient(() => {
      const others = 'select coalesce(max(at), -1) + 1 next from conversations where owner = ? and key <> ?'
      const time = Math.max(at, Number(this.database.get(others, owner, key)!['next']))
      const known = 'update conversations set at = ? where key = ? and owner = ?'
      if (this.database.run(known, time, key, owner) > 0) return false
      const sql = `insert into conversations (key, owner, id, title, at) values (?, ?, ?, ?, ?)
        on conflict (key) do update set owner = excluded.owner, id = excluded.id, title = excluded.title, at = excluded.at`
      this.database.run(sql, key, owner, id, title, time)
      return true
    })
  }

  /** Returns the chats of an owner, the latest one first. */
  list(owner: string, { limit = 100, before = Number.MAX_SAFE_INTEGER }: ChatListOptions = {}): ListedChat[] {
    const sql = 'select id, title, at from conversations where owner = ? and at < ? order by at desc limit ?'
    const rows = this.database.all(sql, owner, before, limit)
    return rows.map(({ id, title, at }) => ({ id: String(id), title: String(title), at: Number(at) }))
  }

  /** Replaces the title of a chat. */
  setTitle(key: string, owner: string, title: string): void | Promise<void> {
    return this.change('update conversations set title = ? where key = ? and owner = ?', title, key, owner)
  }

  /** Deletes a chat with its messages. */
  delete(key: string): void | Promise<void> {
    return this.change('delete from conversations where key = ?', key)
  }

  private change(sql: string, ...values: string[]): void | Promise<void> {
    return this.database.patient(() => void this.database.run(sql, ...values))
  }
}
