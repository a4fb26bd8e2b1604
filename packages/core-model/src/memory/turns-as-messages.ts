/**
 * @module
 * The turns of conversations in a chat store that knows messages only. The messages are under the key of the conversation, as every reader
 * of it expects them; the marks of turns are messages under another key.
 */
import { ChatMessage } from '../messages/chat-message.ts'
import type { ChatStore } from '../messages/chat-store.ts'
import { messageText, toolCallsOf } from '../messages/message-content.ts'
import type { DecideTurns, Turn, TurnChange, TurnMarks, TurnStore } from '../messages/turn-store.ts'

/** Returns the turns of the conversations of a chat store. */
export function turnsIn(chatStore: ChatStore): TurnStore {
  if (chatStore.turns) return chatStore.turns
  const known = lists.get(chatStore)
  if (known) return known
  const turns = new TurnsAsMessages(chatStore)
  lists.set(chatStore, turns)
  return turns
}

/** One for each store, so that changes in this process run one after the other. */
const lists = new WeakMap<ChatStore, TurnStore>()

/** The marks of a turn, as they are stored. */
interface StoredMarks extends TurnMarks {
  /** The number of its messages. */
  readonly length: number
  /** The beginning of its first message: other programs may have added messages before it. */
  readonly begins: string
}

interface Lists {
  messages: ChatMessage[]
  marks: ChatMessage[]
  turns: Turn[]
  /** The index in `marks` of the marks of each turn, or of those before it. */
  places: number[]
}

class TurnsAsMessages implements TurnStore {
  private readonly chatStore: ChatStore
  private last: Promise<unknown> = Promise.resolve()

  constructor(chatStore: ChatStore) {
    this.chatStore = chatStore
  }

  read(key: string): Promise<Turn[]> {
    return this.inOrder(async () => (await this.lists(key)).turns)
  }

  begin(key: string, message: string | undefined, decide: DecideTurns): Promise<readonly TurnMarks[]> {
    return this.inOrder(async () => {
      const before = await this.lists(key)
      const { turns } = before
      const found = turns.findLast((turn) => message !== undefined && turn.message === message)
      const after = decide(turns, found?.messages[0])
      const whole = after.map(
        (turn, i): Turn => ('messages' in turn ? turn : { ...turn, messages: turns[i]!.messages }),
      )
      if (after.length !== turns.length || after.some((turn, i) => turn !== turns[i]))
        await this.change(key, before, whole)
      return after
    })
  }

  save(key: string, task: string, { marks, from, messages }: TurnChange): Promise<boolean> {
    return this.inOrder(async () => {
      const before = await this.lists(key)
      const at = before.turns.findIndex((turn) => turn.task === task)
      if (at < 0) return true
      const { id, message, messages: old } = before.turns[at]!
      if (old.length < from) return false
      const turn: Turn = { id, task, message, ...marks, messages: [...old.slice(0, from), ...messages] }
      const turns = before.turns.with(at, turn)
      // The messages first: what is done has all of them. A turn that begins with other words is known by both until then.
      const isOther = old[0] !== turn.messages[0] && beginning(old[0]) !== beginning(turn.messages[0])
      const both = turns.toSpliced(at, 0, before.turns[at]!)
      const written = isOther ? await this.writeMarks(key, before.marks, both) : before.marks
      await this.writeMessages(key, before, turns)
      await this.writeMarks(key, written, turns)
      return true
    })
  }

  private inOrder<T>(work: () => Promise<T>): Promise<T> {
    const next = this.last.then(work)
    this.last = next.catch(() => {})
    return next
  }

  private async lists(key: string): Promise<Lists> {
    const { chatStore } = this
    const keyOfMarks = marksKey(key)
    const [messages, marks] = await Promise.all([chatStore.getMessages(key), chatStore.getMessages(keyOfMarks)])
    return readLists(messages, marks)
  }

  /**
   * Writes the marks of a new turn before its message, so that it is known when its process ends in between; and those of removed turns
   * until their messages are removed. Marks without messages do not count. Of the same turns, the messages are first, as in `save`.
   */
  private async change(key: string, before: Lists, turns: readonly Turn[]): Promise<void> {
    const tasks = new Set(turns.map(({ task }) => task))
    const removed = before.turns.filter(({ task }) => !tasks.has(task))
    // The answer to a message is replaced in its place: both turns begin with the same words.
    const isInPlace = turns.length === before.turns.length && turns.at(-1) === before.turns.at(-1)
    const kept = isInPlace ? [] : removed
    const isSame = removed.length === 0 && turns.length === before.turns.length
    if (isSame) await this.writeMessages(key, before, turns)
    const marks = await this.writeMarks(key, before.marks, [...turns, ...kept])
    if (!isSame) await this.writeMessages(key, before, turns)
    if (kept.length > 0) await this.writeMarks(key, marks, turns)
  }

  private writeMessages(key: string, before: Lists, turns: readonly Turn[]): Promise<void> {
    const messages = turns.flatMap((turn) => turn.messages)
    return this.update(key, before.messages, messages)
  }

  private async writeMarks(key: string, before: ChatMessage[], turns: readonly Turn[]): Promise<ChatMessage[]> {
    const entries = turns.filter(({ id }) => !isOldTurn(id)).map((turn) => markOf(turn, before))
    await this.update(marksKey(key), before, entries)
    return entries
  }

  private async update(key: string, old: readonly ChatMessage[], now: readonly ChatMessage[]): Promise<void> {
    const added = now.slice(old.length)
    // A call is never without its result.
    const isWhole = added.length > 1 && added.some((message) => toolCallsOf(message).length > 0)
    if (isWhole || now.length < old.length || old.some((message, i) => message !== now[i]))
      await this.chatStore.setMessages(key, now)
    else for (const message of added) await this.chatStore.addMessage(key, message)
  }
}

/** Whether a turn has no marks in the store: its messages were added by other means. */
export function isOldTurn(id: string | undefined): boolean {
  return String(id).startsWith('old-')
}

/**
 * Returns messages as turns. Without marks, a message of the user begins a turn.
 * @param marksAt - returns the marks of the turn of a message, the same object for all messages of the turn
 */
export function groupTurns(
  messages: readonly ChatMessage[],
  marksAt: (index: number) => TurnMarks | undefined,
  from = 0,
): Turn[] {
  const turns: (TurnMarks & { messages: ChatMessage[] })[] = []
  let last: TurnMarks | undefined
  for (let index = from; index < messages.length; index++) {
    const message = messages[index]!
    const marks = marksAt(index)
    const begins = turns.length === 0 || marks !== last || (marks === undefined && message.role === 'user')
    last = marks
    if (!begins) turns.at(-1)!.messages.push(message)
    else if (marks) turns.push({ ...marks, messages: [message] })
    else {
      const id = `old-${index}`
      turns.push({ id, task: id, message: `${id}-user`, state: 'done', messages: [message] })
    }
  }
  return turns
}

const marksKey = (key: string): string => `${key}.turns`

const beginning = (message: ChatMessage | undefined): string => (message ? messageText(message).slice(0, 40) : '')

/** The marks of a turn that were read from a message. */
interface ReadMarks {
  content: ChatMessage['content']
  length: number
  begins: string
  marks: TurnMarks
}

/** What was read, so that the marks of a long conversation are not read again in each turn. */
const readOf = new WeakMap<ChatMessage, ReadMarks>()
/** The message with the marks of a turn that was read and has not changed. */
const markOfTurn = new WeakMap<Turn, ChatMessage>()
/** What was read of a conversation, by its first message: a turn changes its end. */
const listsOf = new WeakMap<ChatMessage, Lists>()

function readMarks(message: ChatMessage): ReadMarks {
  const { content } = message
  const known = readOf.get(message)
  if (known?.content === content) return known
  const { length, begins, ...marks }: StoredMarks = JSON.parse(String(content))
  const stored = { content, length, begins, marks }
  readOf.set(message, stored)
  return stored
}

/** Returns the message with the marks of a turn: that from which they were read, or one with the same content, or a new one. */
function markOf(turn: Turn, before: readonly ChatMessage[]): ChatMessage {
  const known = markOfTurn.get(turn)
  if (known) return known
  const { messages, ...marks } = turn
  const stored: StoredMarks = { ...marks, length: messages.length, begins: beginning(messages[0]) }
  const content = JSON.stringify(stored)
  return before.findLast((mark) => mark.content === content) ?? new ChatMessage({ role: 'system', content })
}

/** Returns how many entries at the beginning of two lists are the same. */
function countSame(one: readonly ChatMessage[], other: readonly ChatMessage[]): number {
  const length = Math.min(one.length, other.length)
  let same = 0
  while (same < length && one[same] === other[same]) same++
  return same
}

/** Reads the turns of a conversation, from the first one that may have changed since it was read before. */
function readLists(messages: ChatMessage[], marks: ChatMessage[]): Lists {
  const before = messages.length > 0 ? listsOf.get(messages[0]!) : undefined
  const turns: Turn[] = []
  let [next, place] = [0, 0]
  if (before) {
    const [sameMessages, sameMarks] = [countSame(before.messages, messages), countSame(before.marks, marks)]
    for (const [index, turn] of before.turns.entries()) {
      const end = next + turn.messages.length
      // What is behind a turn and its marks says where it ends.
      if (end >= sameMessages || before.places[index]! + 1 >= sameMarks) break
      turns.push(turn)
      next = end
      place = before.places[index]! + 1
    }
  }
  const lists: Lists = { messages, marks, turns, places: before ? before.places.slice(0, turns.length) : [] }
  addTurns(lists, next, place)
  if (messages.length > 0) listsOf.set(messages[0]!, lists)
  return lists
}

/** Finds each turn by the beginning of its first message. What does not fit is a turn of its own. */
function addTurns({ messages, marks, turns, places }: Lists, from: number, firstMarks: number): void {
  const at = new Map<number, { stored: ReadMarks; place: number }>()
  let next = from
  for (let place = firstMarks; place < marks.length; place++) {
    const stored = readMarks(marks[place]!)
    const following = place + 1 < marks.length ? readMarks(marks[place + 1]!).begins : undefined
    const begun = (message: ChatMessage) => message.role === 'user' && beginning(message) === following
    let first = next
    while (first < messages.length && beginning(messages[first]) !== stored.begins) first++
    if (first === messages.length) continue
    next = first
    for (const end = first + stored.length; next < end && next < messages.length; next++) {
      // Another program has removed messages.
      if (next > first && begun(messages[next]!)) break
      at.set(next, { stored, place })
    }
    // Written before the marks.
    for (; next < messages.length && messages[next]!.role !== 'user'; next++) at.set(next, { stored, place })
  }
  let first = from
  let last = firstMarks - 1
  for (const turn of groupTurns(messages, (index) => at.get(index)?.stored.marks, from)) {
    const found = at.get(first)
    if (found) last = found.place
    if (found?.stored.length === turn.messages.length) markOfTurn.set(turn, marks[found.place]!)
    turns.push(turn)
    places.push(last)
    first += turn.messages.length
  }
}
