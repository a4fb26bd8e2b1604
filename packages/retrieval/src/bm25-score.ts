/**
 * @module
 * The formula of BM25, for indexes in memory and in databases.
 * @see Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009.
 */
import { checkGiven, list } from '@x/core/options'

/** The default weights of `Bm25Options`. */
export const bm25Defaults: { readonly k1: number; readonly b: number } = { k1: 1.5, b: 0.75 }

/**
 * Returns the factors of a term of a query, for your own keyword index. A string of `length` terms that contains the term `count` times
 * gets the score `weight * count / (count + base + perTerm * length)`.
 * @param term.repetitions - how often the query contains the term
 * @param term.having - the number of strings that contain the term
 * @param index.size - the number of strings
 * @param index.terms - the number of terms in all strings
 * @example
 * bm25Factors({ k1: 1, b: 0.5 }, { repetitions: 1, having: 1 }, { size: 2, terms: 10 }).perTerm // => 0.1
 */
export function bm25Factors(
  weights: { readonly k1: number; readonly b: number },
  term: { repetitions: number; having: number },
  index: { size: number; terms: number },
): { weight: number; base: number; perTerm: number } {
  checkGiven('bm25Factors', { weights, term, index }, 'an object of numbers')
  const { k1, b } = weights
  return {
    weight: term.repetitions * (k1 + 1) * Math.log(1 + (index.size - term.having + 0.5) / (term.having + 0.5)),
    base: k1 * (1 - b),
    perTerm: (k1 * b * index.size) / index.terms,
  }
}

/**
 * Returns how often each term occurs.
 * @example
 * countTerms(['red', 'apples', 'red']).get('red') // => 2
 */
export function countTerms(terms: readonly string[]): Map<string, number> {
  checkGiven('countTerms', { terms }, list)
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}
