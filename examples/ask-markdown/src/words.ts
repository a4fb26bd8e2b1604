/**
 * @module
 * Words and stems, for the search and for the stand-in model.
 */
import { tokenizeWords } from '@x/retrieval'

/** Returns the words of a string in order, in lower case and without a plural `s`. */
export const wordsOf = tokenizeWords

/** Endings to remove, longest first. */
const ENDING = /(?:ations?|ions?|ings?|ies?|ers?|als?|ed|es|s|e|y)$/

/** Forms of irregular verbs. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  `draw drew drawn|write wrote written|build built|sell sold|buy bought|keep kept|send sent|make made|begin began begun
  |break broke broken|choose chose chosen|drive drove driven|eat ate eaten|fall fell fallen|fly flew flown
  |forget forgot forgotten|grow grew grown|know knew known|leave left|lose lost|meet met|pay paid|run ran|rise rose risen
  |see saw seen|sing sang sung|speak spoke spoken|stand stood|steal stole stolen|swim swam swum|take took taken|teach taught
  |think thought|throw threw thrown|tell told|win won|wear wore worn|lead led|hold held|spend spent|catch caught|bring brought`
    .split('|')
    .flatMap((forms) => {
      const [base = '', ...others] = forms.trim().split(/\s+/)
      return others.map((form): [string, string] => [form, base])
    }),
)

/** Returns the stem of a word: `parser` and `parsing` both have the stem `pars`. */
export function stem(form: string): string {
  const word = IRREGULAR.get(form) ?? form
  const shortened = word.replace(ENDING, '')
  return shortened.length >= 4 ? shortened : word
}

/** Returns the stems of all words of a string, and its numbers with dots, such as `3.1`. */
export function stemsOf(text: string): string[] {
  const numbers = text.match(/\d+(?:\.\d+)+/g) ?? []
  return [...wordsOf(text).map(stem), ...numbers]
}

/** Function words that may also be names: of operators, types and answers. */
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
    support supports supported use uses used using work works working happen happens
    go goes get gets make makes take takes taken need needs needed include includes included contain contains give gives given
    allow allowed permit permitted possible come comes call called keep want exist exists offer offers provide provides
    receive receives belong belongs put step steps altogether together total sum average mean combined overall new changed
    difference compare compared`,
  ),
)

const KIND_WORDS = new Set(
  wordsOf(
    `option options setting settings field property parameter argument function method class type package module
    error errors feature default item thing name kind`,
  ),
)

/** Returns the stems of the words of a string, without function words. */
export function subjectStems(text: string): string[] {
  return wordsOf(text)
    .filter((word) => !isEmptyWord(word))
    .map(stem)
}

/** Whether a word is a function word, such as "the". */
export function isEmptyWord(word: string): boolean {
  return EMPTY_WORDS.has(word)
}

/** Whether a function word may be a name. */
export function isNamingWord(word: string): boolean {
  return NAMING_WORDS.has(word)
}

/** Whether a word names the requested form (a value, a row, a section), not the subject. */
export function isAskingWord(word: string): boolean {
  return ASKING_WORDS.has(word)
}

/** Whether a word names a kind of thing, which documents often omit. */
export function isKindWord(word: string): boolean {
  return KIND_WORDS.has(word)
}
