/**
 * @module
 * The stems of English words.
 * @see Porter, An algorithm for suffix stripping, 1980. https://tartarus.org/martin/PorterStemmer/
 */
import { checkGiven, text as string } from '@x/core/options'

/** The suffixes of a step, and what replaces them. The longest suffix that a word has counts. */
function suffixes(pairs: string): [RegExp, ReadonlyMap<string, string>] {
  const map = new Map(pairs.split(' ').map((pair) => pair.split(':') as [string, string]))
  return [new RegExp(`(${[...map.keys()].join('|')})$`), map]
}

const SECOND = /* @__PURE__ */ suffixes(
  'ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e ousli:ous ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble logi:log',
)
const THIRD = /* @__PURE__ */ suffixes('icate:ic ative: alize:al iciti:ic ical:ic ful: ness:')
const FOURTH = /(?:al|ance|ence|er|ic|[ai]ble|ant|ement|ment|ent|(?<=[st])ion|ou|ism|ate|iti|ous|ive|ize)$/

/** Writes each letter as `v` (vowel) or `c` (consonant). A `y` behind a consonant is a vowel. */
const shapeOf = (word: string): string => word.replace(/[aeiou]|(?<=[^aeiou])y/g, 'V').replace(/[^V]/g, 'c')

/** The number of consonants behind vowels. */
const measureOf = (word: string): number => shapeOf(word).match(/Vc/g)?.length ?? 0

const endsShort = (word: string): boolean => /cVc$/.test(shapeOf(word)) && !/[wxy]$/.test(word)

function replaced(word: string, [pattern, by]: [RegExp, ReadonlyMap<string, string>]): string {
  const suffix = pattern.exec(word)?.[1]
  if (suffix === undefined) return word
  const stem = word.slice(0, -suffix.length)
  return measureOf(stem) > 0 ? stem + by.get(suffix)! : word
}

function withoutPast(word: string): string {
  if (word.endsWith('eed')) return measureOf(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const stem = word.replace(/(?:ed|ing)$/, '')
  if (stem === word || !shapeOf(stem).includes('V')) return word
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (/([^aeioulsz])\1$/.test(stem)) return stem.slice(0, -1)
  return measureOf(stem) === 1 && endsShort(stem) ? `${stem}e` : stem
}

/**
 * Returns the stem of an English word in lower case: what it has in common with its other forms. Words with other letters than a to z are
 * returned unchanged.
 * @example
 * ['connections', 'connected', 'relational', 'flies'].map(englishStem) // => ['connect', 'connect', 'relat', 'fli']
 */
export function englishStem(word: string): string {
  if (typeof word !== 'string') checkGiven('englishStem', { word }, string)
  if (!/^[a-z]{3,}$/.test(word)) return word
  let stem = word.replace(/(ss|i)es$/, '$1').replace(/([^s])s$/, '$1')
  stem = withoutPast(stem)
  if (stem.endsWith('y') && shapeOf(stem.slice(0, -1)).includes('V')) stem = `${stem.slice(0, -1)}i`
  stem = replaced(replaced(stem, SECOND), THIRD)
  const shorter = stem.replace(FOURTH, '')
  if (measureOf(shorter) > 1) stem = shorter
  if (stem.endsWith('e')) {
    const short = stem.slice(0, -1)
    const measure = measureOf(short)
    if (measure > 1 || (measure === 1 && !endsShort(short))) stem = short
  }
  return stem.endsWith('ll') && measureOf(stem) > 1 ? stem.slice(0, -1) : stem
}
