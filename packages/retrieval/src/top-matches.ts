/**
 * @module
 * Selects the best matches of a search without sorting all of them.
 */

/** A position in an index, and its score. */
export interface ScoredPosition {
  index: number
  score: number
}

/**
 * Keeps the best `limit` of the positions passed to `offer`, in a binary heap with the worst of them first. Of two positions with equal
 * scores, the one that was added to the index first is the better.
 */
export class TopMatches {
  private readonly heap: ScoredPosition[] = []
  private readonly limit: number
  private readonly sequences: readonly number[]
  private readonly accepts: ((index: number) => boolean) | undefined

  /**
   * @param sequences - for each position, a number that grows in the order in which positions were added
   * @param accepts - whether a position may be returned; called only for positions with a sufficient score
   */
  constructor(limit: number, sequences: readonly number[], accepts: ((index: number) => boolean) | undefined) {
    this.limit = limit
    this.sequences = sequences
    this.accepts = accepts
  }

  /** Keeps a position if it is among the best so far. */
  offer(index: number, score: number): void {
    const { heap, limit } = this
    if (limit === 0) return
    if (heap.length === limit) {
      const worst = heap[0]!
      if (score < worst.score || (score === worst.score && this.sequences[index]! > this.sequences[worst.index]!))
        return
    }
    if (this.accepts && !this.accepts(index)) return
    const match = { index, score }
    if (heap.length < limit) this.siftUp(heap.push(match) - 1, match)
    else this.siftDown(match)
  }

  /** The kept positions, best first. */
  sorted(): ScoredPosition[] {
    return this.heap.sort((one, other) => (this.isWorse(one, other) ? 1 : -1))
  }

  private isWorse(one: ScoredPosition, other: ScoredPosition): boolean {
    if (one.score !== other.score) return one.score < other.score
    return this.sequences[one.index]! > this.sequences[other.index]!
  }

  private siftUp(start: number, match: ScoredPosition): void {
    const { heap } = this
    let at = start
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.isWorse(match, heap[parent]!)) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = match
  }

  /** Puts a match in the place of the worst one. */
  private siftDown(match: ScoredPosition): void {
    const { heap } = this
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && this.isWorse(heap[child + 1]!, heap[child]!)) child++
      if (!this.isWorse(heap[child]!, match)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = match
  }
}
