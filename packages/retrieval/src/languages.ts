/**
 * @module
 * The language of a string, as far as its function words show it.
 */
import { englishStopWords } from './stop-words.ts'

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
  for (const [name, list] of Object.entries(words))
    for (const word of new Set(list)) languages.set(word, [...(languages.get(word) ?? []), name])
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
export function isFunctionWord(word: string, language: string): boolean {
  return known().get(word)?.includes(language) ?? false
}
