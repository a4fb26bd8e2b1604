/**
 * @module
 * Find keywords as whole words, in any language that the platform's segmenter knows.
 */
import { ModelValidationError, type ValidationIssue } from '@x/core-model'
import { languageFaults, newSegmenter } from '../segmenter.ts'
import { WordBoundaries } from './word-boundaries.ts'

/** How keywords are looked for. */
export interface KeywordMatchOptions {
  /** Language tag of the texts, such as `en` or `th`: decides where words begin and end. Default `en`. */
  lang?: string
  /** Whether `Red` and `red` are different words. Default true. */
  caseSensitive?: boolean
  /** Whether an occurrence has to begin and end at a word boundary. Default true. */
  wordBoundaries?: boolean
}

const space = /\s/

/**
 * Makes the test that tells whether one of `keywords` (`any`, the default) or each of them (`all`) occurs in a text.
 * Text and keywords are compared in Unicode normal form C; white space in a keyword matches any white space.
 * `art` does not occur in `party`, `do` occurs in `don't`, `C` does not occur in `C++`, and `京都` not in `東京都`.
 * The time is linear in the length of the text.
 * @example
 * keywordMatcher(['New York'])('in New  York City') // => true
 * keywordMatcher(['art'])('a party') // => false
 * @throws {ModelValidationError} for a blank keyword, or when `lang` is no language tag.
 * @throws {MissingDependencyError} when the runtime has no `Intl.Segmenter`.
 */
export function keywordMatcher(
  keywords: readonly string[],
  {
    lang = 'en',
    caseSensitive = true,
    wordBoundaries = true,
    match = 'any',
  }: KeywordMatchOptions & { match?: 'any' | 'all' } = {},
): (text: string) => boolean {
  const faults = [...keywordFaults('keywords', keywords), ...languageFaults(lang)]
  if (faults.length > 0) throw new ModelValidationError('keywordMatcher', faults)
  const fold = (text: string) => (caseSensitive ? text.normalize('NFC') : text.normalize('NFC').toLocaleLowerCase(lang))
  const segmenter = wordBoundaries ? newSegmenter(lang, 'word', 'keywordMatcher') : undefined
  const wanted = keywords.map((keyword) => fold(keyword).trim().split(/\s+/))
  return (text) => {
    const folded = fold(text)
    const boundaries = segmenter && new WordBoundaries(folded, segmenter)
    const occurs = (pieces: readonly string[]) => occursIn(folded, pieces, boundaries)
    return match === 'all' ? wanted.every(occurs) : wanted.some(occurs)
  }
}

/** What is wrong with a list of keywords: a blank one would occur in every text, or in none. */
export function keywordFaults(field: string, keywords: readonly string[]): ValidationIssue[] {
  return keywords.flatMap((keyword, index) =>
    keyword.trim() === ''
      ? [{ path: `${field}[${index}]`, message: 'expected a keyword, got a blank text', code: 'blank' }]
      : [],
  )
}

function occursIn(text: string, pieces: readonly string[], boundaries: WordBoundaries | undefined): boolean {
  const first = pieces[0]!
  for (let start = text.indexOf(first); start !== -1; start = text.indexOf(first, start + 1)) {
    const end = endOfPhrase(text, start, pieces)
    if (end !== -1 && (!boundaries || (boundaries.has(start) && boundaries.has(end)))) return true
  }
  return false
}

/** The end of the phrase that begins at `start`, where its first piece stands; -1 when the other pieces do not follow. */
function endOfPhrase(text: string, start: number, pieces: readonly string[]): number {
  let end = start + pieces[0]!.length
  for (const piece of pieces.slice(1)) {
    let next = end
    while (next < text.length && space.test(text[next]!)) next++
    if (next === end || !text.startsWith(piece, next)) return -1
    end = next + piece.length
  }
  return end
}
