/**
 * @module
 * Tokenizers that split a string of any language into search terms, without a dictionary.
 */
import {
  callback,
  checkGiven,
  checkOptions,
  having,
  type OptionTable,
  text as string,
  wholeNumber,
} from '@x/core/options'

/** Splits an indexed string or a query into terms, in order, with repetitions. */
export interface WordTokenizer {
  (text: string): string[]
  /** Splits a query, if its terms differ from those of an indexed string. @defaultValue the tokenizer itself */
  query?: ((text: string) => string[]) | undefined
}

/** The options of {@link wordTokenizer}. */
interface WordTokenizerOptions {
  /** Words to leave out, such as `englishStopWords`. Compared without case and accents. @defaultValue no words */
  stopWords?: Iterable<string> | undefined
  /**
   * Returns the stem of a word, which is passed in lower case and without accents. Replaces the removal of plural endings.
   * Pass the function of a stemmer library for your language.
   */
  stem?: ((word: string) => string) | undefined
  /**
   * Adds the runs of this many characters of each longer word, so that compounds and inflected words are found by their parts. An
   * integer of at least 2; 3 suits languages with many endings or compounds. Makes the index several times larger. @defaultValue no n-grams
   */
  ngrams?: number | undefined
}

const tokenizerOptions: OptionTable<WordTokenizerOptions> = {
  stopWords: having('words, as an array or a set', Symbol.iterator),
  stem: callback,
  ngrams: wholeNumber(2),
}

// Scripts without spaces between words, and Hangul, whose words end in particles.
const UNSPACED_CHARACTER =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー]'
const UNSPACED = new RegExp(UNSPACED_CHARACTER, 'u')
const UNSPACED_RUN = `${UNSPACED_CHARACTER}\\p{M}*(?:${UNSPACED_CHARACTER}\\p{M}*)*`
const RUNS = new RegExp(`${UNSPACED_RUN}|[^${UNSPACED_CHARACTER.slice(1)}+`, 'gu')
const WORD = /[\p{L}\p{M}\p{N}_]+/gu
// taskId → task Id, HTMLTable → HTML Table, utf8 → utf 8, a_b → a b
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lt}\p{Lm}\p{M}]+|\p{N}+/gu
// Accents of Latin, Greek and Cyrillic letters; vowel signs of Arabic, and the stroke that lengthens its words.
const ACCENTS = /[\u0300-\u036f\u064b-\u0655\u0670\u0640]/g
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ς: 'σ',
  ى: 'ي',
  ة: 'ه',
}
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')

/**
 * Returns a tokenizer for `Bm25Index` and `Bm25Retriever`.
 *
 * Terms are in lower case, without accents (`café` → `cafe`, `ß` → `ss`) and without plural endings (`parsers` →
 * `parser`, `queries` → `query`). Words in `-e` after a hissing sound lose it, as their plural does (`cache`, `caches` → `cach`).
 * An identifier yields itself and its parts (`taskId` → `taskid`, `task`, `id`). Korean, and scripts without spaces such as
 * Chinese, Japanese or Thai, are split into pairs of adjacent characters.
 * @throws {ModelValidationError} if `ngrams` is not an integer of at least 2.
 * @example
 * const tokenize = wordTokenizer({ stopWords: ['the', 'of'], stem: (word) => word.replace(/ing$/, '') })
 * tokenize('The parsing of tables') // => ['pars', 'tables']
 * @example
 * wordTokenizer({ ngrams: 4 })('Hochhaus') // => ['hochhaus', 'hoch', 'ochh', 'chha', 'hhau', 'haus']
 */
export function wordTokenizer(options: WordTokenizerOptions = {}): WordTokenizer {
  checkOptions('wordTokenizer', options, tokenizerOptions)
  const { stem = withoutPlural, ngrams } = options
  const stopWords = new Set(Array.from(options.stopWords ?? [], fold))

  return tokenizerOf((terms, word) => {
    if (word === '' || stopWords.has(word)) return
    terms.push(stem(word))
    if (ngrams !== undefined) pushGrams(terms, word, ngrams)
  })
}

/** Returns a tokenizer that calls `push` for each word and each part of an identifier, in lower case and without accents. */
export function tokenizerOf(push: (terms: string[], word: string) => void): WordTokenizer {
  const pushWord = (terms: string[], word: string): void => {
    // Fast path: most words are plain lower-case ASCII.
    if (/^[a-z]+$/.test(word)) {
      push(terms, word)
      return
    }
    push(terms, fold(word))
    const parts = word.match(PART)
    if (parts && (parts.length > 1 || parts[0] !== word)) for (const part of parts) push(terms, fold(part))
  }
  return (text) => {
    const terms: string[] = []
    for (const [word] of text.normalize('NFKC').matchAll(WORD)) {
      if (!UNSPACED.test(word)) {
        pushWord(terms, word)
        continue
      }
      for (const [run] of word.matchAll(RUNS)) {
        if (UNSPACED.test(run)) pushPairs(terms, run)
        else pushWord(terms, run)
      }
    }
    return terms
  }
}

const defaultTokenizer = /* @__PURE__ */ wordTokenizer()

/**
 * Returns the search terms of a string, as a {@link wordTokenizer} without options does.
 * @example
 * tokenizeWords('Two parsers: nodeParser, 検索結果')
 * // => ['two', 'parser', 'nodeparser', 'node', 'parser', '検索', '索結', '結果']
 */
export function tokenizeWords(text: string): string[] {
  checkGiven('tokenizeWords', { text }, string)
  return defaultTokenizer(text)
}

function pushPairs(terms: string[], run: string): void {
  const characters = Array.from(run)
  if (characters.length === 1) terms.push(run)
  for (let i = 1; i < characters.length; i++) terms.push(characters[i - 1]! + characters[i]!)
}

/** Adds the runs of `length` characters of a longer word. @param mark - what begins each of them */
export function pushGrams(terms: string[], word: string, length: number, mark = ''): void {
  const characters = Array.from(word)
  if (characters.length <= length) return
  for (let i = length; i <= characters.length; i++) terms.push(mark + characters.slice(i - length, i).join(''))
}

/** In lower case, without accents. */
export function fold(word: string): string {
  return word
    .toLowerCase()
    .normalize('NFD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replace(LETTER, (letter) => LETTERS[letter]!)
}

/**
 * Removes the plural ending of an English word, or of a word of a language with similar plurals. Some singulars are changed too, so that
 * they equal their plurals: the plurals `caches` and `matches` do not show whether the singular ends in `-e`.
 */
export function withoutPlural(word: string): string {
  if (word.length < 4) return word
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (word.endsWith('ie')) return `${word.slice(0, -2)}y`
  const singular = withoutS(word)
  // classe → class, cache → cach, potatoe → potato, and lense → lens → len as lens itself
  return /..(?:[sxz]|[cs]h)e$|...oe$/.test(singular) ? withoutS(singular.slice(0, -1)) : singular
}

function withoutS(word: string): string {
  return word.length > 3 && /[^siu]s$/.test(word) ? word.slice(0, -1) : word
}
