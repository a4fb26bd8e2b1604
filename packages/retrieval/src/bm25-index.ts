/**
 * @module
 * An inverted index that ranks strings by the terms they share with a query (Okapi BM25).
 */
import {
  callback,
  checkOption,
  checkOptions,
  invalidOption,
  numberFrom,
  type OptionTable,
  wholeNumber,
} from '@x/core/options'
import { bm25Defaults, bm25Factors, countTerms } from './bm25-score.ts'
import { tokenizeText } from './tokenize-text.ts'
import { TopMatches } from './top-matches.ts'
import type { WordTokenizer } from './word-tokenizer.ts'

/** The tokenizer and the weights of a BM25 index. */
export interface Bm25Options {
  /** Term frequency saturation: the higher, the more a repeated term adds; 0 counts each term once. @defaultValue 1.5 */
  k1?: number
  /** Length normalization, which lowers the score of long strings: 0 is off, 1 is full. @defaultValue 0.75 */
  b?: number
  /** Splits an indexed string or a query into terms; see `wordTokenizer`. @defaultValue {@link tokenizeText} */
  tokenize?: WordTokenizer
}

/** The checks of {@link Bm25Options}. */
export const bm25Options: OptionTable<Bm25Options> = { k1: numberFrom(0), b: numberFrom(0, 1), tokenize: callback }

/** An indexed string that shares at least one term with the query. */
export interface Bm25Match {
  /** The position of the string, as `add` returned it. */
  index: number
  /** Greater than 0. Comparable only with scores of the same search. */
  score: number
}

/** Term lists are purged when this many strings have been removed, and at least as many as the index still contains. */
const MIN_PURGED = 64

/**
 * A BM25 index over strings. A term that occurs several times in a query counts several times.
 * @see Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009.
 * @throws {ModelValidationError} if `k1` or `b` is out of range.
 * @example
 * const index = new Bm25Index()
 * for (const text of ['red apples', 'green pears', 'red wine']) index.add(text)
 * index.search('an apple').map(({ index }) => index) // => [0]
 */
export class Bm25Index {
  private readonly k1: number
  private readonly b: number
  private readonly tokenize: WordTokenizer
  /** Per term: the positions of the strings that contain it, each followed by how often the string contains it. */
  private readonly postings = new Map<string, number[]>()
  /** Per position: the number of terms; -1 for a removed string, which the term lists may still contain. */
  private readonly lengths: number[] = []
  /** Per position: a number that grows in the order of insertion. */
  private readonly sequences: number[] = []
  /** Positions that no term list contains. */
  private free: number[] = []
  /** The number of removed strings that the term lists still contain. */
  private removed = 0
  private count = 0
  private total = 0
  private nextSequence = 0
  /** One score per position, 0 between two searches. */
  private scores = new Float64Array(0)

  constructor(options: Bm25Options = {}) {
    checkOptions('Bm25Index', options, bm25Options)
    this.k1 = options.k1 ?? bm25Defaults.k1
    this.b = options.b ?? bm25Defaults.b
    this.tokenize = options.tokenize ?? tokenizeText
  }

  /** The number of indexed strings. */
  get size(): number {
    return this.count
  }

  /** Adds a string and returns its position: 0 for the first string. Positions of removed strings are used again. */
  add(text: string): number {
    return this.insert(text, this.nextSequence++)
  }

  /**
   * Replaces the string at a position and returns the position of the new one. Between equal scores, it keeps the rank of the old one.
   * @throws {ModelValidationError} if there is no string at this position.
   */
  replace(position: number, text: string): number {
    this.remove(position)
    return this.insert(text, this.sequences[position]!)
  }

  /**
   * Removes the string at a position.
   * @throws {ModelValidationError} if there is no string at this position.
   */
  remove(position: number): void {
    const length = this.lengths[position] ?? -1
    if (length < 0) throw invalidOption('Bm25Index', 'position', 'the position of a string in the index', position)
    this.lengths[position] = -1
    this.total -= length
    this.count--
    this.removed++
    if (this.removed >= MIN_PURGED && this.removed >= this.count) this.purge()
  }

  /**
   * Returns the strings that share a term with the query, best first. Equal scores keep the order of insertion.
   * @param limit - the maximum number of matches
   * @param accepts - whether the string at a position may be returned
   * @throws {ModelValidationError} if `limit` is not an integer of at least 0.
   */
  search(query: string, limit = 10, accepts?: (position: number) => boolean): Bm25Match[] {
    checkOption('Bm25Index', 'limit', limit, wholeNumber(0))
    if (this.scores.length < this.lengths.length) this.scores = new Float64Array(Math.ceil(this.lengths.length * 1.5))
    const { scores } = this
    const found: number[] = []
    for (const [term, repetitions] of countTerms((this.tokenize.query ?? this.tokenize)(query))) {
      const posting = this.postings.get(term)
      if (posting) this.addScores(posting, repetitions, found)
    }
    const top = new TopMatches(limit, this.sequences, accepts)
    try {
      for (const position of found) top.offer(position, scores[position]!)
    } finally {
      for (const position of found) scores[position] = 0
    }
    return top.sorted()
  }

  /** Adds what a term adds to the scores; appends the positions to `found` whose score was 0. */
  private addScores(posting: readonly number[], repetitions: number, found: number[]): void {
    const { k1, b, scores, lengths } = this
    const term = { repetitions, having: this.liveIn(posting) }
    const { weight, base, perTerm } = bm25Factors({ k1, b }, term, { size: this.count, terms: this.total })
    for (let i = 0; i < posting.length; i += 2) {
      const position = posting[i]!
      const length = lengths[position]!
      if (length < 0) continue
      const count = posting[i + 1]!
      const before = scores[position]!
      if (before === 0) found.push(position)
      scores[position] = before + (weight * count) / (count + base + perTerm * length)
    }
  }

  /** The number of strings in a term list that are not removed. */
  private liveIn(posting: readonly number[]): number {
    if (this.removed === 0) return posting.length / 2
    let live = 0
    for (let i = 0; i < posting.length; i += 2) if (this.lengths[posting[i]!]! >= 0) live++
    return live
  }

  private insert(text: string, sequence: number): number {
    const terms = this.tokenize(text)
    const position = this.free.pop() ?? this.lengths.length
    this.lengths[position] = terms.length
    this.sequences[position] = sequence
    this.total += terms.length
    this.count++
    for (const [term, count] of countTerms(terms)) {
      const posting = this.postings.get(term)
      if (posting) posting.push(position, count)
      else this.postings.set(term, [position, count])
    }
    return position
  }

  /** Takes removed strings out of the term lists. */
  private purge(): void {
    const { postings, lengths } = this
    for (const [term, posting] of postings) {
      let kept = 0
      for (let i = 0; i < posting.length; i += 2) {
        if (lengths[posting[i]!]! < 0) continue
        posting[kept++] = posting[i]!
        posting[kept++] = posting[i + 1]!
      }
      if (kept === 0) postings.delete(term)
      else posting.length = kept
    }
    this.free = lengths.flatMap((length, position) => (length < 0 ? [position] : []))
    this.removed = 0
  }
}
