/**
 * @module
 * A map for values that come and go.
 */

/**
 * A map whose forgotten values are free at once.
 *
 * V8 links the table of a map to the next one when it is made anew, as happens again and again in a map whose entries come
 * and go. Once such a table is old, the collector of young objects keeps all tables behind it, and so every value that was
 * ever in the map, until a full collection: that took a third of the time of an agent's run (`npm run bench -- agents`).
 * Here the tables hold boxes, which a forgotten value leaves.
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
