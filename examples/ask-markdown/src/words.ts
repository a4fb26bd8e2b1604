/**
 * @module
 * Words and what is left of them for comparing: used by the search and by the stand-in model alike.
 */
import { tokenizeWords } from '@x/retrieval'

/** The words of a text in order, in lower case and without a plural `s`. */
export const wordsOf = tokenizeWords

/** Endings that say little about what a word means, the longest first. */
const ENDING = /(?:ations?|ions?|ings?|ies?|ers?|als?|ed|es|s|e|y)$/

/** The beginning that a word shares with its relatives: `parser` and `parsing` are both `pars`. */
export function stem(word: string): string {
  const shortened = word.replace(ENDING, '')
  return shortened.length >= 4 ? shortened : word
}

/** The stems of all words of a text, for an index of words. */
export function stemsOf(text: string): string[] {
  return wordsOf(text).map(stem)
}

/** Where `phrase` stands in `words`, as a run without gaps; -1 when it does not, or is empty. */
export function findPhrase(words: readonly string[], phrase: readonly string[]): number {
  if (phrase.length === 0) return -1
  const last = words.length - phrase.length
  for (let start = 0; start <= last; start++) {
    if (phrase.every((word, index) => words[start + index] === word)) return start
  }
  return -1
}

/** Words that build sentences, but are also the names of things: of operators, types and answers. */
const NAMING_WORDS = new Set(wordsOf('any all some each both only not no yes and or if then'))

const EMPTY_WORDS = new Set([
  ...NAMING_WORDS,
  ...wordsOf(
    `a an the this that these those there here but than so as at by for from in into of on onto to
    with without within about over under between per via i me my you your he she it its we us our they them their
    is are was were be been being am do does did done has have had having can could may might must shall should
    will would every also too very just please tell show give let
    what which who whom whose when where why how much many`,
  ),
])

const ASKING_WORDS = new Set(
  wordsOf(
    `value cell row column entry line number table section chapter part heading page file document documentation text
    passage stand stands say says said speak speaks speaking mention mentions mentioned describe describes described
    explain explains explained define defines definition mean means meaning find found list listed answer question
    support supports supported use uses used using work works working happen happens`,
  ),
)

const KIND_WORDS = new Set(
  wordsOf(
    `option options setting settings field property parameter argument function method class type package module
    error errors feature default item thing name kind`,
  ),
)

/** Words that only build the sentence. */
export function isEmptyWord(word: string): boolean {
  return EMPTY_WORDS.has(word)
}

/** Empty words that may be meant as a name. */
export function isNamingWord(word: string): boolean {
  return NAMING_WORDS.has(word)
}

/** Words that say what is asked for (a value, a row, a section) but not about what. */
export function isAskingWord(word: string): boolean {
  return ASKING_WORDS.has(word)
}

/** Words that say of what kind a thing is, which documents often leave out. */
export function isKindWord(word: string): boolean {
  return KIND_WORDS.has(word)
}
