/**
 * @module
 * Finds keywords as whole words, in any language that the platform's segmenter supports.
 */
import { checkOption, list, required, text as string } from '@x/core/options'
import { ModelValidationError, type ValidationIssue } from '@x/core-model'
import { languageFaults, newSegmenter } from '../segmenter.ts'
import { WordBoundaries } from './word-boundaries.ts'

/** The options of {@link keywordMatcher}. */
interface KeywordMatchOptions {
  /** The language tag of the searched strings, such as `en` or `th`; it determines word boundaries. @defaultValue 'en' */
  lang?: string
  /** Whether `Red` and `red` are different keywords. @defaultValue true */
  caseSensitive?: boolean
  /** Whether a match must begin and end at a word boundary. @defaultValue true */
  wordBoundaries?: boolean
}

const space = /\s/

/**
 * Returns a predicate: whether a string contains one of `keywords` (`match: 'any'`, the default) or all of them (`'all'`).
 * Strings are compared in Unicode normal form C. White space in a keyword matches any white space.
 * `art` does not occur in `party`, `do` occurs in `don't`, `C` does not occur in `C++`, and `京都` not in `東京都`.
 * The time is linear in the length of the string.
 * @example
 * keywordMatcher(['New York'])('in New  York City') // => true
 * keywordMatcher(['art'])('a party') // => false
 * @throws {ModelValidationError} for a blank keyword, or when `lang` is not a language tag.
 * @throws {MissingDependencyError} if the runtime has no `Intl.Segmenter`.
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
  checkOption('keywordMatcher', 'keywords', keywords, required(list))
  for (const [index, keyword] of keywords.entries())
    checkOption('keywordMatcher', `keywords[${index}]`, keyword, required(string))
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

/** Returns an issue for each blank keyword, which would match every string or none. */
export function keywordFaults(field: string, keywords: readonly string[]): ValidationIssue[] {
  return keywords.flatMap((keyword, index) =>
    keyword.trim() === ''
      ? [{ path: `${field}[${index}]`, message: 'expected a keyword, received a blank string', code: 'blank' }]
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

/** Returns the end of the phrase whose first piece begins at `start`; -1 if the other pieces do not follow. */
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
