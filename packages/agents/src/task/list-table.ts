/**
 * @module
 * The arrays that were written in the states of a task, so that each item is written once.
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
  /** The array itself, which may have more items by now. */
  readonly items: readonly unknown[]
  /** The number of items that were written. */
  readonly length: number
}

/**
 * Records which arrays were written, and how many of their items. A growing array is recognized by its first object, or by its path if
 * it contains no objects. Changes take effect with {@link commit}.
 */
export class ListTable {
  /** The items that were added since the last commit. */
  added: AddedItems[] = []
  /** The number of items of these arrays before, by index. */
  readonly addedFrom = new Map<number, number>()
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

  /** Records an array that is being written. Returns its index and the number of items that were written before. */
  note(items: readonly unknown[], path: string): { index: number; start: number } {
    const key = isObject(items[0]) ? items[0] : path
    const found = this.staged.get(key) ?? this.known.get(key)
    const known = found && startAlike(found, items) ? found : { index: this.count++, items: [], length: 0 }
    const { index, length } = known
    if (items.length > length) this.addedFrom.set(index, length)
    if (items.length >= length) this.staged.set(key, { index, items, length: items.length })
    return { index, start: length }
  }

  /** Marks the added items as saved. */
  commit(): void {
    for (const [key, list] of this.staged) this.known.set(key, list)
    this.committed = this.count
    this.staged.clear()
    this.addedFrom.clear()
    this.added = []
  }

  /** Removes the added items, which could not be saved. */
  discard(): void {
    this.count = this.committed
    this.staged.clear()
    this.addedFrom.clear()
    this.added = []
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Whether the written items and those of an array are equal up to the shorter length. */
function startAlike(known: KnownList, items: readonly unknown[]): boolean {
  if (known.items === items) return true
  const length = Math.min(known.length, items.length)
  for (let i = 0; i < length; i++) if (known.items[i] !== items[i]) return false
  return true
}
