/**
 * @module
 * The words of a question that a search looks for.
 */
import { englishStopWords, wordTokenizer } from '@x/retrieval'
// biome-ignore lint/correctness/noUndeclaredDependencies: the build contains it
import { stemmer } from 'stemmer'
import { relatedTerms } from './related-words.ts'

/** Words that ask, rather than say what for; the stop words of the tokenizer contain the others. */
const QUESTION_WORDS = ['need', 'get', 'mean', 'another', 'want', 'like', 'call', 'called']

/** The maximum number of stems that are kept. */
const STEMS = 50_000
const stems = new Map<string, string>()

/** Documents repeat their words, and stemming takes most of the time of an index. */
function stem(word: string): string {
  let found = stems.get(word)
  if (found === undefined) {
    found = stemmer(word)
    if (stems.size >= STEMS) stems.clear()
    stems.set(word, found)
  }
  return found
}

/** Returns the terms of a string: words without endings, identifiers also by their parts. */
export const termsOf = wordTokenizer({ stem })

const withoutStopWords = wordTokenizer({ stem, stopWords: englishStopWords })
const withoutQuestionWords = wordTokenizer({ stem, stopWords: [...englishStopWords, ...QUESTION_WORDS] })

/** The terms that documentations use for a term. */
export const related = relatedTerms((word) => termsOf(word)[0] as string)

/**
 * Returns the different terms of a question. Words such as "the" and "how" are left out while others remain, unless they are written as
 * code or in capitals: a search for `this`, or for IT.
 */
export function questionTerms(question: string): string[] {
  const isShouted = !/\p{Ll}/u.test(question)
  const meant = Array.from(question.matchAll(/`([^`]+)`|\b(\p{Lu}{2,})\b/gu), ([, code, capitals]) =>
    code !== undefined ? code : isShouted ? '' : (capitals as string),
  ).flatMap(termsOf)
  for (const tokenize of [withoutQuestionWords, withoutStopWords, termsOf]) {
    const terms = new Set([...tokenize(question), ...meant])
    if (terms.size > 0) return [...terms]
  }
  return []
}

/** What a question asks for, as far as its form shows. */
export interface QuestionForm {
  asksForNumber: boolean
  asksForDefault: boolean
  asksHow: boolean
  asksForName: boolean
}

/** Returns the form of a question. */
export function formOf(question: string): QuestionForm {
  const text = question.toLowerCase()
  return {
    asksForNumber:
      /^(?:\w+ )?how (?:many|much|long|big|large|often|old)\b|\b(?:maximum|minimum|number of|limit|size|port|timeout|version)\b/.test(
        text,
      ),
    asksForDefault: /\bdefault|\bunless\b|when (?:i|it|none|nothing)\b.*\b(?:not|none|no)\b/.test(text),
    asksHow: /^how (?:do|can|to|should)\b|^can i\b/.test(text),
    asksForName: /^(?:which|what) (?!is\b|are\b|does\b|do\b)/.test(text),
  }
}

/** Returns the words of a string as they are written, with their places. */
export function wordsOf(text: string): RegExpExecArray[] {
  return [...text.matchAll(/[\p{L}\p{M}\p{N}_]+/gu)]
}

/** Returns the words of a question that a search looks for, as they are written. */
export function searchedWords(question: string): string[] {
  const searched = new Set(questionTerms(question))
  return wordsOf(question)
    .map(([word]) => word)
    .filter((word) => termsOf(word).some((term) => searched.has(term)))
}
