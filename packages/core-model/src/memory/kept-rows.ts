/**
 * @module
 * What was read from the rows of conversations in a database, so that a long conversation is not parsed again for every message.
 */

interface Row<T> {
  readonly text: string
  readonly value: T
  /** The values of the fields when it was read: messages may change. */
  readonly fields: readonly unknown[]
}

interface Conversation<T> {
  readonly rows: Map<number, Row<T>>
  /** The number of characters of its strings. */
  size: number
}

/**
 * Reads the rows of conversations. While its JSON is the same, the result is the same object, unless one of its fields was replaced.
 * Keeps the conversations that were read last.
 * @example
 * const rows = new KeptRows((text: string) => ({ text }), ['text'])
 * rows.read('ann', 0, 'Hello') === rows.read('ann', 0, 'Hello') // => true
 * rows.read('ann', 0, 'Hello') === rows.read('ann', 0, 'Bye') // => false
 */
export class KeptRows<T extends object> {
  /** @internal */
  readonly parse: (text: string) => T
  /** @internal */
  readonly fields: readonly (keyof T)[]
  /** @internal */
  readonly room: number
  /** @internal */
  readonly conversations = new Map<unknown, Conversation<T>>()
  /** @internal */
  last: { key: unknown; conversation: Conversation<T> } | undefined
  /** @internal */
  size = 0

  /** @param room - the number of characters of JSON that are kept. */
  constructor(parse: (text: string) => T, fields: readonly (keyof T)[] = [], room = 2 ** 22) {
    this.parse = parse
    this.fields = fields
    this.room = room
  }

  /** Returns what the row at a position of a conversation says. */
  read(key: unknown, position: number, text: string): T {
    const conversation = this.of(key)
    const known = conversation.rows.get(position)
    if (known?.text === text && this.isAsRead(known)) return known.value
    const value = this.parse(text)
    conversation.rows.set(position, { text, value, fields: this.fields.map((field) => value[field]) })
    const more = text.length - (known?.text.length ?? 0)
    conversation.size += more
    this.size += more
    if (this.size > this.room) this.shrink(key)
    return value
  }

  /** Returns what the row says if it was read; for places whose text never changes. */
  known(key: unknown, position: number): T | undefined {
    const known = this.of(key).rows.get(position)
    return known && this.isAsRead(known) ? known.value : undefined
  }

  /** @internal */
  isAsRead({ value, fields }: Row<T>): boolean {
    for (let i = 0; i < fields.length; i++) if (value[this.fields[i]!] !== fields[i]) return false
    return true
  }

  /** @internal */
  of(key: unknown): Conversation<T> {
    return this.last?.key === key ? this.last!.conversation : this.use(key)
  }

  /** Returns a conversation, which will be removed after all others. @internal */
  use(key: unknown): Conversation<T> {
    const conversation = this.conversations.get(key) ?? { rows: new Map(), size: 0 }
    this.conversations.delete(key)
    this.conversations.set(key, conversation)
    this.last = { key, conversation }
    return conversation
  }

  /** Removes the conversations that were not read for the longest time, at last the one that is read. @internal */
  shrink(current: unknown): void {
    for (const [key, { size }] of this.conversations) {
      if (this.size <= this.room) return
      this.conversations.delete(key)
      this.size -= size
      if (key === current) this.last = undefined
    }
  }
}
