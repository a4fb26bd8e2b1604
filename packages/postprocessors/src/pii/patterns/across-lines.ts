/**
 * @module
 * Numbers that a line break of a paragraph separates.
 */
import { lazy } from '@x/core/values'
import type { Range } from './plain-signs.ts'
import { replaceRanges, sourceRange } from './read-encoded.ts'

/** The digits and signs at the end of a line and at the beginning of the next one. */
export interface SplitNumber {
  /** The end of the line: `+49 30`. */
  before: string
  /** The beginning of the next one: `901820`. */
  after: string
  /** The text in which the number stands, and the offset of `before` in it. */
  text: string
  start: number
}

const formsOf = (sign: string) => ({
  /** A line break within a paragraph, a list item or a quote. Two blanks before it are a hard line break. */
  lineBreak: new RegExp(String.raw`(?<=[${sign})][-./]?) ?\n[ \t]{0,12}(?:>[ \t]?){0,3}(?=\(?[${sign}])`, 'gu'),
  before: new RegExp(String.raw`(?<![\p{Lu}\p{Ll}\p{N}])(?:\+ ?)?\(?[${sign}][${sign} ()./-]{0,40}$`, 'u'),
  after: new RegExp(String.raw`^\(?[${sign}][${sign} ()./-]{0,40}`, 'u'),
  /** A marker of a list, a date, a time, a decimal number, an amount, or a part of a word. */
  other: new RegExp(
    String.raw`^(?:\d{1,3}[.)][ \t]+\S|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d|[${sign} ()./-]{1,40}(?:(?<=\d)[\p{Lu}\p{Ll}_]|[:,]\d|(?<=\d ?)[%€$£]))`,
    'u',
  ),
})

/**
 * Returns a finder that also finds what stands on both sides of a line break, if `isOne` says that it is clearly one number. A number that
 * is alone on its line, as in a column, is not the beginning of one unless it begins with a plus.
 * @param sign - the signs of such a number, as a class of a regular expression.
 */
export function acrossLines(
  find: (text: string) => readonly Range[],
  isOne: (number: SplitNumber) => boolean,
  sign = String.raw`\d`,
): (text: string) => readonly Range[] {
  const forms = lazy(() => formsOf(sign))
  return (text) => {
    if (!text.includes('\n')) return find(text)
    const { lineBreak, before, after, other } = forms()
    const breaks: (Range & { by: string })[] = []
    for (const { 0: found, index } of text.matchAll(lineBreak)) {
      const end = index + found.length
      const next = text.slice(end, end + 48)
      const line = text.slice(Math.max(0, index - 96, text.lastIndexOf('\n', index - 1) + 1), index)
      const number = before.exec(line)
      if (number === null || other.test(next)) continue
      if (!number[0].startsWith('+') && !/\p{L}/u.test(line.slice(0, number.index))) continue
      const start = index - number[0].length
      if (isOne({ before: number[0], after: after.exec(next)![0].trimEnd(), text, start }))
        breaks.push({ start: index, end, by: ' ' })
    }
    if (breaks.length === 0) return find(text)
    const joined = replaceRanges(text, breaks)
    return find(joined.text).map(({ start, end }) => sourceRange(joined, start, end))
  }
}

/** Returns the digits of a string. */
export const digitsOf = (text: string): string => text.replace(/\D/g, '')
