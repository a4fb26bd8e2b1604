import { type DigitGroup, mayBegin, type Range } from './plain-signs.ts'

/** The first digits of the numbers that card schemes issue. */
const issued = /^(?:2[2-7]|3|4|5|6|8[12]|9792)/
/** The usual lengths by first digits, to find the end of a number that is followed by other digits. */
const lengths: readonly [RegExp, readonly number[]][] = [
  [/^3[47]/, [15]],
  [/^3[0689]/, [14, 16]],
  [/^4/, [16, 13, 19]],
  [/./, [16, 19, 18, 17, 15, 14, 13]],
]
const separator = /^(?:[ .\n]{1,2}|[ \n]?[-/][ \n]?)$/

/** Returns the card numbers among the groups of digits. A number ends at the end of a group and has a valid check digit. */
export function findCards(text: string, groups: readonly DigitGroup[]): Range[] {
  const cards: Range[] = []
  for (let first = 0; first < groups.length; first++) {
    const { start } = groups[first]!
    if (!issued.test(groups[first]!.digits) || !mayBegin(text, start)) continue
    const ends = validEnds(groups, first)
    const wanted = lengths.find(([form]) => form.test(groups[first]!.digits))![1]
    const length = wanted.find((count) => ends.has(count)) ?? Math.max(...ends.keys())
    const last = ends.get(length)
    if (last === undefined) continue
    cards.push({ start, end: groups[last]!.end })
    first = last
  }
  return cards
}

/** Returns the last group by the number of digits, for all numbers with a valid check digit that start at group `first`. */
function validEnds(groups: readonly DigitGroup[], first: number): Map<number, number> {
  const ends = new Map<number, number>()
  let digits = ''
  for (let last = first; last < groups.length; last++) {
    const group = groups[last]!
    if (last > first && !separator.test(group.before)) break
    digits += group.digits
    if (digits.length > 19) break
    // Cards with seventeen or more digits are rare. In groups of other sizes such numbers are not cards.
    if (digits.length >= 13 && hasLuhnDigit(digits)) ends.set(digits.length, last)
  }
  return ends
}

function hasLuhnDigit(digits: string): boolean {
  let sum = 0
  for (let place = 1; place <= digits.length; place++) {
    const digit = Number(digits[digits.length - place])
    const doubled = place % 2 === 0 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
