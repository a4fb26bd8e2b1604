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

/**
 * @module
 * Frequent words of several languages that say little about a subject; for the option `stopWords` of `wordTokenizer`.
 */

/** Articles, pronouns, prepositions, conjunctions and auxiliary verbs of English, and parts of words such as "don't". */
export const englishStopWords: readonly string[] = /* @__PURE__ */ list(`
  a an the this that these those there here such
  i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
  it its itself they them their theirs themselves one ones who whom whose which what when where why how
  of in on at by for from to into onto with without within about over under between among through during before after
  above below against per via upon off up down out
  and or but nor so if then than as because while until although though whether however therefore thus hence also
  is are was were be been being am do does did done doing has have had having can could may might must shall should
  will would not no cannot
  all any each every both either neither some more most many much other another same few several own only very too just
  again once further still yet ever please give tell show using used`)

/** Articles, pronouns, prepositions, conjunctions and auxiliary verbs of German. */
export const germanStopWords: readonly string[] = /* @__PURE__ */ list(`
  der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner dieser diese dieses diesen diesem
  jener jene jenes jeder jede jedes jeden alle allen aller alles solche solcher manche mancher
  ich mich mir mein meine du dich dir dein deine er ihn ihm sein seine seinen seinem seiner sie ihr ihre ihren ihrem ihrer es
  wir uns unser unsere euch euer man sich selbst wer wen wem wessen was wann wo warum wie welche welcher welches welchen
  in im an am auf aus bei beim bis durch für gegen mit nach ohne seit über um unter von vom vor während wegen zu zum zur zwischen
  und oder aber sondern denn weil dass ob wenn als damit also doch dann da so nur auch noch schon sehr mehr hier dort
  ist sind war waren bin bist sei wird werden wurde wurden worden hat haben hatte hatten kann können konnte muss müssen soll
  sollen will wollen darf dürfen mag nicht`)

/** Articles, pronouns, prepositions, conjunctions and auxiliary verbs of French. */
export const frenchStopWords: readonly string[] = /* @__PURE__ */ list(`
  le la les l un une des du de d au aux ce cet cette ces c cela ça
  je j me m moi mon ma mes tu te t toi ton ta tes il elle on se s soi son sa ses lui nous notre nos vous votre vos ils elles
  leur leurs eux y en qui que qu quoi dont où quel quelle quels quelles quand comment pourquoi combien
  à dans par pour sur sous avec sans entre vers chez depuis pendant avant après contre
  et ou mais donc or ni car si comme ainsi aussi alors puis plus moins très tout toute tous toutes même autre autres
  est sont était étaient être été suis es sommes êtes sera seront a ont avait avaient avoir ai as avons avez eu aura fait peut
  ne n pas`)

/** Articles, pronouns, prepositions, conjunctions and auxiliary verbs of Spanish. */
export const spanishStopWords: readonly string[] = /* @__PURE__ */ list(`
  el la los las lo un una unos unas del al este esta esto estos estas ese esa eso esos esas aquel aquella
  yo me mi mis tú te tu tus él ella ello se su sus nos nosotros nuestro nuestra vosotros ellos ellas le les
  quien quienes que qué cual cuál cuales cuando cuándo donde dónde como cómo cuanto cuánto por porque
  a ante bajo con contra de desde durante en entre hacia hasta para según sin sobre tras
  y e o u pero sino ni si aunque pues también muy más menos ya así todo toda todos todas otro otra otros otras mismo
  es son era eran ser sido soy eres somos fue fueron será está están estar estaba ha han había haber he hay tiene tienen puede
  no`)

function list(words: string): string[] {
  return words.trim().split(/\s+/)
}
