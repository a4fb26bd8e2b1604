/**
 * @module
 * The turns of conversations in a chat store that knows messages only. The messages are under the key of the conversation, as every reader of it
 * expects them; the marks of turns are messages under another key.
 */
import {
  ChatMessage,
  type ChatStore,
  type DecideTurns,
  groupTurns,
  isOldTurn,
  messageText,
  type Turn,
  type TurnChange,
  type TurnMarks,
  type TurnStore,
  toolCallsOf,
} from '@x/core-model'

/** Returns the turns of the conversations of a chat store. */
export function turnsIn(chatStore: ChatStore): TurnStore {
  if (chatStore.turns) return chatStore.turns
  const known = lists.get(chatStore)
  if (known) return known
  const turns = new ListedTurns(chatStore)
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
}

class ListedTurns implements TurnStore {
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
        await this.write(key, before, whole)
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
      await this.write(key, before, before.turns.with(at, turn))
      return true
    })
  }

  private inOrder<T>(work: () => Promise<T>): Promise<T> {
    const next = this.last.then(work)
    this.last = next.catch(() => {})
    return next
  }

  private async lists(key: string): Promise<Lists> {
    const [messages, marks] = await Promise.all(
      [key, marksKey(key)].map(async (each) => this.chatStore.getMessages(each)),
    )
    return { messages: messages!, marks: marks!, turns: turnsOf(messages!, marks!) }
  }

  /** Writes the messages first: without its marks a message belongs to the turn before it, or is a turn of its own. */
  private async write(key: string, before: Lists, turns: readonly Turn[]): Promise<void> {
    await this.update(
      key,
      before.messages,
      turns.flatMap(({ messages }) => messages),
    )
    const marks = turns.filter(({ id }) => !isOldTurn(id)).map(storedMarks)
    const known = new Map(before.marks.map((mark) => [mark.content, mark]))
    const entries = marks.map((content) => known.get(content) ?? new ChatMessage({ role: 'system', content }))
    await this.update(marksKey(key), before.marks, entries)
  }

  private async update(key: string, old: readonly ChatMessage[], now: readonly ChatMessage[]): Promise<void> {
    const added = now.slice(old.length)
    // A call is never without its result.
    const isWhole = added.length > 1 && added.some((message) => toolCallsOf(message).length > 0)
    if (isWhole || old.some((message, i) => message !== now[i])) await this.chatStore.setMessages(key, now)
    else for (const message of added) await this.chatStore.addMessage(key, message)
  }
}

const marksKey = (key: string): string => `${key}.turns`

const beginning = (message: ChatMessage | undefined): string => (message ? messageText(message).slice(0, 40) : '')

function storedMarks({ messages, ...turn }: Turn): string {
  const marks: StoredMarks = { ...turn, length: messages.length, begins: beginning(messages[0]) }
  return JSON.stringify(marks)
}

/** Finds each turn by the beginning of its first message. What does not fit is a turn of its own. */
function turnsOf(messages: readonly ChatMessage[], marks: readonly ChatMessage[]): Turn[] {
  const at: TurnMarks[] = []
  const known = marks.map(({ content }) => JSON.parse(String(content)) as StoredMarks)
  let next = 0
  for (const [place, { length, begins, ...turn }] of known.entries()) {
    const following = known[place + 1]?.begins
    const begun = (message: ChatMessage) => message.role === 'user' && beginning(message) === following
    let first = next
    while (first < messages.length && beginning(messages[first]) !== begins) first++
    if (first === messages.length) continue
    next = first
    for (const end = first + length; next < end && next < messages.length; next++) {
      // Another program has removed messages.
      if (next > first && begun(messages[next]!)) break
      at[next] = turn
    }
    // Written before the marks.
    for (; next < messages.length && messages[next]!.role !== 'user'; next++) at[next] = turn
  }
  return groupTurns(messages, (index) => at[index])
}
