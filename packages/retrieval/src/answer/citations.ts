/**
 * @module
 * The citations of an answer: numbers of passages in square brackets, and whether a passage contains what is cited from it.
 */
import { callback, checkOption, list, required, text as string } from '@x/core/options'
import { hasValues, missingValue, Passage, plainSigns } from './stated-values.ts'

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
/** No end is `8 a.m. on`, nor `4. März`. */
const SENTENCE_END =
  /(?<=[.!?…])\s+(?!\s|\p{Ll}|(?<=\d\.\s+)(?:Jan|Feb|M[aä]r|Mai|Apr|Ju[nl]|Aug|Sep|O[kc]t|Nov|De[cz]))|(?<=[。！？])|\n/u
const WORD = /[\p{L}\p{N}]/u

/**
 * Checks each citation of an answer: whether the cited passages contain the numbers, code and quoted words of the statement that it is for.
 * Numbers, times and dates may be in another notation; names with digits, such as `GPT-5`, do not count. The statement is the sentence
 * before the citation, from the previous one on; the rest of its sentence if nothing before it can be checked. Citations that follow each
 * other support a statement together. Returns per citation `does not contain "…"` with the first value that is missing, or null.
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
  const passages = new Map<string, Passage>()
  const groups = groupsOf(answer, citations)
  return groups.flatMap((group, at) => {
    const from = groups[at - 1]?.at(-1)?.end ?? 0
    const to = groups[at + 1]?.[0]?.start ?? answer.length
    const text = group.map(textOf).join('\n')
    const passage = passages.get(text) ?? new Passage(text)
    passages.set(text, passage)
    const missing = missingValue(statementOf(answer, group, from, to).replace(ITEM, ''), passage)
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
  if (hasValues(before)) return before
  const rest = answer.slice(end, Math.min(to, end + LONGEST))
  const sentence = rest.split(SENTENCE_END, 1)[0]!
  // Without an end of its sentence, the rest leads to the next citation.
  return sentence === rest && to < answer.length ? before : sentence
}

/** The number of an item of a list, with the marks before it. */
const ITEM = /^[\s>#*_-]{0,8}\d{1,3}[.)][*_]{0,3}(?:\s|$)/
