import { lazy } from '@x/core/values'
import type { Range } from './plain-signs.ts'

/** Digits that may be a telephone number, with the groups that they are written in. */
export interface PhoneCandidate extends Range {
  /** The groups, such as `['030', '901820']`. */
  groups: readonly string[]
}

const forms = /* @__PURE__ */ lazy(() => ({
  // Not within a word or a decimal number. A slash between blanks before a zero separates two numbers. At most 48 characters.
  digits:
    /(?<![\p{Lu}\p{Ll}\p{N}+]|\d\.|\d,(?=\d{1,2}(?!\d)))(?:\(\d{1,5}\) ?|\(?)\d(?:(?! \/ ?0)(?: ?[-/.] ?| {1,2}|\) ?| ?\((?=\d{1,5}\))|\)[-/] ?)?\d){4,16}(?!\d|\.\d|,\d{1,2}(?!\d))/gu,
  other:
    /^\d+[.,]\d{1,2}$|^0\d*\.\d+$|^(?:(?:\d{1,2}[./-]\d{1,2}[./-](?:\d\d|\d{4})|\d{4}[./-]\d{1,2}[./-]\d{1,2})(?!\d)|.*(?:\d\.\d+ |\d \d+\.\d))/,
  /** What stands behind an amount. */
  unit: /^ ?(?:[%‰°€$£¥₹₽₩]|(?:EUR|USD|GBP|CHF|JPY|CNY|PLN|SEK|NOK|DKK|CZK|INR|kr|zł|Euro|[kMG]?bps|[kKMGT]i?B|ms|[kcm]?m|kg|px|[kM]?Hz)(?![\p{L}\p{N}]))/u,
  /** The name of a file: `mobile-4048819644.log`. */
  inName: /[\p{L}\p{N}][-_/]$/u,
  extension: /^\.[a-z\d]{2,4}(?![\p{L}\p{N}@.])/u,
}))

/**
 * Returns the groups of digits with 5 to 15 digits together that may be telephone numbers; dates, decimal numbers, amounts and names of
 * files are not.
 */
export function phoneCandidates(text: string): PhoneCandidate[] {
  const { digits, other, unit, inName, extension } = forms()
  return [...text.matchAll(digits)].flatMap(({ 0: found, index }) => {
    const candidate = other.test(found) ? undefined : wholeGroups(text, index, found)
    if (candidate === undefined) return []
    const isAmount = !/^\(?0/.test(found) && unit.test(text.slice(candidate.end, candidate.end + 6))
    const isFile =
      extension.test(text.slice(candidate.end, candidate.end + 6)) &&
      inName.test(text.slice(Math.max(0, index - 2), index))
    return isAmount || isFile ? [] : candidate
  })
}

/** Returns the first groups that have at most 15 digits together, the maximum of a telephone number; undefined if they are too short. */
export function wholeGroups(text: string, index: number, found: string): PhoneCandidate | undefined {
  const groups: string[] = []
  let count = 0
  let length = 0
  for (const { 0: digits, index: at } of found.matchAll(/\d+/g)) {
    count += digits.length
    if (count > 15 || /[\p{Lu}\p{Ll}_]/u.test(text[index + at + digits.length] ?? '')) break
    groups.push(digits)
    length = at + digits.length
  }
  if (groups.join('').length < 5) return undefined
  // A bracket around the whole number is not part of it.
  const isEnclosed = found[0] === '(' && !found.slice(0, length).includes(')')
  return { start: isEnclosed ? index + 1 : index, end: index + length, groups }
}
