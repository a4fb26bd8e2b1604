/**
 * @module
 * The language of a question, as far as its small words and its script show it.
 */
import { termsOf, wordsOf } from './words.ts'

/** Frequent words of languages, without those that several of them share. */
const SMALL_WORDS = `English the what how which does is are where when why can do of to with my this there
German der die das wie ich ist nicht welche welcher welches kann und mit wird wo warum werden eine einen für auf wenn sind gibt beim zum zur im des dem den ein es
French le les des comment est une quel quelle pour je puis dans avec pourquoi où quels quelles sont du ne peut fait
Spanish el los cómo qué cuál una para puedo por dónde cuándo las hay del está cuáles son con se
Italian il gli come che quale posso per dove quando perché sono della dei una è quali nel
Portuguese o os como qual posso para onde quando uma por não são quais em está às ao
Dutch de het hoe welke kan ik een wat waar wanneer waarom niet voor met zijn worden
Polish jak jest czy się nie co gdzie kiedy dlaczego które który na dla mogę
Swedish hur är det och jag kan vilken vilka inte för när varför att en ett
Turkish nasıl nedir bir ve için ne hangi nerede mi mı var olan`
  .split('\n')
  .map((line) => {
    const [name = '', ...words] = line.split(' ')
    return { name, words: new Set(words) }
  })

/** Scripts that one language, or a few, are written in. */
const SCRIPTS: readonly [name: string, script: RegExp][] = [
  ['Japanese', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['Chinese', /\p{Script=Han}/u],
  ['Korean', /\p{Script=Hangul}/u],
  ['Russian or another language in Cyrillic', /\p{Script=Cyrillic}/u],
  ['Arabic', /\p{Script=Arabic}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Thai', /\p{Script=Thai}/u],
  ['Hindi', /\p{Script=Devanagari}/u],
]

/** Returns the script of a word, as the language that it stands for; undefined for Latin letters. */
const scriptOf = (word: string): string | undefined => SCRIPTS.find(([, script]) => script.test(word))?.[0]

/**
 * Returns the language of a question; null unless it is clear.
 * @param isUnknown - whether most words of the question are in no document: then one small word is sufficient
 */
export function languageOf(question: string, isUnknown: boolean): string | null {
  const words = wordsOf(question.toLowerCase()).map(([word]) => word)
  // Names and code are written in Latin letters in every language. Japanese has characters of Chinese.
  const scripts = words.flatMap((word) => scriptOf(word) ?? [])
  if (scripts.length > 0) return scripts.includes('Japanese') ? 'Japanese' : scripts[0]!
  const [first, second] = SMALL_WORDS.map(({ name, words: small }) => ({
    name,
    count: new Set(words.filter((word) => small.has(word))).size,
  })).sort((one, other) => other.count - one.count)
  return first!.count >= (isUnknown ? 1 : 2) && first!.count > second!.count ? first!.name : null
}

/** The share of sections that contain a small word of the language that they are written in. */
const COMMON = 0.05

/**
 * Returns the language of documents; null unless it is clear.
 * @param countOf - returns the number of sections that contain a term
 * @param sections - the number of sections
 * @param terms - the terms of the documents
 */
export function languageOfTexts(
  countOf: (term: string) => number,
  sections: number,
  terms: Iterable<string>,
): string | null {
  const [first, second] = SMALL_WORDS.map(({ name, words }) => {
    const counts = [...words].map((word) => countOf(termsOf(word)[0] ?? word)).sort((one, other) => other - one)
    return { name, count: counts[4] ?? 0 }
  }).sort((one, other) => other.count - one.count)
  if (first!.count > COMMON * sections) return first!.count > 2 * second!.count ? first!.name : null
  const scripts = new Map<string | undefined, number>()
  let all = 0
  for (const term of terms) {
    const script = scriptOf(term)
    scripts.set(script, (scripts.get(script) ?? 0) + 1)
    all++
  }
  const [most] = [...scripts].sort(([, one], [, other]) => other - one)
  if (scripts.get('Japanese') && most?.[0] === 'Chinese') return 'Japanese'
  return most?.[0] !== undefined && most[1] > all / 3 ? most[0] : null
}
