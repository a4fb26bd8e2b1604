import { lazy } from '@x/core/values'
import { acrossLines, digitsOf, type SplitNumber } from './across-lines.ts'
import { callingCodeLengths } from './data/calling-codes.ts'
import { isInTable, isOtherNumber } from './other-numbers.ts'
import type { PatternKind } from './pattern-kind.ts'
import { type PhoneCandidate, phoneCandidates, wholeGroups } from './phone-candidates.ts'
import { isCount, isOneNational, phoneLabel } from './phone-labels.ts'
import type { Range } from './plain-signs.ts'

const forms = /* @__PURE__ */ lazy(() => ({
  /** Behind a value, a plus before a blank is an operator. Every repetition is bounded, so that the time is linear. */
  international:
    /(?<![\p{Lu}\p{Ll}\p{N}+)\]]|\d[.,-])(?:\( ?)?(?:\+|(?<![\p{Lu}\p{Ll}\p{N})\]] )\+ )(?=[1-9(])(?:\(0\)|[ ./()-]{0,3}\d){7,17}/gu,
  /** With the prefix 00. Two digits in all groups are the bytes of a file. */
  prefixed:
    /(?<![\p{Lu}\p{Ll}\p{N}+]|\d[ .,:]|(?:^|\s)\.|[\p{L}\p{N}][-/_])\(?00 ?(?=[1-9(])(?:\(0\)|[ ./()-]{0,3}\d){7,17}/gu,
  bytes: /^\d\d(?: \d\d)+$/,
  /** Signs before a number with leading zeros that is not a telephone number. */
  numbered: /[#№=][\s.:#=-]{0,3}$/,
  /** No area code of the country 1 begins with 0 or 1. */
  amount: /^\D*(?:00 ?)?1[ ./()-]{0,3}[01]|^\D*\d+0{8}$/,
  /** Unmistakable national forms: (415) 555-2671, 415-555-2671, 01 23 45 67 89, 03-1234-5678; not among the bytes of a file. */
  national:
    /(?<![\p{Lu}\p{Ll}\p{N}]|[\p{L}\p{N}][-./_]|\d |\b[\da-f]{2} [\da-f]{2} )(?:\(\d{3}\) ?\d{3}[ .-]\d{4}|(?:1-)?[2-9]\d\d-[2-9]\d\d-\d{4}|0[1-9](?:([ .])\d\d)(?:\1\d\d){3}|0\d{1,3}-\d{3,4}-\d{4})(?![\p{Lu}\p{Ll}\p{N}]|[-./_][\p{Lu}\p{Ll}\p{N}]| \d| [\da-f]{2} [\da-f]{2}\b)/gu,
  /** Between several numbers after one label. */
  list: /^\s{0,2}(?:[,;/|&]|or|oder|und|and|bzw\.?|ou|y|e|<br ?\/?>)\s{0,8}$/iu,
  /** What a number behind a weak label looks like: a leading zero, an area code in brackets, or a Chinese mobile number. */
  nationalForm: /^(?:\(|0[1-9]|1[3-9]\d[ -]?\d{4}[ -]?\d{4}$|[2-9]\d{2}[- .]\d{3}[- .]\d{4}$)/,
}))

/**
 * Telephone numbers: international ones with `+` or `00`, by the calling codes of all countries and their lengths; national ones near a
 * word such as `Tel.`, in the languages of the table of recall; and unmistakable national forms such as `(415) 555-2671`.
 */
export const phones: PatternKind = { group: 'PHONE', find: /* @__PURE__ */ acrossLines(findPhones, isOneNumber) }

function findPhones(text: string): Range[] {
  const found: Range[] = internationalNumbers(text)
  const { list, nationalForm, national } = forms()
  let last: PhoneCandidate | undefined
  for (const candidate of phoneCandidates(text)) {
    const { start, end, groups } = candidate
    if (isReference(text, start, end) || isCount(text, start, end)) continue
    const label = phoneLabel(text, start, end)
    if (label < 2 && isOtherNumber(text, start)) continue
    const isListed = last !== undefined && start - last.end < 16 && list.test(text.slice(last.end, start))
    const isWeak = label === 1 && groups.join('').length >= 9 && nationalForm.test(text.slice(start, end))
    if (label < 2 && !isWeak && !isListed) continue
    found.push(candidate)
    last = candidate
  }
  for (const { 0: number, index } of text.matchAll(national))
    if (!isOtherNumber(text, index)) found.push({ start: index, end: index + number.length })
  return found
}

/** Whether digits are the name of a Markdown reference: `[text][42430]`, or `[42430]: https://…`. */
function isReference(text: string, start: number, end: number): boolean {
  if (text[start - 1] !== '[' || text[end] !== ']') return false
  return text[start - 2] === ']' || text[end + 1] === ':'
}

function internationalNumbers(text: string): Range[] {
  const { international, prefixed, bytes, numbered, amount } = forms()
  const found: Range[] = []
  for (const { 0: number, index } of text.matchAll(international)) {
    if (!amount.test(number)) found.push(...(withCallingCode(text, index, number, '') ?? []))
  }
  for (const { 0: number, index } of text.matchAll(prefixed)) {
    if (amount.test(number) || bytes.test(number) || /^0\d*\.\d+$/.test(number) || isInTable(text, index)) continue
    if (numbered.test(text.slice(Math.max(0, index - 4), index)) || isOtherNumber(text, index)) continue
    found.push(...(withCallingCode(text, index, number, '00') ?? []))
  }
  return found
}

/** Returns the range of the groups that have a calling code and as many digits as numbers of that country, in a list. */
function withCallingCode(text: string, index: number, found: string, prefix: string): Range[] | undefined {
  const skipped = prefix === '' ? 0 : found.indexOf(prefix) + prefix.length
  const whole = wholeGroups(text, index + skipped, found.slice(skipped))
  if (whole === undefined) return undefined
  let { end } = whole
  // A number in a row of numbers ends where the country's numbers end.
  for (let { length } = whole.groups; length > 0; length--) {
    const all = whole.groups.slice(0, length).join('')
    // `+49 (0) 30`: the zero is not dialled.
    const digits = all.replace(/^(\d{2,3})0(?=\d)/, '$1')
    if (isCallable(all) || isCallable(digits)) {
      // A bracket around the whole number is not part of it.
      const isEnclosed = found.startsWith('(') && !text.slice(index, end).includes(')')
      return [{ start: isEnclosed ? index + 1 : index, end }]
    }
    end = text.lastIndexOf(whole.groups[length - 1]!, end - 1)
    while (end > index && !/\d/.test(text[end - 1]!)) end--
  }
  return undefined
}

/** Whether a line break separates the groups of one number: the first part is too short for a whole number. */
function isOneNumber(number: SplitNumber): boolean {
  if (!/^(?:\+|00)/.test(number.before)) return isOneNational(number)
  let digits = digitsOf(number.before).replace(/^00/, '')
  if (isCallable(digits) && digits.length > 8) return false
  return number.after.split(/\D+/).some((group) => {
    digits += group
    return isCallable(digits)
  })
}

/** Whether digits begin with a calling code and have a length of that country. */
function isCallable(digits: string): boolean {
  for (const size of [1, 2, 3]) {
    const lengths = callingCodes().get(digits.slice(0, size))
    if (lengths) return digits.length - size >= lengths.least && digits.length - size <= lengths.most
  }
  return false
}

/** The numbers of digits behind each calling code. */
const callingCodes = /* @__PURE__ */ lazy(() => {
  const lengths = new Map<string, { least: number; most: number }>()
  for (const line of callingCodeLengths.split('\n')) {
    const [range, ...codes] = line.split(' ')
    const [least, most] = range!.split('-').map(Number)
    for (const code of codes) lengths.set(code, { least: least!, most: most! })
  }
  return lengths
})
