import { lazy } from '@x/core/values'
import { acrossLines } from './across-lines.ts'
import { hasLuhnDigit, isEan } from './check-digits.ts'
import { isInTable, isOtherNumber } from './other-numbers.ts'
import type { PatternKind } from './pattern-kind.ts'
import type { Range } from './plain-signs.ts'

const forms = /* @__PURE__ */ lazy(() => {
  // One separator between all groups. A line feed and two blanks occur where a table or a PDF was copied.
  const gap = String.raw`( {1,2}|\n|[-./]| - )`
  return {
    /** The groups of a printed card, 4-4-4-4(-3), 4-6-5 or 4-6-4, or one run of digits. */
    number: new RegExp(
      String.raw`(?<!\d)(?:\d{4}${gap}\d{4}\1\d{4}\1\d{4}(?:\1\d{3}(?!\d))?|\d{4}${gap}\d{6}\2\d{4,5}|\d{13,19})(?!\d)`,
      'g',
    ),
    /** A word for a card or its number, directly before the digits. */
    label:
      /(?:cards?|karten?|kaart|kort(?:et)?|carte|carta|tarjeta|cart[ãa]o|karta|kartu|kartı?|kortti|k[áa]rtya|thẻ|카드|カード|卡|карт[аыеу]?|картк[аиу]|κάρτας?|כרטיס|بطاقة|कार्ड|บัตร|visa|mastercard|amex|maestro|diners|discover|jcb|unionpay|girocard|pan)(?:[-_ ]?(?:numbers?|num|no|nr|id|nummer|号|號|番号|번호|号码|is))?[\s.:#=_*"'`,()[\]-]{0,6}$/iu,
    /** Digits in groups of other sizes, behind a label. */
    other: /^\d(?:[ ./-]{0,3}\d){11,19}(?!\d)/,
    /** What may stand directly before and behind a number without a label: no part of a number, word, identifier or path. */
    before: /(?:^|[^\p{Lu}\p{Ll}\p{N}_/\\+.-]|(?<!\d)\.|(?<![\p{L}\p{N}])-|\s)$/u,
    after: /^(?:$|[A-Z]{3}(?![\p{L}\p{N}_])|[^\p{Lu}\p{Ll}\p{N}_/\\%.-]|[.-](?![\p{L}\p{N}]))/u,
    /** A number of a row before a card: not a list marker or a position such as `Pos. 12`. */
    rowBefore: /(?:^|[^\p{L}.:\s]\s|\n)\s{0,8}(?<![\d.,])[\d.,]{0,30}\d\s{1,8}$/u,
    /** A number of a row behind a card: not its expiry date, its security code or the next card. */
    rowAfter: /^\s+(?!(?:0[1-9]|1[0-2]) ?[/-] ?(?:20)?\d\d(?!\d)|\d{3}(?![.,]?\d|\s+\d)|\d{4}\D{1,3}\d{4}\D)[\d.,]*\d/,
  }
})

/** The first digits and the numbers of digits of the cards that schemes issue today. */
const issued =
  /^(?:(?:4|5[0-8]|6)\d{14,15}|2(?:20[0-4]|22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|8[12]\d{14}|9792\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|(?:4|5[0-8]|6)\d{18})$/
/** Also the lengths of older and rarer schemes. */
const known = /^(?:4|5[0-8]|6|2[0-7]|3[04-9]|8[12]|9792)\d{10,19}$/

/**
 * Card numbers with a valid check digit: one run of digits, or the groups of a printed card (4-4-4-4, 4-6-5, 4-6-4, 4-4-4-4-3) with one
 * separator throughout. Other groups and rare lengths need a word for a card before them. A part of a decimal number, an identifier, an
 * address or a row of numbers is not a card.
 */
export const cards: PatternKind = {
  group: 'CARD',
  find: /* @__PURE__ */ acrossLines(findCards, ({ before, after }) => {
    const number = `${before} ${after}`
    return /^(?:\d{4} ){3}\d{4}$/.test(number) && isCard(number)
  }),
}

function findCards(text: string): Range[] {
  const found = new Map<number, Range>()
  const { number, label, other, before, after } = forms()
  for (const { 0: card, index } of text.matchAll(number)) {
    const start = text.slice(Math.max(0, index - 40), index)
    const isLabelled = label.test(start)
    const length = cardLength(card, isLabelled)
    if (length === undefined) continue
    const end = text.slice(index + length, index + length + 40)
    const isPart = isInRow(card, start, end) || (/[ \t]/.test(card) && isInTable(text, index, isCard))
    const isAlone = before.test(start) && !isPart && !isOtherNumber(text, index)
    if (!after.test(end) || !(isLabelled || isAlone)) continue
    found.set(index, { start: index, end: index + length })
  }
  for (const { index } of text.matchAll(/(?<!\d)\d(?=[\d ./-]{11})/g)) {
    if (found.has(index) || !label.test(text.slice(Math.max(0, index - 40), index))) continue
    const length = longestValid(other.exec(text.slice(index, index + 64))?.[0] ?? '')
    if (length !== undefined) found.set(index, { start: index, end: index + length })
  }
  return [...found.values()]
}

/** Returns how much of a number is a card: all of it, or all but the security code behind it. */
function cardLength(card: string, isLabelled: boolean): number | undefined {
  for (const part of [card, card.replace(/\D{1,3}\d{3}$/, '')]) {
    const digits = part.replace(/\D/g, '')
    if (!hasLuhnDigit(digits)) continue
    const isRun = part.length === digits.length
    if (isLabelled ? known.test(digits) : isIssued(digits, isRun)) return part.length
  }
  return undefined
}

/** A run of 13 digits is a card of the old length unless it is the number of an article; of 19 digits, it is an identifier. */
function isIssued(digits: string, isRun: boolean): boolean {
  if (isRun && digits.length === 13) return digits.startsWith('4') && !isEan(digits)
  if (isRun && digits.length === 19) return /^(?:62|6759|50[123])/.test(digits)
  if (digits.length === 15 && !/^3[47]/.test(digits)) return false
  return issued.test(digits)
}

/** Whether the number before or behind a card with blanks or line feeds is separated from it in the same way. */
function isInRow(card: string, before: string, after: string): boolean {
  if (!/\s/.test(card)) return false
  const isColumn = card.includes('\n')
  const line = isColumn ? before : before.slice(before.lastIndexOf('\n') + 1)
  return forms().rowBefore.test(line) || forms().rowAfter.test(isColumn ? after : after.replace(/\n[\s\S]*/, ''))
}

function isCard(line: string): boolean {
  const digits = line.replace(/\D/g, '')
  return hasLuhnDigit(digits) && issued.test(digits)
}

/** Returns the length of the longest beginning that ends at a group and has a valid check digit. */
function longestValid(card: string): number | undefined {
  let best: number | undefined
  for (const { 0: group, index } of card.matchAll(/\d+/g)) {
    const digits = card.slice(0, index + group.length).replace(/\D/g, '')
    if (digits.length >= 12 && known.test(digits) && hasLuhnDigit(digits)) best = index + group.length
  }
  return best
}
