/**
 * @module
 * Finds national telephone numbers by the numbering plans of regions. Entry `@x/postprocessors/numbering-plans`.
 */
import { ModelValidationError } from '@x/core'
import { acrossLines } from './across-lines.ts'
import { planLines } from './data/numbering-plans.ts'
import { isOtherNumber } from './other-numbers.ts'
import type { PatternKind } from './pattern-kind.ts'
import { type PhoneCandidate, phoneCandidates } from './phone-candidates.ts'
import { isCount, isOneNational, phoneLabel } from './phone-labels.ts'
import type { Range } from './plain-signs.ts'

/** How the numbers of a region are dialled and written. */
interface Plan {
  /** The digits before a national number, or an empty string. */
  prefix: string
  /** The prefix with what callers add to it, and what it becomes, where it is more than the prefix. */
  parsing: RegExp
  transform: string
  /** The sizes of the groups in which numbers are written, joined by full stops; behind a plus with the prefix. */
  shape: RegExp
  number: RegExp
}

/**
 * Returns the national telephone numbers of regions as a kind for `findPatterns`: numbers of people and households in a form in which the
 * region writes them, also without a word such as `Tel.`.
 * The plans are those of libphonenumber (Apache License 2.0). They need 25 kB in a bundle, compressed.
 * @param regions - ISO 3166 codes such as `DE`. Fewer regions find less that is not a telephone number.
 * @throws {ModelValidationError} if a region does not exist.
 * @example
 * const find = findPatterns({ regions: numberingPlans('DE', 'AT') })
 * find('Ring 030 901820 now.').map(({ word }) => word) // => ['030 901820']
 */
export function numberingPlans(...regions: readonly string[]): PatternKind {
  const plans = regions.map(planOf)
  return { group: 'PHONE', find: acrossLines((text) => nationalNumbers(text, plans), isOneNational) }
}

function planOf(region: string): Plan {
  const line = planLines.split('\n').find((text) => text.startsWith(`${region} `))
  if (!/^[A-Z]{2}$/.test(region) || line === undefined)
    throw new ModelValidationError('numberingPlans', [
      {
        path: 'regions',
        message: `expected codes of regions such as "DE", received ${JSON.stringify(region)}`,
        code: 'option',
      },
    ])
  const [, prefix, parsing, transform, shapes, number] = line.split(' ').map((part) => (part === '-' ? '' : part))
  const sizes = shapes!
    .replace(
      /(\d{1,2})-(\d{1,2})/g,
      (_, from, to) => `(?:${Array.from({ length: to - from + 1 }, (_, i) => Number(from) + i).join('|')})`,
    )
    .replace(/[.+]/g, '\\$&')
  return {
    prefix: prefix!,
    parsing: new RegExp(`^(?:${parsing || prefix || '(?!)'})`),
    transform: transform!,
    shape: new RegExp(`^(?:${sizes || '(?!)'})$`),
    number: new RegExp(`^(?:${number})$`),
  }
}

function nationalNumbers(text: string, plans: readonly Plan[]): Range[] {
  return phoneCandidates(text).filter((candidate) => {
    const { start, end } = candidate
    if (isInRow(text, start, end) || isPartOfName(text, start) || isCount(text, start, end)) return false
    const hasLabel = phoneLabel(text, start, end) > 0
    return plans.some((plan) => isNational(text.slice(start, end), candidate, plan, hasLabel))
  })
}

/** Whether a number is valid in a plan, and written as the region writes numbers: in its groups, or with its prefix. */
function isNational(written: string, { groups }: PhoneCandidate, plan: Plan, hasLabel: boolean): boolean {
  const digits = groups.join('')
  const sizes = groups.map(({ length }) => length).join('.')
  const isValid = nationalForms(digits, plan).some((form) => plan.number.test(form))
  if (!isValid || hasLabel) return isValid
  const isShaped = plan.shape.test(sizes) || (digits.startsWith(plan.prefix) && plan.shape.test(`+${sizes}`))
  if (isShaped && groups.length > 1) return hasOneSeparator(written)
  // Other groups, or none: the prefix makes it a telephone number.
  return plan.prefix === '0' && digits.startsWith('0') && digits.length >= 9 && hasOneSeparator(written)
}

/** The digits without the prefix of national calls, in the ways in which the plan reads it. */
function nationalForms(digits: string, { prefix, parsing, transform }: Plan): string[] {
  const forms = prefix !== '' && digits.startsWith(prefix) ? [digits.slice(prefix.length)] : [digits]
  const parsed = parsing.exec(digits)
  if (parsed) {
    const hasGroup = transform !== '' && parsed.slice(1).some((part) => part !== undefined)
    forms.push(hasGroup ? digits.replace(parsing, transform) : digits.slice(parsed[0].length))
  }
  return prefix === '' || parsed ? [...forms, digits] : forms
}

/** Whether the groups behind the first one have the same separator. Full stops are not mixed with others: they are decimal points. */
function hasOneSeparator(written: string): boolean {
  const separators = new Set([...written.matchAll(/\d([ ./-]+)(?=\d)/g)].map(([, between]) => between!.trim()))
  separators.delete('')
  return separators.size <= 1 && !(separators.has('.') && / \d/.test(written.replace(/^\(?\d+\)? /, '')))
}

/** Whether a number beside it is separated in the same way, as in a table or a list of figures, or hexadecimal bytes are beside it. */
function isInRow(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 10), start)
  const after = text.slice(end, end + 10)
  return (
    /(?:\d[ \t]{1,8}|\d[ .-]|(?:^| )[\da-f]{2} [\da-f]{2} )$/i.test(before) ||
    /^(?:[ \t]{1,8}[\d.]|[-./]\d| [\da-f]{2} [\da-f]{2}(?: |$))/i.test(after)
  )
}

/** Whether the number belongs to a word, an identifier or an amount. */
function isPartOfName(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 20), start)
  return (
    /(?:[\p{L}\p{N}][-_/.]|[#№=$€£¥+/\\]|\b(?:no|nr|konto|account|art|version|build|line|port|page|seite)[\s.:#=-]{0,3})$/iu.test(
      before,
    ) || isOtherNumber(text, start)
  )
}
