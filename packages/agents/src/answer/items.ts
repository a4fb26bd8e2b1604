/**
 * @module
 * Arrays that grow, with the items of earlier ones shared.
 */

/** An array that several versions share: each has the first `length` of its items. */
export class Items<T = unknown> {
  readonly all: T[]
  readonly length: number

  constructor(all: T[], length = all.length) {
    this.all = all
    this.length = length
  }

  toArray(): T[] {
    return this.all.slice(0, this.length)
  }

  /** Returns the first items with others after them. They are copied only if others came after them before. */
  with(length: number, added: readonly T[]): Items<T> {
    if (added.length === 0) return new Items(this.all, length)
    const all = length === this.all.length ? this.all : this.all.slice(0, length)
    for (const item of added) all.push(item)
    return new Items(all)
  }

  /** Returns the items of an array, shared with these if it begins with them. */
  continuedBy(items: readonly T[]): Items<T> {
    const { length } = this
    return this.sameStart(items) === length ? this.with(length, items.slice(length)) : new Items([...items])
  }

  /** Returns how many items at the start are equal. */
  sameStart(items: readonly T[]): number {
    const length = Math.min(this.length, items.length)
    if (this.all === items) return length
    let same = 0
    while (same < length && this.all[same] === items[same]) same++
    return same
  }
}
