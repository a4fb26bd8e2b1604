/**
 * @module
 * The default tokenizer: the terms that find most in text whose language is not known beforehand.
 */
import { lazy } from '@x/core/values'
import { englishStem } from './english-stem.ts'
import { isFunctionWord, languageOf } from './languages.ts'
import { englishStopWords } from './stop-words.ts'
import { fold, pushGrams, tokenizerOf, type WordTokenizer, withoutPlural } from './word-tokenizer.ts'

/** The number of characters of the parts of words in languages with many endings and compounds. */
const PART = 3
/** What begins the part of a word: the part `lay` of `Layer` is not the word `lay`. */
const MARK = '~'

const LATIN = /^[\p{Script=Latin}\p{N}_]+$/u

function pushWithParts(terms: string[], word: string): void {
  terms.push(withoutPlural(word))
  pushGrams(terms, word, PART, MARK)
}

const english = /* @__PURE__ */ tokenizerOf((terms, word) => {
  if (LATIN.test(word)) terms.push(englishStem(word))
  else if (word !== '') pushWithParts(terms, word)
})
/** The stems of English function words. */
const functionStems = /* @__PURE__ */ lazy(() => new Set(englishStopWords.map((word) => englishStem(word))))

/** The terms of an English text. A function word counts once, so that it is found, and does not make the text longer than others. */
function englishTerms(text: string): string[] {
  const stems = functionStems()
  const seen = new Set<string>()
  return english(text).filter((term) => {
    if (!stems.has(term)) return true
    const isFirst = !seen.has(term)
    seen.add(term)
    return isFirst
  })
}

const other = /* @__PURE__ */ tokenizerOf((terms, word) => {
  if (word !== '') pushWithParts(terms, word)
})
/** A query finds both the stems in English texts and the words in others. */
const englishQuery = /* @__PURE__ */ tokenizerOf((terms, word) => {
  if (LATIN.test(word)) terms.push(...new Set([englishStem(word), withoutPlural(word)]))
  else if (word !== '') pushWithParts(terms, word)
})
/**
 * A query in another language, or in one that is not clear. A word in Latin letters counts `weight` times, its parts once: they are many,
 * and rare where most texts are English.
 */
const queryWithParts = (weight: number) =>
  tokenizerOf((terms, word) => {
    if (word === '') return
    const forms = [...new Set([englishStem(word), withoutPlural(word)])]
    const repetitions = LATIN.test(word) ? weight : 1
    for (let i = 0; i < repetitions; i++) terms.push(...forms)
    pushGrams(terms, word, PART, MARK)
  })
const otherQuery = /* @__PURE__ */ queryWithParts(2)
const unclearQuery = /* @__PURE__ */ queryWithParts(3)

/** Returns a query without the function words of its language. Words in capitals, such as IT and US, stay. */
function withoutFunctionWords(text: string, language: string): string {
  return text.replace(/[\p{L}\p{M}\p{N}_'’]+/gu, (word) => {
    if (word.length > 1 && word === word.toUpperCase() && text !== text.toUpperCase()) return word
    return isFunctionWord(word.toLowerCase(), language) || isFunctionWord(fold(word), language) ? ' ' : word
  })
}

/** @see tokenizeText */
function tokenizeQuery(text: string): string[] {
  const language = languageOf(text)
  const tokenize = language === null ? unclearQuery : language === 'en' ? englishQuery : otherQuery
  const terms = language === null || language === 'other' ? [] : tokenize(withoutFunctionWords(text, language))
  return terms.length > 0 ? terms : tokenize(text)
}

/**
 * Returns the search terms of a string; `tokenizeText.query` returns those of a query. The default of `Bm25Index` and `Bm25Retriever`.
 *
 * Words of English strings, and of strings whose language is not clear, are stems; each function word counts once. Words of other languages are themselves and their runs of
 * three characters, so that compounds and inflected words are found by their parts. Function words are left out of a query while other
 * words remain; words of other languages count more than their parts there. Identifiers, and scripts without spaces, are split as by `tokenizeWords`.
 * @example
 * tokenizeText('The connected parsers') // => ['the', 'connect', 'parser']
 * tokenizeText('Das Hochhaus') // => ['das', 'hochhaus', '~hoc', '~och', '~chh', '~hha', '~hau', '~aus']
 * tokenizeText.query('Which parsers are connected?') // => ['parser', 'connect', 'connected']
 */
export const tokenizeText: WordTokenizer & { readonly query: (text: string) => string[] } =
  /* @__PURE__ */ Object.assign((text: string) => (isEnglish(languageOf(text)) ? englishTerms : other)(text), {
    query: tokenizeQuery,
  })

const isEnglish = (language: string | null): boolean => language === null || language === 'en'
