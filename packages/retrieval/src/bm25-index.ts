/**
 * @module
 * Ranking texts by the words they share with a query: Okapi BM25 over an inverted index.
 */
import { tokenizeWords } from './tokenize-words.ts'

/** How texts are split and weighed. */
export interface Bm25Options {
  /** How soon more occurrences of a term stop to count more; 0 counts a term once. @defaultValue 1.5 */
  k1?: number
  /** How much long texts are held back: 0 not at all, 1 fully. @defaultValue 0.75 */
  b?: number
  /** Splits a text or a query into terms. @defaultValue {@link tokenizeWords} */
  tokenize?: (text: string) => string[]
}

/** A text that shares a term with the query. */
export interface Bm25Match {
  /** The number of the text: 0 for the first one added. */
  index: number
  /** Greater than 0; comparable within one search only. */
  score: number
}

/**
 * An index over plain texts.
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
  /** Per term: texts and counts, one after the other. */
  private readonly postings = new Map<string, { texts: number[]; counts: number[] }>()
  private readonly lengths: number[] = []
  private total = 0

  constructor(options: Bm25Options = {}) {
    this.k1 = options.k1 ?? 1.5
    this.b = options.b ?? 0.75
    this.tokenize = options.tokenize ?? tokenizeWords
  }

  /** The number of texts. */
  get size(): number {
    return this.lengths.length
  }

  /** Adds a text; gives back its number. */
  add(text: string): number {
    const terms = this.tokenize(text)
    const counts = new Map<string, number>()
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
    const index = this.lengths.push(terms.length) - 1
    this.total += terms.length
    for (const [term, count] of counts) {
      let posting = this.postings.get(term)
      if (!posting) {
        posting = { texts: [], counts: [] }
        this.postings.set(term, posting)
      }
      posting.texts.push(index)
      posting.counts.push(count)
    }
    return index
  }

  /** The best texts first, equal scores in the order they were added; texts that share no term are left out. */
  search(query: string, limit = 10): Bm25Match[] {
    const scores = new Map<number, number>()
    const { k1, b, size } = this
    const average = this.total / size
    for (const term of new Set(this.tokenize(query))) {
      const posting = this.postings.get(term)
      if (!posting) continue
      const { texts, counts } = posting
      const rarity = Math.log(1 + (size - texts.length + 0.5) / (texts.length + 0.5))
      for (let i = 0; i < texts.length; i++) {
        const index = texts[i]!
        const count = counts[i]!
        const gain = (count * (k1 + 1)) / (count + k1 * (1 - b + (b * this.lengths[index]!) / average))
        scores.set(index, (scores.get(index) ?? 0) + rarity * gain)
      }
    }
    const matches = Array.from(scores, ([index, score]) => ({ index, score }))
    return matches.sort((one, other) => other.score - one.score || one.index - other.index).slice(0, limit)
  }
}
