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
import type { PostgresDatabase } from './postgres-database.ts'
import { storedKey } from './stored-key.ts'

/** The number of positions of a turn. */
const TURN_SIZE = 2 ** 20

interface StoredTurn {
  /** The first position. */
  base: number
  marks: TurnMarks
}

/** The condition of the index of open turns. It may select others, whose marks stay the same. */
const IS_OPEN = `strpos(marks, '"state":"open"') > 0`

/** A conversation that no other transaction changes. */
interface Locked {
  inside: PostgresDatabase
  key: string
  seq: unknown
  /** The position of the next message. */
  next: number
}

type Conversation = Omit<Locked, 'next'>

/** The turns of a `PostgresChatStore`. */
export class PostgresTurns implements TurnStore {
  private readonly database: PostgresDatabase
  private readonly kept = new KeptRows<ChatMessage>(
    (text) => ChatMessage.fromJson(text),
    ['content', 'additionalKwargs'],
  )

  constructor(database: PostgresDatabase) {
    this.database = database
  }

  /** Returns the turns of a conversation, the oldest first. */
  async read(key: string): Promise<Turn[]> {
    const { conversations } = this.database.tables
    const { rows } = await this.database.query(`select seq from ${conversations} where key = $1`, [storedKey(key)])
    return rows[0] ? (await allTurns({ inside: this.database, key, seq: rows[0].seq })).map(({ turn }) => turn) : []
  }

  /** Changes which turns there are, in one transaction. */
  begin(key: string, message: string | undefined, decide: DecideTurns): Promise<readonly TurnMarks[]> {
    return this.database.transaction(async (inside) => {
      // A conversation is not created to learn that there is nothing.
      if (!(await isKnown(inside, key)) && decide([], undefined).length === 0) return []
      const locked = await lock(inside, key)
      const before = await storedTurns(locked, isOldTurn(message))
      const found = before.findLast(({ marks }) => message !== undefined && marks.message === message)
      const turns = before.map(({ marks }) => marks)
      const after = decide(turns, found && (await firstOf(locked, found.base)))
      const cut = before[after.length]
      if (cut) await removeFrom(locked, cut.base)
      for (const [i, turn] of after.entries()) if (turn !== turns[i]) await write(locked, before[i], turn)
      return after
    })
  }

  /** Adds a turn at the end. Reads the turns that are open, and no other one. */
  append(key: string, turn: Turn, change: (open: TurnMarks) => TurnMarks): Promise<void> {
    return this.database.transaction(async (inside) => {
      const locked = await lock(inside, key)
      if (await turnOf(locked, turn.task)) return
      const open = `select base, marks from ${inside.tables.turns} where conversation = $1 and ${IS_OPEN}`
      for (const { base, marks } of (await inside.query(open, [locked.seq])).rows)
        await setMarks(locked, Number(base), change(marksOf(marks, locked)))
      await write(locked, undefined, turn)
    })
  }

  /** Returns a turn, and the last messages before it. */
  async before(key: string, task: string, count: number): Promise<MessagesBefore> {
    const { conversations, turns, messages: table } = this.database.tables
    // One statement, so that all of it is of the same moment: the messages of the turn have its marks. The limit is a subquery, so that
    // the planner does not know it: before the first statistics of a table, it would sort a whole conversation for a limit of 100.
    const sql = `with c as (select seq from ${conversations} where key = $1),
        t as (select base, marks from ${turns} where conversation = (select seq from c) and task = $2 limit 1),
        m as (select position, message, null as marks from ${table} where conversation = (select seq from c)
          and position < coalesce((select base from t), 9007199254740991) order by position desc limit (select $3::bigint))
      select position, message, marks, (select seq from c) as seq from m union all select base, null, marks, null from t
      union all select m.position, m.message, '', null from t join ${table} m on m.conversation = (select seq from c)
        and m.position >= t.base and m.position < t.base + ${TURN_SIZE} order by position, message nulls first`
    const { rows } = await this.database.query(sql, [storedKey(key), storedKey(task), count])
    const marks = rows.find(({ message }) => message === null)?.marks
    const place = { inside: this.database, key }
    const before = rows.filter((row) => row.message !== null && row.marks === null)
    const messages = reading(place, () =>
      before.map(({ seq, position, message }) => this.kept.read(seq, Number(position), message)),
    )
    if (marks === undefined) return { turn: undefined, messages }
    const own = messagesOf(
      rows.filter((row) => row.marks === ''),
      place,
    )
    return { turn: { ...marksOf(marks, place), messages: own }, messages }
  }

  /** Returns the number of messages before a turn. */
  async countMessages(key: string, task: string): Promise<number> {
    const { conversations, turns, messages } = this.database.tables
    const sql = `select count(*) as n from ${messages} m join ${conversations} c on c.seq = m.conversation
      where c.key = $1 and m.position < coalesce(
        (select base from ${turns} where conversation = c.seq and task = $2 limit 1), 9007199254740991)`
    return Number((await this.database.query(sql, [storedKey(key), storedKey(task)])).rows[0].n)
  }

  /** Replaces the messages of the turn of a task. Only those after the ones that stay are written. */
  save(key: string, task: string, { marks, from, messages }: TurnChange): Promise<boolean> {
    const texts = messages.map(textOf)
    return this.database.transaction(async (inside) => {
      const { conversations, turns, messages: table } = inside.tables
      const sql = `select t.conversation as seq, t.base, t.marks,
          (select count(*) from ${table} m where m.conversation = t.conversation and m.position >= t.base
            and m.position < t.base + $3::bigint) as kept
        from ${turns} t join ${conversations} c on c.seq = t.conversation
        where c.key = $1 and t.task = $2 for update of c`
      const [row] = (await inside.query(sql, [storedKey(key), storedKey(task), from])).rows
      if (!row) return true
      if (Number(row.kept) < from) return false
      const base = Number(row.base)
      await insert({ inside, seq: row.seq }, { base, from }, texts)
      const { id, message } = marksOf(row.marks, { inside, key })
      await setMarks({ inside, seq: row.seq }, base, { id, task, message, ...marks })
      return true
    })
  }
}

/** Returns the turn of a task. */
async function turnOf({ inside, key, seq }: Conversation, task: string): Promise<StoredTurn | undefined> {
  const sql = `select base, marks from ${inside.tables.turns} where conversation = $1 and task = $2 limit 1`
  const [row] = (await inside.query(sql, [seq, storedKey(task)])).rows
  return row && { base: Number(row.base), marks: marksOf(row.marks, { inside, key }) }
}

async function isKnown(inside: PostgresDatabase, key: string): Promise<boolean> {
  const sql = `select from ${inside.tables.conversations} where key = $1`
  return (await inside.query(sql, [storedKey(key)])).rows.length > 0
}

/** Locks a conversation, which is created when the key is new. */
async function lock(inside: PostgresDatabase, key: string): Promise<Locked> {
  const sql = `insert into ${inside.tables.conversations} as c (key, next) values ($1, 0)
    on conflict (key) do update set next = c.next returning seq, next`
  const [row] = (await inside.query(sql, [storedKey(key)])).rows
  return { inside, key, seq: row.seq, next: Number(row.next) }
}

async function storedTurns(locked: Locked, withOld: boolean): Promise<StoredTurn[]> {
  if (withOld) return allTurns(locked)
  const { inside, seq } = locked
  const sql = `select base, marks from ${inside.tables.turns} where conversation = $1 order by base`
  const { rows } = await inside.query(sql, [seq])
  return rows.map(({ base, marks }) => ({ base: Number(base), marks: marksOf(marks, locked) }))
}

async function allTurns({ inside, key, seq }: Conversation): Promise<(StoredTurn & { turn: Turn })[]> {
  const { turns, messages: table } = inside.tables
  // One statement, so that marks and messages are of the same moment.
  const sql = `select base as position, null as message, marks from ${turns} where conversation = $1
    union all select position, message, null from ${table} where conversation = $1 order by position`
  const stored = new Map<number, TurnMarks>()
  const positions: number[] = []
  const messages: ChatMessage[] = []
  for (const row of (await inside.query(sql, [seq])).rows) {
    const position = Number(row.position)
    if (row.message === null) stored.set(position, marksOf(row.marks, { inside, key }))
    else {
      positions.push(position)
      messages.push(...messagesOf([row], { inside, key }))
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

async function firstOf({ inside, key, seq }: Conversation, base: number): Promise<ChatMessage | undefined> {
  const sql = `select message from ${inside.tables.messages} where conversation = $1 and position >= $2
    and position < $3 order by position limit 1`
  const { rows } = await inside.query(sql, [seq, base, base + TURN_SIZE])
  return messagesOf(rows, { inside, key })[0]
}

async function removeFrom({ inside, seq }: Locked, base: number): Promise<void> {
  const { turns, messages } = inside.tables
  await inside.query(`delete from ${messages} where conversation = $1 and position >= $2`, [seq, base])
  await inside.query(`delete from ${turns} where conversation = $1 and base >= $2`, [seq, base])
}

/** Writes a turn in the place of another one, or at the end. */
async function write(locked: Locked, place: StoredTurn | undefined, turn: TurnMarks & Partial<Turn>): Promise<void> {
  const { messages, ...marks } = turn
  const { inside, seq, next } = locked
  const isOld = place && isOldTurn(place.marks.id)
  // Messages of other programs have no turn that could get other messages: these follow.
  if (isOld) await removeFrom(locked, place.base)
  const base = place && !isOld ? place.base : Math.ceil(next / TURN_SIZE) * TURN_SIZE
  if (messages) await insert(locked, { base, from: 0 }, messages.map(textOf))
  await setMarks(locked, base, marks)
  const sql = `update ${inside.tables.conversations} set next = greatest(next, $2) where seq = $1`
  await inside.query(sql, [seq, base + TURN_SIZE])
}

async function insert(
  { inside, seq }: Pick<Locked, 'inside' | 'seq'>,
  { base, from }: { base: number; from: number },
  texts: readonly string[],
): Promise<void> {
  const { messages } = inside.tables
  const removed = `delete from ${messages} where conversation = $1 and position >= $2 and position < $3`
  await inside.query(removed, [seq, base + from, base + TURN_SIZE])
  const sql = `insert into ${messages} (conversation, position, message)
    select $1, $2::bigint + at - 1, message from unnest($3::text[]) with ordinality as t (message, at)`
  if (texts.length > 0) await inside.query(sql, [seq, base + from, texts])
}

async function setMarks(
  { inside, seq }: Pick<Locked, 'inside' | 'seq'>,
  base: number,
  marks: TurnMarks,
): Promise<void> {
  const sql = `insert into ${inside.tables.turns} (conversation, base, task, marks) values ($1, $2, $3, $4)
    on conflict (conversation, base) do update set task = excluded.task, marks = excluded.marks`
  await inside.query(sql, [seq, base, storedKey(marks.task), JSON.stringify(marks)])
}

/** Returns the text of a message that is stored. A message that Python wrote keeps its form. */
export const textOf = (message: ChatMessage): string => message.toJson({ line: asRead })

/** Reads rows; an error names the conversation. */
const reading = <T>({ inside, key }: Pick<Locked, 'inside' | 'key'>, read: () => T): T =>
  readingRecord({ path: inside.tables.messages, key }, read)

const marksOf = (marks: string, of: Pick<Locked, 'inside' | 'key'>): TurnMarks => reading(of, () => JSON.parse(marks))

/** Returns the messages of rows. @throws {StoreReadError} if one is damaged. */
export const messagesOf = (rows: readonly object[], of: Pick<Locked, 'inside' | 'key'>): ChatMessage[] =>
  reading(of, () => rows.map(messageOf))

/** Returns the message of a row. */
export const messageOf = ({ message }: { message?: unknown }): ChatMessage => ChatMessage.fromJson(String(message))
