/**
 * @module
 * The arrays in the states of a task that were written, so that each item is written once.
 */

/** Items that were added to an array of the table. */
export interface AddedItems {
  /** The index of the array. */
  list: number
  items: unknown[]
}

/** An array that was written. */
interface KnownList {
  readonly index: number
  /** It may have grown since. */
  readonly items: readonly unknown[]
  /** The number of items that were written. */
  readonly length: number
}

/**
 * Knows which arrays were written, and how far. An array that only grows is recognized by its first object, or, if it contains no
 * objects, by its place. Changes count from {@link commit} on.
 */
export class ListTable {
  /** The items that were added since the last commit. */
  added: AddedItems[] = []
  private readonly known = new Map<unknown, KnownList>()
  private readonly staged = new Map<unknown, KnownList>()
  private count: number
  private committed: number

  /** @param lists - the arrays of a saved task, as they were read. */
  constructor(lists: ReadonlyMap<number, readonly unknown[]> = new Map(), count = 0) {
    this.count = count
    this.committed = count
    for (const [index, items] of lists)
      if (isObject(items[0])) this.known.set(items[0], { index, items, length: items.length })
  }

  /** Notes an array that is being written. Returns its index, and how many of its items were written before. */
  note(items: readonly unknown[], path: string): { index: number; start: number } {
    const key = isObject(items[0]) ? items[0] : path
    const found = this.staged.get(key) ?? this.known.get(key)
    const known = found && startAlike(found, items) ? found : { index: this.count++, items: [], length: 0 }
    const { index, length } = known
    if (items.length >= length) this.staged.set(key, { index, items, length: items.length })
    return { index, start: length }
  }

  /** Marks the added items as saved. */
  commit(): void {
    for (const [key, list] of this.staged) this.known.set(key, list)
    this.committed = this.count
    this.staged.clear()
    this.added = []
  }

  /** Removes the added items, which could not be saved. */
  discard(): void {
    this.count = this.committed
    this.staged.clear()
    this.added = []
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Whether the items that were written and those of an array are alike, as far as both go. */
function startAlike(known: KnownList, items: readonly unknown[]): boolean {
  if (known.items === items) return true
  const length = Math.min(known.length, items.length)
  for (let i = 0; i < length; i++) if (known.items[i] !== items[i]) return false
  return true
}
