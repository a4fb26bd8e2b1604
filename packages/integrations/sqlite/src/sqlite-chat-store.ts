/**
 * @module
 * Conversations in a database.
 */
import {
  type ChatList,
  type ChatListOptions,
  type ChatMessage,
  checkChatArguments,
  type ListedChat,
  SimpleChatStore,
  type SyncChatStore,
  type TurnStore,
} from '@x/core-model'
import { readableRecords, readingRecord } from '@x/storage'
import { opened } from './opened.ts'
import type { SqliteDatabase } from './sqlite-database.ts'
import type { SqlRow } from './sqlite-driver.ts'
import { messageOf, SqliteTurns, TURN_SIZE, textOf } from './sqlite-turns.ts'

const MESSAGES = 'select message from messages where conversation = (select seq from conversations where key = ?)'

/**
 * A chat store in a database: lists of messages by key. A message is saved when its operation returns; adding one writes this message only.
 * @example
 * const store = new SqliteChatStore(await openDatabase(':memory:'))
 * store.addMessage('ann', new ChatMessage({ content: 'Hello' }))
 * store.getMessages('ann').map(String) // => ['user: Hello']
 */
export class SqliteChatStore implements SyncChatStore {
  /** The turns of the conversations. A turn that runs is written without reading the conversation. */
  readonly turns: TurnStore
  /** The lists of the chats of users. */
  readonly chats: ChatList
  private readonly database: SqliteDatabase

  constructor(database: SqliteDatabase) {
    this.database = opened('SqliteChatStore', database)
    this.chats = new SqliteChats(this.database)
    this.turns = new SqliteTurns(this.database, (key) => this.conversationOf(key))
  }

  /** Replaces the messages of a key. @throws {SerializationError} when a message contains a value that has no JSON form. */
  setMessages(key: string, messages: readonly ChatMessage[]): void {
    checkChatArguments('setMessages', { key, messages })
    const texts = messages.map(textOf)
    this.database.transaction(() => {
      const conversation = this.conversationOf(key)
      this.database.run('delete from messages where conversation = ?', conversation)
      this.database.run('delete from turns where conversation = ?', conversation)
      for (const [position, text] of texts.entries()) this.insert(conversation, position, text)
    })
  }

  /** Returns the messages of a key; an empty array when the key is unknown. @throws {StoreReadError} if one is damaged. */
  getMessages(key: string): ChatMessage[] {
    checkChatArguments('getMessages', { key })
    return this.read(key, this.database.all(`${MESSAGES} order by position`, key))
  }

  /** Returns the last `count` messages of a key. */
  getLast(key: string, count: number): ChatMessage[] {
    checkChatArguments('getLast', { key, count })
    return this.read(key, this.database.all(`${MESSAGES} order by position desc limit ?`, key, count)).reverse()
  }

  /**
   * Adds a message at the end, or before the message at `index`.
   * @throws {SerializationError} when the message contains a value that has no JSON form.
   */
  addMessage(key: string, message: ChatMessage, index?: number): void {
    checkChatArguments('addMessage', { key, message })
    const text = textOf(message)
    this.database.transaction(() => {
      const conversation = this.conversationOf(key)
      const end = this.endOf(conversation)
      const before = index === undefined ? null : this.positionAt(conversation, index)
      if (before !== null) this.makeRoom(conversation, before)
      this.insert(conversation, before ?? end, text)
    })
  }

  /** Removes a key. Returns its messages without damaged ones, or null when the key is unknown. */
  deleteMessages(key: string): ChatMessage[] | null {
    checkChatArguments('deleteMessages', { key })
    return this.database.transaction(() => {
      const messages = readableRecords(this.database.all(`${MESSAGES} order by position`, key), messageOf)
      return this.database.run('delete from conversations where key = ?', key) > 0 ? messages : null
    })
  }

  /** Removes one message. Returns it, or null when there is no message at `index`, or it is damaged. */
  deleteMessage(key: string, index: number): ChatMessage | null {
    if (!Number.isInteger(index) || index < 0) return null
    return this.deleteAt(key, index, 'asc')
  }

  /** Removes the last message. Returns it, or null when there is no message. */
  deleteLastMessage(key: string): ChatMessage | null {
    return this.deleteAt(key, 0, 'desc')
  }

  /** Returns the keys in the order of their first message. */
  getKeys(): string[] {
    return this.database.all('select key from conversations order by seq').map(({ key }) => String(key))
  }

  /** Returns all messages by key, in the form that `SimpleChatStore.fromDict` reads. All of them are in memory together. */
  toDict(): { store: Record<string, unknown[]>; class_name: string } {
    const lists = this.getKeys().map((key) => [key, this.getMessages(key).map((message) => message.toDict())])
    return { store: Object.fromEntries(lists), class_name: SimpleChatStore.className() }
  }

  /** Returns the number of a conversation, which is created when the key is new. */
  private conversationOf(key: string): number {
    this.database.run('insert into conversations (key) values (?) on conflict (key) do nothing', key)
    return Number(this.database.get('select seq from conversations where key = ?', key)!['seq'])
  }

  /** Returns the position after the last message, and after those that its turn may get. */
  private endOf(conversation: number): number {
    const last = this.database.get(
      `select coalesce((select max(position) from messages where conversation = ?), -1) p,
        (select max(base) from turns where conversation = ?) base`,
      conversation,
      conversation,
    )!
    const end = Number(last['p']) + 1
    return last['base'] === null ? end : Math.max(end, Number(last['base']) + TURN_SIZE)
  }

  private insert(conversation: number, position: number, text: string): void {
    this.database.run(
      'insert into messages (conversation, position, message) values (?, ?, ?)',
      conversation,
      position,
      text,
    )
  }

  /** Returns the position of the message at an index, which counts as in `Array.splice`; null for the end. */
  private positionAt(conversation: number, index: number): number | null {
    const count = Number(
      this.database.get('select count(*) n from messages where conversation = ?', conversation)!['n'],
    )
    const at = Math.trunc(index) || 0
    const offset = at < 0 ? Math.max(0, count + at) : at
    const sql = 'select position p from messages where conversation = ? order by position limit 1 offset ?'
    const row = this.database.get(sql, conversation, Math.min(offset, count))
    return row && Number(row['p'])
  }

  /** Moves the messages from a position on by one. Negative intermediate positions stay unique. */
  private makeRoom(conversation: number, from: number): void {
    const sql = 'update messages set position = -position - 2 where conversation = ? and position >= ?'
    this.database.run(sql, conversation, from)
    this.database.run(
      'update messages set position = -position - 1 where conversation = ? and position < -1',
      conversation,
    )
  }

  private deleteAt(key: string, offset: number, order: 'asc' | 'desc'): ChatMessage | null {
    return this.database.transaction(() => {
      const sql = `select seq, message from messages where conversation = (select seq from conversations where key = ?)
        order by position ${order} limit 1 offset ?`
      const row = this.database.get(sql, key, offset)
      if (row) this.database.run('delete from messages where seq = ?', row['seq']!)
      return row && (readableRecords([row], messageOf)[0] ?? null)
    })
  }

  private read(key: string, rows: readonly SqlRow[]): ChatMessage[] {
    return readingRecord({ path: this.database.path, key }, () => rows.map(messageOf))
  }
}

/** The lists of a {@link SqliteChatStore}. */
class SqliteChats implements ChatList {
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
