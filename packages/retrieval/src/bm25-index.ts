/**
 * @module
 * An inverted index that ranks strings by the terms they share with a query (Okapi BM25).
 */
import { tokenizeWords } from './tokenize-words.ts'

/** The tokenizer and the weights of a BM25 index. */
export interface Bm25Options {
  /** Term frequency saturation: the higher, the more a repeated term adds; 0 counts each term once. @defaultValue 1.5 */
  k1?: number
  /** Length normalization, which lowers the score of long strings: 0 is off, 1 is full. @defaultValue 0.75 */
  b?: number
  /** Splits an indexed string or a query into terms. @defaultValue {@link tokenizeWords} */
  tokenize?: (text: string) => string[]
}

/** An indexed string that shares at least one term with the query. */
export interface Bm25Match {
  /** The position in order of insertion: 0 for the first string added. */
  index: number
  /** Greater than 0. Comparable only with scores of the same search. */
  score: number
}

/**
 * A BM25 index over strings.
 * @see Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009.
 * @example
 * const index = new Bm25Index()
 * for (const text of ['red apples', 'green pears', 'red wine']) index.add(text)
 * index.search('an apple').map(({ index }) => index) // => [0]
 */
export class Bm25Index {
  private readonly k1: number
  private readonly b: number
  private readonly tokenize: (text: string) => string[]
  /** Per term: the positions of the strings that contain it, and how often each contains it (parallel arrays). */
  private readonly postings = new Map<string, { indexes: number[]; counts: number[] }>()
  private readonly lengths: number[] = []
  private total = 0

  constructor(options: Bm25Options = {}) {
    this.k1 = options.k1 ?? 1.5
    this.b = options.b ?? 0.75
    this.tokenize = options.tokenize ?? tokenizeWords
  }

  /** The number of indexed strings. */
  get size(): number {
    return this.lengths.length
  }

  /** Adds a string and returns its position. */
  add(text: string): number {
    const terms = this.tokenize(text)
    const counts = new Map<string, number>()
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
    const index = this.lengths.push(terms.length) - 1
    this.total += terms.length
    for (const [term, count] of counts) {
      let posting = this.postings.get(term)
      if (!posting) {
        posting = { indexes: [], counts: [] }
        this.postings.set(term, posting)
      }
      posting.indexes.push(index)
      posting.counts.push(count)
    }
    return index
  }

  /**
   * Returns the strings that share a term with the query, best first. Equal scores keep the order of insertion.
   * @param limit - the maximum number of matches
   */
  search(query: string, limit = 10): Bm25Match[] {
    const scores = new Map<number, number>()
    const { k1, b, size } = this
    const average = this.total / size
    for (const term of new Set(this.tokenize(query))) {
      const posting = this.postings.get(term)
      if (!posting) continue
      const { indexes, counts } = posting
      const rarity = Math.log(1 + (size - indexes.length + 0.5) / (indexes.length + 0.5))
      for (let i = 0; i < indexes.length; i++) {
        const index = indexes[i]!
        const count = counts[i]!
        const gain = (count * (k1 + 1)) / (count + k1 * (1 - b + (b * this.lengths[index]!) / average))
        scores.set(index, (scores.get(index) ?? 0) + rarity * gain)
      }
    }
    const matches = Array.from(scores, ([index, score]) => ({ index, score }))
    return matches.sort((one, other) => other.score - one.score || one.index - other.index).slice(0, limit)
  }
}
