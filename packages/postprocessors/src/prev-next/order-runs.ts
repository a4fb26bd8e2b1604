/**
 * @module
 * Orders linked items by their links.
 */

/** The keys of the neighbours of an item; null without a neighbour. */
export interface Links {
  next: string | null
  previous: string | null
}

/** In place of an index: no item. */
const NONE = -1

/**
 * Returns the keys of `items` so that each chain of links is contiguous and in chain order. Chains are in the order of their
 * earliest member. A link is used if at least one of its ends has it and both ends exist. Each item has at most one successor and
 * one predecessor: `next` links take precedence, then the order of the items. A cycle starts at its earliest member.
 */
export function orderRuns(items: ReadonlyMap<string, Links>): string[] {
  // Items are known by their index, because arrays of integers stay fast when there are many.
  const keys = [...items.keys()]
  const indexes = new Map(keys.map((key, index) => [key, index]))
  const successor = new Int32Array(keys.length).fill(NONE)
  const predecessor = new Int32Array(keys.length).fill(NONE)
  const indexOf = (key: string | null): number => (key === null ? NONE : (indexes.get(key) ?? NONE))
  const link = (from: number, to: number) => {
    if (from === NONE || to === NONE || from === to) return
    if (successor[from] !== NONE || predecessor[to] !== NONE) return
    successor[from] = to
    predecessor[to] = from
  }
  const links = [...items.values()]
  for (const [index, { next }] of links.entries()) link(index, indexOf(next))
  for (const [index, { previous }] of links.entries()) link(indexOf(previous), index)

  const ordered: string[] = []
  const isOrdered = new Uint8Array(keys.length)
  for (let index = 0; index < keys.length; index++) {
    if (isOrdered[index]) continue
    let head = index
    for (let before = predecessor[head]!; before !== NONE && before !== index; before = predecessor[head]!)
      head = before
    // In a cycle the search for the head stops next to `index`.
    if (predecessor[head] === index) head = index
    for (let next = head; next !== NONE && !isOrdered[next]; next = successor[next]!) {
      isOrdered[next] = 1
      ordered.push(keys[next]!)
    }
  }
  return ordered
}
