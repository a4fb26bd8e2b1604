/**
 * @module
 * Fingerprints of tokenizers: equal ones return the same terms. For indexes that outlive the process.
 */
import { callback, checkOption, required } from '@x/core/options'
import { ConfigurationError } from '@x/core-model'
import type { WordTokenizer } from './word-tokenizer.ts'

/** Words of several languages, an identifier, plurals. */
const PROBE =
  "The runner's boxes, running: nodeParser __init__ Straßen über Häuser; queries 検索結果 검색 결과 из домов كتب"

/**
 * Returns the terms of a fixed text as a string: tokenizers with the same string count as equal. An index that is saved stores it, and
 * refuses a different tokenizer.
 * @example
 * tokenizerFingerprint(tokenizeWords) === tokenizerFingerprint(wordTokenizer()) // => true
 * tokenizerFingerprint(tokenizeWords) === tokenizerFingerprint(wordTokenizer({ ngrams: 3 })) // => false
 */
export function tokenizerFingerprint(tokenize: WordTokenizer): string {
  checkOption('tokenizerFingerprint', 'tokenize', tokenize, required(callback))
  return JSON.stringify(tokenize(PROBE))
}

/**
 * Returns the error for an index that was created with a different tokenizer. For your own keyword index.
 * @param where - the index, and the option with the tokenizer.
 * @param place - what the other tokenizer needs, such as "a new database".
 * @example
 * otherTokenizer('MyIndex.tokenize', 'a new database').code // => 'configuration'
 */
export function otherTokenizer(where: string, place: string): ConfigurationError {
  return new ConfigurationError(
    `${where}: expected the tokenizer of the index, whose terms differ. Use it, or ${place}.`,
  )
}
