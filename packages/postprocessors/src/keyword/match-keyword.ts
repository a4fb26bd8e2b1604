/**
 * @module
 * Finds keywords as whole words, in any language that the platform's segmenter supports.
 */
import {
  checkOption,
  checkOptions,
  choice,
  flag,
  list,
  type OptionTable,
  required,
  text as string,
} from '@x/core/options'
import { ModelValidationError, type ValidationIssue } from '@x/core-model'
import { languageFaults, newSegmenter } from '../segmenter.ts'
import { findPhrases } from './find-phrases.ts'
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

const OPTIONS: OptionTable<KeywordMatchOptions & { match?: string }> = {
  lang: string,
  caseSensitive: flag,
  wordBoundaries: flag,
  match: choice('any', 'all'),
}

/**
 * Returns a predicate: whether a string contains one of `keywords` (`match: 'any'`, the default) or all of them (`'all'`).
 * Strings are compared in Unicode normal form C. White space in a keyword matches any white space.
 * `art` does not occur in `party`, `do` occurs in `don't`, `C` does not occur in `C++`, and `京都` not in `東京都`.
 * The time is linear in the length of the string, and in that of the keywords.
 * @example
 * keywordMatcher(['New York'])('in New  York City') // => true
 * keywordMatcher(['art'])('a party') // => false
 * @throws {ModelValidationError} for a blank keyword, or when `lang` is not a language tag.
 * @throws {MissingDependencyError} if the runtime has no `Intl.Segmenter`.
 */
export function keywordMatcher(
  keywords: readonly string[],
  options: KeywordMatchOptions & { match?: 'any' | 'all' } = {},
): (text: string) => boolean {
  checkOptions('keywordMatcher', options, OPTIONS)
  const { lang = 'en', caseSensitive = true, wordBoundaries = true, match = 'any' } = options
  checkOption('keywordMatcher', 'keywords', keywords, required(list))
  for (const [index, keyword] of keywords.entries())
    checkOption('keywordMatcher', `keywords[${index}]`, keyword, required(string))
  const faults = [...keywordFaults('keywords', keywords), ...languageFaults(lang)]
  if (faults.length > 0) throw new ModelValidationError('keywordMatcher', faults)
  const fold = (text: string) => (caseSensitive ? text.normalize('NFC') : text.normalize('NFC').toLocaleLowerCase(lang))
  const segmenter = wordBoundaries ? newSegmenter(lang, 'word', 'keywordMatcher') : undefined
  const wanted = [...new Set(keywords.map((keyword) => fold(keyword).trim().replace(/\s+/g, ' ')))]
  const find = findPhrases(wanted)
  return (text) => {
    const folded = fold(text)
    const boundaries = segmenter && new WordBoundaries(folded, segmenter)
    const missing = new Set(wanted.keys())
    find(folded, (keyword, start, end) => {
      if (boundaries && !(boundaries.has(end) && boundaries.has(start))) return false
      missing.delete(keyword)
      return match === 'any' || missing.size === 0
    })
    return match === 'any' ? missing.size < wanted.length : missing.size === 0
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
