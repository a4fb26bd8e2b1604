/**
 * @module
 * The citations of an answer: numbers of passages in square brackets, and whether a passage contains what is cited from it.
 */

/** A citation in an answer, such as `[2]`, `[1, 3]` or `[1-3]`. */
export interface Citation {
  /** The offset of its bracket in the answer. */
  start: number
  /** The offset after it. */
  end: number
  /** The numbers of the passages, in the order of the answer. */
  numbers: number[]
}

/** A citation, or code that may contain brackets. A link `[1](…)` and a definition `[1]: …` are not citations. */
const CITATION =
  /(`{1,3})[^`]{0,10000}\1|[[【]\s{0,3}\^?((?:\d{1,4})(?:\s{0,3}[,;–-]\s{0,3}\^?\d{1,4}){0,20})(?:†[^\]】\n]{0,40})?\s{0,3}[\]】](?![(:])/g

/**
 * Returns the citations of an answer, in order. Brackets in code are not citations. Takes linear time.
 * @example
 * findCitations('Green [1]. Not `a[0]` [2, 4-5].').map(({ numbers }) => numbers) // => [[1], [2, 4, 5]]
 */
export function findCitations(answer: string): Citation[] {
  return Array.from(answer.matchAll(CITATION)).flatMap(({ 0: found, 2: inside, index }) =>
    inside === undefined ? [] : [{ start: index, end: index + found.length, numbers: numbersIn(inside) }],
  )
}

/** The largest range of a citation that is read as a range. */
const WIDEST = 50

function numbersIn(list: string): number[] {
  const numbers = list.split(/[,;]/).flatMap((part) => {
    const [first = 0, last = first] = (part.match(/\d+/g) ?? []).map(Number)
    if (last < first || last - first > WIDEST) return [first, last]
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
  return [...new Set(numbers)]
}

/** The length of a statement that is looked at, in characters. */
const LONGEST = 2000

/** Returns the sentence of an answer before an offset, which a citation at this offset is for. */
export function statementBefore(answer: string, offset: number): string {
  const parts = answer.slice(Math.max(0, offset - LONGEST), offset).split(/(?<=[.!?])\s+|\n|\]/)
  return parts.findLast((part) => /\w/.test(part)) ?? ''
}

/** Numbers, code and quoted words: values that an answer must have from its source. */
const VALUES = /`([^`\n]+)`|[“"]([^”"\n]{1,80})[”"]|(?<![\w.:-])(\d(?:[\d.,]*\d)?)(?![\w:-])/g

/**
 * Returns the first number, code or quoted text of a statement that a string does not contain; null if it contains all of them.
 * @example
 * missingValue('The limit is 50 and `max` is "high".', 'max: high, limit: 10') // => '50'
 */
export function missingValue(statement: string, text: string): string | null {
  for (const [, code, quoted, number] of statement.matchAll(VALUES)) {
    const value = (code ?? quoted ?? number) as string
    if (!text.includes(value)) return value
  }
  return null
}
