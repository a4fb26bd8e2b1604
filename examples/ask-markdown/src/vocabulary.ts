/**
 * @module
 * The words of the documents: finds the words of a query that no document contains, and similar words that may be meant.
 */
import { isEmptyWord, stem, wordsOf } from './words.ts'

/** A query with corrected words. */
export interface CorrectedQuery {
  text: string
  /** The words that were replaced. */
  spelling: Record<string, string>
  /** The words that no document contains, and that are similar to no word of the documents. */
  unknown: string[]
}

/** The shortest word that is corrected, and the shortest one that may have two errors. */
const SHORTEST = 5
const SHORTEST_FOR_TWO = 8

/** The words of the documents. */
export class Vocabulary {
  private readonly counts: Map<string, number>
  private readonly stems: Set<string>

  /** @param counts - the words of another vocabulary; see `words()`. */
  constructor(counts: Readonly<Record<string, number>> = {}) {
    this.counts = new Map(Object.entries(counts))
    this.stems = new Set([...this.counts.keys()].map(stem))
  }

  /** Returns the number of occurrences of each word. */
  words(): Record<string, number> {
    return Object.fromEntries(this.counts)
  }

  /** Adds the words of a text. */
  add(text: string): void {
    for (const word of wordsOf(text)) {
      this.counts.set(word, (this.counts.get(word) ?? 0) + 1)
      this.stems.add(stem(word))
    }
  }

  /** Returns the query with misspelt words replaced. */
  correct(query: string): CorrectedQuery {
    const spelling: Record<string, string> = {}
    const unknown: string[] = []
    const text = query.replace(/[\p{L}\p{M}\p{N}_]+/gu, (word) => {
      const [whole, ...parts] = wordsOf(word)
      if (
        whole === undefined ||
        isEmptyWord(whole) ||
        this.has(whole) ||
        (parts.length > 0 && parts.every((part) => this.has(part)))
      )
        return word
      const similar = parts.length > 0 ? null : this.similar(whole)
      if (similar === null) {
        unknown.push(word)
        return word
      }
      spelling[word] = similar
      return similar
    })
    return { text, spelling, unknown }
  }

  private has(word: string): boolean {
    return this.stems.has(stem(word))
  }

  /** Returns the most similar word; of equally similar ones the most frequent one. Null if none is similar. */
  private similar(word: string): string | null {
    if (word.length < SHORTEST || !/^\p{L}+$/u.test(word)) return null
    let best: string | null = null
    let bestDistance = word.length >= SHORTEST_FOR_TWO ? 2 : 1
    for (const [known, count] of this.counts) {
      if (Math.abs(known.length - word.length) > bestDistance || !/^\p{L}+$/u.test(known)) continue
      const distance = editDistance(word, known, bestDistance)
      if (distance > bestDistance) continue
      if (best !== null && distance === bestDistance && !isBetter(known, best, word, count - this.counts.get(best)!))
        continue
      best = known
      bestDistance = distance
    }
    return best
  }
}

/** Of equally similar words, one with the same letters is more likely, then the more frequent one. */
function isBetter(one: string, other: string, word: string, more: number): boolean {
  const letters = (text: string) => [...text].sort().join('')
  const same = Number(letters(one) === letters(word)) - Number(letters(other) === letters(word))
  return same > 0 || (same === 0 && more > 0)
}

/** Returns the number of insertions, deletions, replacements and swaps between two words; at most `limit` + 1. */
export function editDistance(one: string, other: string, limit: number): number {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1]
      let cost = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        cost = Math.min(cost, before[j - 2]! + 1)
      next.push(cost)
    }
    if (Math.min(...next) > limit) return limit + 1
    before = row
    row = next
  }
  return row[other.length]!
}
