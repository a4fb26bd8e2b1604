/**
 * @module
 * The default tokenizer: the terms that find most in text whose language is not known beforehand.
 */

import { checkGiven, text as string } from '@x/core/options'
import { addToList, lazy } from '@x/core/values'
import { englishStem, englishStopWords } from './english.ts'
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
/** A query finds both the stems in English text and the words in other text. */
const englishQuery = /* @__PURE__ */ tokenizerOf((terms, word) => {
  if (LATIN.test(word)) terms.push(...new Set([englishStem(word), withoutPlural(word)]))
  else if (word !== '') pushWithParts(terms, word)
})
/**
 * A query in another language, or in one that is not clear. A word in Latin letters counts `weight` times, its parts once: they are many,
 * and rare where most documents are English.
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
 * Words of English strings, and of strings whose language is not clear, are stems; each function word counts once. Words of other languages
 * are themselves and their runs of three characters, so that compounds and inflected words are found by their parts. Function words are
 * left out of a query while other words remain; words of other languages count more than their parts there. Identifiers, and scripts
 * without spaces, are split as by `tokenizeWords`.
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

/** Frequent function words of languages in Latin letters. Languages that are not listed are recognized by their accents. */
const others: Readonly<Record<string, string>> = {
  de: 'der die das und ist nicht ein eine einen einem einer zu den von vom mit für auf dem des im sich wie was wo wer wann sind wird werden wurde hat auch als bei aus nach durch welche welcher welches in an am so was war will man um er es sie ich wir aber oder nur noch über unter kein keine hier all',
  fr: 'le la les des du un une est et dans que qui pour pas sur par au aux quel quelle comment quand sont il elle ce cette ne se on me a en ou',
  es: 'el la los las un una del de es y en que por con para se qué cómo cuál cuándo dónde son al lo su fue no me a e o',
  it: 'il lo la gli le della delle del di che è un una per con non sono come nel dei si da in a o i me no',
  pt: 'o os as a do da dos das em um uma não com para que é na no por se são e me',
  nl: 'de het een en van is dat niet op zijn met voor wat wie hoe waar te aan door in of is was as over we',
  tr: 've bir bu için ile da ne mi olarak olan nedir nasıl hangi kim kaç en',
  sv: 'och att det som är en ett på av för med den var vad hur',
  id: 'yang dan di dengan untuk dari pada adalah ini itu apa',
  pl: 'i w na z do się jest nie że to jak co kto jaki',
}

/** The languages that have a word, by the word. */
let languages: Map<string, string[]> | undefined

function known(): Map<string, string[]> {
  if (languages) return languages
  languages = new Map()
  const words = {
    en: englishStopWords,
    ...Object.fromEntries(Object.entries(others).map(([name, list]) => [name, list.split(' ')])),
  }
  for (const [name, list] of Object.entries(words)) for (const word of new Set(list)) addToList(languages, word, name)
  return languages
}

/** Words of prose, without the parts of addresses, paths and code such as `.com`, `/de/` and `math.add`. */
const WORD = /(?<![\p{L}\p{N}_./\\@#$:=-])\p{Script=Latin}+(?![\p{L}\p{N}_/\\@#$=\-(]|[.:]\S)/gu
/** The number of characters that are looked at. */
const LOOKED_AT = 2000
/** The share of words with accents in a string that is not English. */
const ACCENTED = 1 / 8

/**
 * Returns the language of a string in Latin letters: `en`, one of the others, or `other` for a string with many accents; null if no word
 * shows it, or English and another language have as many words. Each word counts once. Parts of addresses and code do not count, and
 * single letters only for English.
 */
export function languageOf(text: string): string | null {
  checkGiven('tokenizeText', { text }, string)
  const all = known()
  const counts = new Map<string, number>()
  const counted = new Set<string>()
  let [words, accented] = [0, 0]
  for (const [word] of text.slice(0, LOOKED_AT).toLowerCase().matchAll(WORD)) {
    words++
    if (/[^a-z]/.test(word)) accented++
    if (counted.has(word)) continue
    counted.add(word)
    for (const name of all.get(word) ?? [])
      if (name === 'en' || word.length > 1) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  let [best, most]: [string | null, number] = [null, 0]
  for (const [name, count] of counts) if (name !== 'en' && count > most) [best, most] = [name, count]
  if (accented > 0 && accented >= words * ACCENTED) return best ?? 'other'
  const english = counts.get('en') ?? 0
  return english > most ? 'en' : english === most ? null : best
}

/** Whether a word is a function word of a language. */
function isFunctionWord(word: string, language: string): boolean {
  return known().get(word)?.includes(language) ?? false
}
