/**
 * @module
 * A tokenizer that splits text of any language into search terms, without a dictionary.
 */

/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u
const WORD = /[\p{L}\p{M}\p{N}_]+/gu
const RUNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]\p{M}*(?:[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]\p{M}*)*|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu
// taskId → task Id, HTMLTable → HTML Table, utf8 → utf 8, a_b → a b
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lt}\p{Lm}\p{M}]+|\p{N}+/gu

/**
 * Returns the search terms of a string, in order, with repetitions.
 *
 * Terms are lower-case, without the accents of Latin letters (`café` → `cafe`) and without a plural `s` (`parsers` →
 * `parser`). An identifier yields itself and its parts (`taskId` → `taskid`, `task`, `id`). Scripts without
 * spaces, such as Chinese, Japanese or Thai, are split into pairs of adjacent characters.
 * @example
 * tokenizeWords('Two parsers: nodeParser, 検索結果')
 * // => ['two', 'parser', 'nodeparser', 'node', 'parser', '検索', '索結', '結果']
 */
export function tokenizeWords(text: string): string[] {
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

function pushWord(terms: string[], word: string): void {
  // Fast path: most words are plain lower-case ASCII.
  if (/^[a-z]+$/.test(word)) {
    terms.push(singular(word))
    return
  }
  terms.push(term(word))
  const parts = word.match(PART)
  if (parts && parts.length > 1) for (const part of parts) terms.push(term(part))
}

function pushPairs(terms: string[], run: string): void {
  const characters = Array.from(run)
  if (characters.length === 1) terms.push(run)
  for (let i = 1; i < characters.length; i++) terms.push(characters[i - 1]! + characters[i]!)
}

function term(word: string): string {
  return singular(
    word
      .toLowerCase()
      .normalize('NFD')
      .replace(/[\u0300-\u036f]/g, '')
      .normalize('NFC'),
  )
}

function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s')) return word
  const before = word[word.length - 2]!
  return before === 's' || before === 'u' || before === 'i' ? word : word.slice(0, -1)
}
