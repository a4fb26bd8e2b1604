/**
 * @module
 * The citations of an answer: numbers of passages in square brackets, and whether a passage contains what is cited from it.
 */
import { callback, checkOption, list, required, text as string } from '@x/core/options'

/** A citation in an answer, such as `[2]`, `[1, 3]`, `[1-3]` or `[Passage 2]`. */
export interface Citation {
  /** The offset of its bracket in the answer. */
  start: number
  /** The offset after it. */
  end: number
  /** The numbers of the passages, in the order of the answer. */
  numbers: number[]
}

/** A citation, or code that may contain brackets. A link `[1](…)` and a line that defines one, `[1]: …`, are not citations. */
const CITATION =
  /(`{1,3})[^`]{0,10000}\1|[[【]\s{0,3}(?:passages?\s)?\^?(\d{1,4}(?:\s{0,3}(?:[,;、&~–—‑-]|(?:,\s)?and)\s{0,3}\^?\d{1,4}){0,20})(?:†[^\]】\n]{0,40})?\s{0,3}[\]】](?!\(|:(?<=^ {0,3}\[\^?\d{1,4}\]:))/gim

/** Returns a string of the same length with ASCII characters instead of the full-width ones that are `among`. */
export function plainSigns(text: string, among = /[\uff01-\uff5e]/g): string {
  return text.replace(among, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
}

/** The full-width characters of a citation. A colon behind it is text: `如下［1］：`. */
const CITATION_SIGNS = /[，－～０-９；［］＾]/g

/**
 * Returns the citations of an answer, in order. Brackets in code are not citations. Takes linear time.
 * @example
 * findCitations('Green [1]. Not `a[0]` [2, 4-5].').map(({ numbers }) => numbers) // => [[1], [2, 4, 5]]
 */
export function findCitations(answer: string): Citation[] {
  checkOption('findCitations', 'answer', answer, required(string))
  return Array.from(plainSigns(answer, CITATION_SIGNS).matchAll(CITATION)).flatMap(({ 0: found, 2: inside, index }) =>
    inside === undefined ? [] : [{ start: index, end: index + found.length, numbers: numbersIn(inside) }],
  )
}

/** The largest range of a citation that is read as a range. */
const WIDEST = 50

function numbersIn(list: string): number[] {
  const numbers = Array.from(list.matchAll(/(\d+)(?:\s*[~–—‑-]\s*\^?(\d+))?/g)).flatMap(([, from, to = from]) => {
    const [first, last] = [Number(from), Number(to)]
    if (last < first || last - first > WIDEST) return [first, last]
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
  return [...new Set(numbers)]
}

/** A citation with the result of its check. */
export interface CheckedCitation extends Citation {
  /** Why the cited passages do not support the statement that this citation is for; null if no problem was found. */
  problem: string | null
}

/** The length of a statement that is looked at, in characters. */
const LONGEST = 2000
const SENTENCE_END = /(?<=[.!?…])\s+|(?<=[。！？])|\n/
const WORD = /[\p{L}\p{N}]/u
/** A number in the notation of any language, such as `1,000.50`, `1.000,50` or `1 000`. */
const NUMBER = String.raw`(?<![\w.:-])(\d{1,3}(?:[ '’\u00a0\u202f]\d{3})+(?!\d)(?:[.,]\d+)?|\d(?:[\d.,]*\d)?)`
/** Code, quoted words and numbers: values that an answer must have from its source. */
const VALUES = new RegExp(String.raw`\`([^\`\n]+)\`|[“"„]([^”“„"\n]{1,80})[”“"]|${NUMBER}(?![\w:-])`, 'g')
const NUMBERS = new RegExp(NUMBER, 'g')

/**
 * Checks each citation of an answer: whether the cited passages contain the numbers, code and quoted words of the statement that it is for.
 * That is the sentence before it, from the previous citation on; the rest of its sentence if nothing before it can be checked. Citations
 * that follow each other support a statement together. Returns per citation `does not contain "…"` with the first value that is missing, or
 * null.
 * @param citations - the ranges of the citations in the answer, in order, such as those of {@link findCitations}.
 * @param textOf - returns what a citation stands for; an empty string if it does not exist.
 * @example
 * const answer = 'The limit is 50 [1]. It was 99 [1].'
 * checkCitations(answer, findCitations(answer), () => 'limit: 50') // => [null, 'does not contain "99"']
 */
export function checkCitations<C extends { start: number; end: number }>(
  answer: string,
  citations: readonly C[],
  textOf: (citation: C) => string,
): (string | null)[] {
  checkOption('checkCitations', 'answer', answer, required(string))
  checkOption('checkCitations', 'citations', citations, required(list))
  checkOption('checkCitations', 'textOf', textOf, required(callback))
  const groups = groupsOf(answer, citations)
  return groups.flatMap((group, at) => {
    const from = groups[at - 1]?.at(-1)?.end ?? 0
    const to = groups[at + 1]?.[0]?.start ?? answer.length
    const missing = missingValue(statementOf(answer, group, from, to), group.map(textOf).join('\n'))
    return group.map(() => (missing === null ? null : `does not contain ${JSON.stringify(missing)}`))
  })
}

/** Returns citations without words between them, such as `[1][2]`, together. */
function groupsOf<C extends { start: number; end: number }>(answer: string, citations: readonly C[]): C[][] {
  const groups: C[][] = []
  for (const citation of citations) {
    const last = groups.at(-1)
    const before = last?.at(-1)
    if (last && before && !WORD.test(answer.slice(before.end, citation.start))) last.push(citation)
    else groups.push([citation])
  }
  return groups
}

/** Returns the statement that citations are for, between the citations before and behind them. */
function statementOf(
  answer: string,
  group: readonly { start: number; end: number }[],
  from: number,
  to: number,
): string {
  const { start } = group[0]!
  const { end } = group.at(-1)!
  const parts = answer.slice(Math.max(from, start - LONGEST), start).split(SENTENCE_END)
  const before = parts.findLast((part) => WORD.test(part)) ?? ''
  if (before.search(VALUES) >= 0) return before
  const rest = answer.slice(end, Math.min(to, end + LONGEST))
  const sentence = rest.split(SENTENCE_END, 1)[0]!
  // Without an end of its sentence, the rest leads to the next citation.
  return sentence === rest && to < answer.length ? before : sentence
}

/** The number of an item of a list, with the marks before it. */
const ITEM = /^[\s>#*_-]{0,8}\d{1,3}[.)][*_]{0,3}(?:\s|$)/

/** Returns the first number, code or quoted text of a statement that a string does not contain; null if it contains all of them. */
function missingValue(statement: string, text: string): string | null {
  for (const [, code, quoted, number] of statement.replace(ITEM, '').matchAll(VALUES)) {
    if (code !== undefined && !text.includes(code)) return code
    if (quoted !== undefined && !wordsOf(text).includes(wordsOf(quoted).replace(/[.,;:!?…]$/, ''))) return quoted
    if (number !== undefined && !hasAnyNotation(plainSigns(text), number)) return number
  }
  return null
}

/** Returns a string in one line, without the marks of Markdown, and with plain apostrophes. */
const wordsOf = (text: string): string => text.replace(/[*_`]/g, '').replace(/\s+/g, ' ').replaceAll('’', "'")

const SPACES = /[ '’\u00a0\u202f]/

/** Whether a string contains a number in this or another notation, or two numbers that stand beside each other in the answer. */
function hasAnyNotation(text: string, number: string): boolean {
  if (hasNumber(text, number)) return true
  const wanted = readingsOf(number)
  for (const [found] of text.matchAll(NUMBERS))
    if (readingsOf(found).some((reading) => wanted.includes(reading))) return true
  const parts = number.split(SPACES)
  return parts.length > 1 && parts.every((part) => hasAnyNotation(text, part))
}

/** Returns what a number may mean, in one notation: `1,000` is `1000.`, `1.000` is that or `1.`, and `2.50` is `2.5`. */
function readingsOf(number: string): string[] {
  const digits = number.split(SPACES).join('')
  const readings: string[] = []
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(digits)) readings.push(digits.replaceAll(',', ''))
  else if (/^\d+(?:[.,]\d+)?$/.test(digits)) readings.push(digits.replace(',', '.'))
  if (/^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(digits)) readings.push(digits.replaceAll('.', '').replace(',', '.'))
  return readings.map((reading) => {
    const [whole = '', fraction = ''] = reading.split('.')
    let end = fraction.length
    while (fraction[end - 1] === '0') end--
    const kept = fraction.slice(0, end)
    return `${whole.replace(/^0+(?=\d)/, '')}.${kept}`
  })
}

/** Whether a string contains a number as such: `9` is not in `99`, `1.9` or `9,500`, and is in `1,9,5`; `1.2` is in the version `1.2.3`. */
function hasNumber(text: string, number: string): boolean {
  const before = /^\d{3}(?!\d)/.test(number) ? /\d[.,]?$/ : /\d\.?$/
  const behind = number.includes('.') ? /^\d/ : /^(?:\d|\.\d+(?!\.?\d)|,\d{3}(?!\d))/
  for (let at = text.indexOf(number); at >= 0; at = text.indexOf(number, at + 1)) {
    const end = at + number.length
    const isPart = before.test(text.slice(Math.max(0, at - 2), at))
    if (!isPart && !behind.test(text.slice(end, end + 12))) return true
  }
  return false
}
