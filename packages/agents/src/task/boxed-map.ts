/**
 * @module
 * A map for short-lived values.
 */

/**
 * A map whose deleted values can be garbage collected immediately.
 *
 * When V8 rebuilds the table of a map, it links the old table to the new one. In a map with many insertions and deletions this happens
 * often. Once an old table is in the old generation, minor collections keep all later tables, and so every value that was ever in the
 * map, until a major collection. This took a third of the time of an agent run (`npm run bench -- agents`). Here the tables contain
 * boxes, and a deleted value is removed from its box.
 */
export class BoxedMap<K, V extends object> {
  private readonly boxes = new Map<K, { value: V | undefined }>()

  get size(): number {
    return this.boxes.size
  }

  has(key: K): boolean {
    return this.boxes.has(key)
  }

  get(key: K): V | undefined {
    return this.boxes.get(key)?.value
  }

  set(key: K, value: V): this {
    const box = this.boxes.get(key)
    if (box) box.value = value
    else this.boxes.set(key, { value })
    return this
  }

  delete(key: K): boolean {
    const box = this.boxes.get(key)
    if (box) box.value = undefined
    return this.boxes.delete(key)
  }

  clear(): void {
    for (const box of this.boxes.values()) box.value = undefined
    this.boxes.clear()
  }

  keys(): IterableIterator<K> {
    return this.boxes.keys()
  }

  values(): V[] {
    return Array.from(this.boxes.values(), ({ value }) => value as V)
  }
}
