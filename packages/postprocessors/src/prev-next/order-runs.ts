/**
 * @module
 * Orders linked items by their links.
 */

/** The keys of the neighbours of an item; null without a neighbour. */
export interface Links {
  next: string | null
  previous: string | null
}

/**
 * Returns the keys of `items` so that each chain of links is contiguous and in chain order. Chains are in the order of their
 * earliest member. A link is used if at least one of its ends has it and both ends exist. Each item has at most one successor and
 * one predecessor: `next` links take precedence, then the order of the items. A cycle starts at its earliest member.
 */
export function orderRuns(items: ReadonlyMap<string, Links>): string[] {
  const successor = new Map<string, string>()
  const predecessor = new Map<string, string>()
  const link = (from: string | null, to: string | null) => {
    if (from === null || to === null || from === to || !items.has(from) || !items.has(to)) return
    if (successor.has(from) || predecessor.has(to)) return
    successor.set(from, to)
    predecessor.set(to, from)
  }
  for (const [key, { next }] of items) link(key, next)
  for (const [key, { previous }] of items) link(previous, key)

  const ordered = new Set<string>()
  for (const key of items.keys()) {
    if (ordered.has(key)) continue
    let head = key
    for (let before = predecessor.get(head); before !== undefined && before !== key; before = predecessor.get(head))
      head = before
    // In a cycle the search for the head stops next to `key`.
    if (predecessor.get(head) === key) head = key
    for (let next: string | undefined = head; next !== undefined && !ordered.has(next); next = successor.get(next))
      ordered.add(next)
  }
  return [...ordered]
}
