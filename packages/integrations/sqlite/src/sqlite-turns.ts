/**
 * @module
 * The turns of conversations in a database. Each has a range of positions of its messages, so that it can grow although others follow it.
 */
import {
  ChatMessage,
  type DecideTurns,
  groupTurns,
  isOldTurn,
  type MessagesBefore,
  type Turn,
  type TurnChange,
  type TurnMarks,
  type TurnStore,
} from '@x/core-model'
import { KeptRows } from '@x/core-model/memory'
import { asRead } from '@x/core-model/python'
import { readingRecord } from '@x/storage'
import { originalText, type SqliteDatabase } from './sqlite-database.ts'
import type { SqlRow } from './sqlite-driver.ts'

/** The number of positions of a turn. */
export const TURN_SIZE = 2 ** 20

interface StoredTurn {
  /** The first position. */
  base: number
  marks: TurnMarks
}

/** The condition of the index of open turns. It may select others, whose marks stay the same. */
const IS_OPEN = `instr(marks, '"state":"open"') > 0`

/** The turns of a {@link SqliteChatStore}. */
export class SqliteTurns implements TurnStore {
  private readonly database: SqliteDatabase
  /** Returns the number of a conversation, which is created when the key is new. */
  private readonly conversationOf: (key: string) => number
  private readonly messages = new KeptRows<ChatMessage>(
    (text) => ChatMessage.fromJson(originalText(text)),
    ['content', 'additionalKwargs'],
  )
  private readonly marks = new KeptRows<StoredTurn>((text) => JSON.parse(originalText(text)))

  constructor(database: SqliteDatabase, conversationOf: (key: string) => number) {
    this.database = database
    this.conversationOf = conversationOf
  }

  /** Returns the turns of a conversation, the oldest first. */
  read(key: string): Turn[] {
    const conversation = this.known(key)
    return conversation === null ? [] : this.all(conversation).map(({ turn }) => turn)
  }

  /** Changes which turns there are, in one transaction. */
  begin(
    key: string,
    message: string | undefined,
    decide: DecideTurns,
  ): readonly TurnMarks[] | Promise<readonly TurnMarks[]> {
    return this.database.patient(() => {
      const conversation = this.known(key)
      const before = conversation === null ? [] : this.stored(conversation, isOldTurn(message))
      const found = before.findLast(({ marks }) => message !== undefined && marks.message === message)
      const turns = before.map(({ marks }) => marks)
      const after = decide(turns, found && this.firstOf(conversation!, found.base))
      if (after.length === turns.length && after.every((turn, i) => turn === turns[i])) return after
      const written = this.conversationOf(key)
      const cut = before[after.length]
      if (cut) this.removeFrom(written, cut.base)
      for (const [i, turn] of after.entries()) if (turn !== turns[i]) this.write(written, before[i], turn)
      return after
    })
  }

  /** Replaces the messages of the turn of a task. Only those after the ones that stay are written. */
  save(key: string, task: string, { marks, from, messages }: TurnChange): boolean | Promise<boolean> {
    const texts = messages.map(textOf)
    return this.database.patient(() => {
      const sql = `select t.conversation, t.base, t.marks from turns t join conversations c on c.seq = t.conversation
        where c.key = ? and t.task = ?`
      const row = this.database.get(sql, key, task)
      if (!row) return true
      const [conversation, base] = [Number(row['conversation']), Number(row['base'])]
      const count = 'select count(*) n from messages where conversation = ? and position >= ? and position < ?'
      if (Number(this.database.get(count, conversation, base, base + from)!['n']) < from) return false
      this.insert(conversation, { base, from }, texts)
      const { id, message } = this.marksIn(conversation, row)
      this.setMarks(conversation, base, { id, task, message, ...marks })
      return true
    })
  }

  /** Adds a turn at the end. Reads the turns that are open, and no other one. */
  append(key: string, turn: Turn, change: (open: TurnMarks) => TurnMarks): void | Promise<void> {
    return this.database.patient(() => {
      const conversation = this.conversationOf(key)
      if (this.turnOf(conversation, turn.task)) return
      const open = `select base, marks from turns where conversation = ? and ${IS_OPEN}`
      for (const row of this.database.all(open, conversation))
        this.setMarks(conversation, Number(row['base']), change(this.marksIn(conversation, row)))
      this.write(conversation, undefined, turn)
    })
  }

  /** Returns a turn, and the last messages before it. */
  before(key: string, task: string, count: number): MessagesBefore {
    return this.database.transaction(() => {
      const conversation = this.known(key)
      if (conversation === null) return { turn: undefined, messages: [] }
      const found = this.turnOf(conversation, task)
      const end = found?.base ?? Number.MAX_SAFE_INTEGER
      const messages = this.last(conversation, end, count)
      if (!found) return { turn: undefined, messages }
      const own =
        'select message from messages where conversation = ? and position >= ? and position < ? order by position'
      const rows = this.database.all(own, conversation, end, end + TURN_SIZE)
      return { turn: { ...found.marks, messages: this.messagesIn(conversation, rows) }, messages }
    })
  }

  /** Returns the number of messages before a turn. */
  countMessages(key: string, task: string): number {
    const sql = `select count(*) n from messages m join conversations c on c.seq = m.conversation
      where c.key = ? and m.position < coalesce((select base from turns where conversation = c.seq and task = ?), ?)`
    return Number(this.database.get(sql, key, task, Number.MAX_SAFE_INTEGER)!['n'])
  }

  /** Returns the last messages before a position. */
  private last(conversation: number, end: number, count: number): ChatMessage[] {
    const numbers = 'select seq from messages where conversation = ? and position < ? order by position desc limit ?'
    const rows = { numbers, text: 'message text from messages' }
    return this.readRows(this.messages, rows, conversation, end, count).reverse()
  }

  /**
   * Returns what rows of a conversation say. Of those that are known, the numbers alone are read, because no other text ever has them: as
   * one string, which takes a quarter of the time of rows.
   * @param numbers - selects the numbers, in the order of the result
   * @param text - what is read of a row, and its table
   */
  private readRows<T extends object>(
    kept: KeptRows<T>,
    { numbers, text }: { numbers: string; text: string },
    conversation: number,
    ...values: number[]
  ): T[] {
    const list = `select json_group_array(seq) list from (${numbers})`
    const seqs: number[] = JSON.parse(String(this.database.get(list, conversation, ...values)!['list']))
    const known = seqs.map((seq) => kept.known(conversation, seq))
    const unknown = seqs.filter((_, i) => !known[i])
    if (unknown.length === 0) return known as T[]
    const sql = `select seq, ${text} where seq in (select value from json_each(?))`
    const rows = this.database.stored<{ seq: number; text: string }>(sql, JSON.stringify(unknown))
    const texts = new Map(rows.map((row) => [row.seq, row.text]))
    return this.reading(conversation, () =>
      seqs.map((seq, i) => known[i] ?? kept.read(conversation, seq, texts.get(seq)!)),
    )
  }

  private turnOf(conversation: number, task: string): StoredTurn | undefined {
    const sql = 'select base, marks from turns where conversation = ? and task = ?'
    const row = this.database.get(sql, conversation, task)
    return row ? { base: Number(row['base']), marks: this.marksIn(conversation, row) } : undefined
  }

  private known(key: string): number | null {
    const row = this.database.get('select seq from conversations where key = ?', key)
    return row && Number(row['seq'])
  }

  private stored(conversation: number, withOld: boolean): StoredTurn[] {
    if (withOld) return this.all(conversation)
    const numbers = 'select seq from turns where conversation = ? order by base'
    const text = `'{"base":' || base || ',"marks":' || marks || '}' text from turns`
    return this.readRows(this.marks, { numbers, text }, conversation)
  }

  private all(conversation: number): (StoredTurn & { turn: Turn })[] {
    // One statement, so that marks and messages are of the same moment.
    const sql = `select base position, null message, marks from turns where conversation = ?
      union all select position, message, null from messages where conversation = ? order by position, message`
    const stored = new Map<number, TurnMarks>()
    const positions: number[] = []
    const messages: ChatMessage[] = []
    for (const row of this.database.all(sql, conversation, conversation)) {
      const position = Number(row['position'])
      if (row['message'] === null) stored.set(position, this.marksIn(conversation, row))
      else {
        positions.push(position)
        messages.push(...this.messagesIn(conversation, [row]))
      }
    }
    const baseAt = (index: number) => positions[index]! - (positions[index]! % TURN_SIZE)
    const marksAt = (index: number) => stored.get(baseAt(index))
    let next = 0
    return groupTurns(messages, marksAt).map((turn) => {
      const { messages: own, ...marks } = turn
      const base = marksAt(next) ? baseAt(next) : positions[next]!
      next += own.length
      return { base, marks, turn }
    })
  }

  private firstOf(conversation: number, base: number): ChatMessage | undefined {
    const sql = `select message from messages where conversation = ? and position >= ? and position < ?
      order by position limit 1`
    return this.messagesIn(conversation, this.database.all(sql, conversation, base, base + TURN_SIZE))[0]
  }

  private marksIn(conversation: number, row: SqlRow): TurnMarks {
    return this.reading(conversation, () => marksOf(row))
  }

  private messagesIn(conversation: number, rows: readonly SqlRow[]): ChatMessage[] {
    return this.reading(conversation, () => rows.map(messageOf))
  }

  /** Reads rows; an error names the conversation. */
  private reading<T>(conversation: number, read: () => T): T {
    const { database } = this
    const key = () => String(database.get('select key from conversations where seq = ?', conversation)?.['key'])
    return readingRecord(() => ({ path: database.path, key: key() }), read)
  }

  private removeFrom(conversation: number, base: number): void {
    this.database.run('delete from messages where conversation = ? and position >= ?', conversation, base)
    this.database.run('delete from turns where conversation = ? and base >= ?', conversation, base)
  }

  /** Writes a turn in the place of another one, or at the end. */
  private write(conversation: number, place: StoredTurn | undefined, turn: TurnMarks & Partial<Turn>): void {
    const { messages, ...marks } = turn
    // Messages of other programs have no turn that could get other messages: these follow.
    if (place && isOldTurn(place.marks.id)) this.removeFrom(conversation, place.base)
    const base = place && !isOldTurn(place.marks.id) ? place.base : this.nextBase(conversation)
    if (messages) this.insert(conversation, { base, from: 0 }, messages.map(textOf))
    this.setMarks(conversation, base, marks)
  }

  private insert(conversation: number, { base, from }: { base: number; from: number }, texts: readonly string[]): void {
    const removed = 'delete from messages where conversation = ? and position >= ? and position < ?'
    this.database.run(removed, conversation, base + from, base + TURN_SIZE)
    const sql = 'insert into messages (conversation, position, message) values (?, ?, ?)'
    for (const [place, text] of texts.entries()) this.database.run(sql, conversation, base + from + place, text)
  }

  private nextBase(conversation: number): number {
    const row = this.database.get('select max(position) p from messages where conversation = ?', conversation)
    return row?.['p'] == null ? 0 : (Math.floor(Number(row['p']) / TURN_SIZE) + 1) * TURN_SIZE
  }

  private setMarks(conversation: number, base: number, marks: TurnMarks): void {
    // With a new number, so that who knows the number knows the marks.
    const sql = 'insert or replace into turns (conversation, base, task, marks) values (?, ?, ?, ?)'
    this.database.run(sql, conversation, base, marks.task, JSON.stringify(marks))
  }
}

function marksOf({ marks }: { marks?: unknown }): TurnMarks {
  return JSON.parse(String(marks))
}

/** Returns the text of a message that is stored. A message that Python wrote keeps its form. */
export const textOf = (message: ChatMessage): string => message.toJson({ line: asRead })

/** Returns the message of a row. */
export const messageOf = ({ message }: { message?: unknown }): ChatMessage => ChatMessage.fromJson(String(message))
