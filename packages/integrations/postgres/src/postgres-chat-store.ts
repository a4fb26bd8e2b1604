/**
 * @module
 * Conversations in a database.
 */
import {
  type ChatList,
  type ChatListOptions,
  type ChatMessage,
  type ChatStore,
  checkChatArguments,
  type ListedChat,
  type TurnStore,
} from '@x/core-model'
import { sha256 } from '@x/core-model/data'
import { readableRecords } from '@x/storage'
import { opened } from './opened.ts'
import type { PostgresDatabase } from './postgres-database.ts'
import { messageOf, messagesOf, PostgresTurns, textOf } from './postgres-turns.ts'
import { storedKey, storedText, textOfStored } from './stored-key.ts'

/**
 * A chat store in a database: lists of messages by key. A message is saved when the promise of its operation resolves; adding one writes
 * this message only. Operations on one key run one after the other, across processes.
 * @example
 * import pg from 'pg'
 * const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] })
 * const store = new PostgresChatStore(await openDatabase(pool))
 * await store.addMessage('bob', new ChatMessage({ content: 'Hello' }))
 * const messages = await store.getMessages('bob')
 * messages.map(String) // => ['user: Hello']
 * await pool.end()
 */
export class PostgresChatStore implements ChatStore {
  /** The turns of the conversations. A turn that runs is written without reading the conversation. */
  readonly turns: TurnStore
  /** The lists of the chats of users. */
  readonly chats: ChatList
  private readonly database: PostgresDatabase

  constructor(database: PostgresDatabase) {
    this.database = opened('PostgresChatStore', database)
    this.chats = new PostgresChats(this.database)
    this.turns = new PostgresTurns(this.database)
  }

  /** Replaces the messages of a key. @throws {SerializationError} when a message contains a value that has no JSON form. */
  async setMessages(key: string, messages: readonly ChatMessage[]): Promise<void> {
    checkChatArguments('setMessages', { key, messages })
    const texts = messages.map(textOf)
    const { conversations, turns, messages: table } = this.database.tables
    await this.database.transaction(async (inside) => {
      const lock = `insert into ${conversations} as c (key, next) values ($1, $2)
        on conflict (key) do update set next = c.next + excluded.next returning seq, next - $2 as first`
      const [conversation] = (await inside.query(lock, [storedKey(key), texts.length])).rows
      const { seq, first } = conversation
      await inside.query(`delete from ${table} where conversation = $1`, [seq])
      await inside.query(`delete from ${turns} where conversation = $1`, [seq])
      const sql = `insert into ${table} (conversation, position, message)
        select $1, $2::bigint + at - 1, message from unnest($3::text[]) with ordinality as t (message, at)`
      await inside.query(sql, [seq, first, texts])
    })
  }

  /** Returns the messages of a key; an empty array when the key is unknown. @throws {StoreReadError} if one is damaged. */
  async getMessages(key: string): Promise<ChatMessage[]> {
    const { conversations, messages } = this.database.tables
    const sql = `select m.message from ${messages} m join ${conversations} c on c.seq = m.conversation
      where c.key = $1 order by m.position`
    return messagesOf((await this.database.query(sql, [storedKey(key)])).rows, { inside: this.database, key })
  }

  /** Returns the last `count` messages of a key. */
  async getLast(key: string, count: number): Promise<ChatMessage[]> {
    checkChatArguments('getLast', { key, count })
    const { conversations, messages } = this.database.tables
    const sql = `select message from ${messages} where conversation = (select seq from ${conversations} where key = $1)
      order by position desc limit (select $2::bigint)`
    const { rows } = await this.database.query(sql, [storedKey(key), count])
    return messagesOf(rows, { inside: this.database, key }).reverse()
  }

  /**
   * Adds a message at the end, or before the message at `index`.
   * @throws {SerializationError} when the message contains a value that has no JSON form.
   */
  async addMessage(key: string, message: ChatMessage, index?: number): Promise<void> {
    checkChatArguments('addMessage', { key, message })
    const { conversations, messages } = this.database.tables
    const values = [storedKey(key), textOf(message)]
    const conversation = `with c as (
        insert into ${conversations} as c (key, next) values ($1, 1)
        on conflict (key) do update set next = c.next + 1 returning seq, next - 1 as position
      )`
    if (index === undefined) {
      const sql = `${conversation} insert into ${messages} (conversation, position, message) select seq, position, $2 from c`
      await this.database.query(sql, values)
      return
    }
    await this.database.transaction(async (inside) => {
      const [{ seq, position }] = (await inside.query(`${conversation} select * from c`, [values[0]])).rows
      const before = (await positionAt(inside, seq, index)) ?? position
      await inside.query(`update ${messages} set position = position + 1 where conversation = $1 and position >= $2`, [
        seq,
        before,
      ])
      const sql = `insert into ${messages} (conversation, position, message) values ($1, $2, $3)`
      await inside.query(sql, [seq, before, values[1]])
    })
  }

  /** Removes a key. Returns its messages without damaged ones, or null when the key is unknown. */
  async deleteMessages(key: string): Promise<ChatMessage[] | null> {
    return this.locked(key, async (inside, seq) => {
      const { conversations, messages } = inside.tables
      const { rows } = await inside.query(`select message from ${messages} where conversation = $1 order by position`, [
        seq,
      ])
      await inside.query(`delete from ${conversations} where seq = $1`, [seq])
      return readableRecords(rows, messageOf)
    })
  }

  /** Removes one message. Returns it, or null when there is no message at `index`, or it is damaged. */
  async deleteMessage(key: string, index: number): Promise<ChatMessage | null> {
    if (!Number.isSafeInteger(index) || index < 0) return null
    return this.deleteAt(key, 'position offset $2', index)
  }

  /** Removes the last message. Returns it, or null when there is no message. */
  async deleteLastMessage(key: string): Promise<ChatMessage | null> {
    return this.deleteAt(key, 'position desc offset $2', 0)
  }

  /** Returns the keys in the order of their first message. */
  async getKeys(): Promise<string[]> {
    const { rows } = await this.database.query(`select key from ${this.database.tables.conversations} order by seq`)
    return rows.map(({ key }) => textOfStored(key))
  }

  private deleteAt(key: string, order: string, offset: number): Promise<ChatMessage | null> {
    return this.locked(key, async (inside, seq) => {
      const { messages } = inside.tables
      const sql = `delete from ${messages} where conversation = $1 and position =
        (select position from ${messages} where conversation = $1 order by ${order} limit 1) returning message`
      return readableRecords((await inside.query(sql, [seq, offset])).rows, messageOf)[0] ?? null
    })
  }

  /** Runs an operation while no other process changes the conversation. Returns null when the key is unknown. */
  private locked<T>(key: string, work: (inside: PostgresDatabase, seq: unknown) => Promise<T>): Promise<T | null> {
    return this.database.transaction(async (inside) => {
      const sql = `select seq from ${inside.tables.conversations} where key = $1 for update`
      const [conversation] = (await inside.query(sql, [storedKey(key)])).rows
      return conversation ? work(inside, conversation.seq) : null
    })
  }
}

/** Returns the position of the message at an index, which counts as in `Array.splice`; null for the end. */
async function positionAt(database: PostgresDatabase, seq: unknown, index: number): Promise<unknown> {
  const { messages } = database.tables
  const at = Math.trunc(index) || 0
  const offset = at < 0 ? `greatest(0, (select count(*) from ${messages} where conversation = $1) + $2)` : '$2'
  const sql = `select position from ${messages} where conversation = $1 order by position limit 1 offset ${offset}`
  const bounded = Math.max(-(2 ** 31), Math.min(2 ** 31, at))
  return (await database.query(sql, [seq, bounded])).rows[0]?.position ?? null
}

/** The lists of a `PostgresChatStore`. */
class PostgresChats implements ChatList {
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
