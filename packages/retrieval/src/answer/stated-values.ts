/**
 * @module
 * The values of a statement that its source must contain: numbers, times and dates in any notation, code and quoted words.
 */

import {
  type CalendarDay,
  datesOf,
  type Facts,
  factsOf,
  HALF_DAY,
  HOUR,
  hasNumber,
  isHalfDay,
  LETTERS,
  MULTIPLE,
  NUMBER,
  readingsOf,
  timesOf,
} from './number-notations.ts'

/** Returns a string of the same length with ASCII characters instead of the full-width ones that are `among`. */
export function plainSigns(text: string, among = /[\uff01-\uff5e]/g): string {
  return text.replace(among, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
}

/** Returns a string of the same length with ASCII digits instead of those of other scripts. */
function plainDigits(text: string): string {
  return text.replace(/(?=[\u0660-\uff19])\p{Nd}/gu, (character) => {
    const code = character.charCodeAt(0)
    // The code of a zero ends with 0, or with 6 in the scripts of India.
    return String((code & 15) - (code > 0x900 && code < 0xe00 ? 6 : 0))
  })
}

/** What joins numbers to a time, a date, a range or a ratio. */
const JOINT = String.raw`[-‑–—−:/~×]|[xt](?=\d)|h(?=\d\d)`
/** A name with its digits, such as `GPT-5`. */
const NAME = String.raw`(?<![${LETTERS}\d_])[${LETTERS}][${LETTERS}\p{N}_]*(?:[-‑][${LETTERS}\p{N}_.]+)*`
/** Numbers that belong together. Those in names such as `0x1f` and `3f2a` do not count. */
const NUMBERS = String.raw`((?:(?<![^\s(])[-−])?)(?<![${LETTERS}\d_.])(?!0x)(${NUMBER}(?:(?:${JOINT})${NUMBER})*)(?![\d_]|[.,]\d|[${LETTERS}]{1,20}\d)`
const VALUES = new RegExp(
  String.raw`\x60([^\x60\n]+)\x60|[“"„]([^”“„"\n]{1,80})[”“"]|${NAME}|${NUMBERS}(?:${HALF_DAY}|${HOUR})?${MULTIPLE}`,
  'giu',
)

/** Returns the matches of names and values, with their offsets in the statement. */
function valuesOf(statement: string): RegExpExecArray[] {
  return [...plainDigits(plainSigns(statement, /[０-９：／－．～]/g)).matchAll(VALUES)]
}

/** Whether a statement has numbers, code or quoted words. */
export function hasValues(statement: string): boolean {
  return valuesOf(statement).some(([, code, quoted, , numbers]) => code ?? quoted ?? numbers)
}

/** Returns the first number, code or quoted text of a statement that a passage does not contain; null if it contains all of them. */
export function missingValue(statement: string, passage: Passage): string | null {
  for (const match of valuesOf(statement)) {
    const { index, 0: all, 1: code, 2: quoted, 3: sign = '', 4: numbers, 5: half, 6: hour, 7: multiple } = match
    const inside = statement.slice(index + 1, index + all.length - 1)
    if (code !== undefined && !passage.text.includes(inside)) return inside
    if (quoted !== undefined && !passage.hasWords(inside)) return inside
    if (numbers !== undefined && !passage.hasNumbers(numbers, { sign, marker: half ?? hour, multiple }))
      return statement.slice(index, index + (half ? all : sign + numbers).length)
  }
  return null
}

/** What stands beside numbers. */
interface Beside {
  sign?: string
  /** `a` for `am` and `p` for `pm`; another word behind the hour of a time. */
  marker?: string | undefined
  multiple?: string | undefined
}

/** Returns a string in one line, without the marks of Markdown, and with plain apostrophes. */
const wordsOf = (text: string): string => text.replace(/[*_`]/g, '').replace(/\s+/g, ' ').replaceAll('’', "'")

/** What may stand between numbers that belong together: those of a range are times or dates themselves. */
const BETWEEN = [/t/i, /[-‑–—−~]/, /[:/⁄×xh '’\u00a0\u202f]/i]

/** The text that a citation is for. */
export class Passage {
  readonly text: string
  private readonly plain: string
  private known: Facts | undefined

  constructor(text: string) {
    this.text = text
    this.plain = plainDigits(plainSigns(text)).replace(/(?<=\d) ?: ?(?=\d)/g, ':')
  }

  /** Whether it contains quoted words. */
  hasWords(quoted: string): boolean {
    return wordsOf(this.text).includes(wordsOf(quoted).replace(/[.,;:!?…]$/, ''))
  }

  /** Whether it contains, in any notation, the time or the date that numbers are together, or else each of them. */
  hasNumbers(numbers: string, { sign = '', marker, multiple }: Beside): boolean {
    if (sign === '' && !isHalfDay(marker) && hasNumber(this.plain, numbers)) return true
    this.known ??= factsOf(this.plain)
    const { values, negatives, times, hours } = this.known
    const days = datesOf(numbers)
    if (days.some((day) => this.hasDate(day))) return true
    if (days.some(([, , day]) => day > 0)) return false
    const time = timesOf(numbers, marker)
    if (time.some((each) => times.has(each) || (each % 3600 === 0 && hours.has(Number.parseInt(numbers, 10)))))
      return true
    if (time.length > 0 && (isHalfDay(marker) || numbers.includes(':'))) return false
    const readings = readingsOf(numbers, multiple)
    if (readings.some((reading) => (sign === '' ? values : negatives).has(reading))) return true
    const between = BETWEEN.find((each) => each.test(numbers)) ?? (readings.length === 0 ? ',' : '\n')
    const parts = numbers.split(between)
    const hasPart = (part: string, at: number) => {
      const own = { multiple, marker: at === parts.length - 1 ? marker : undefined }
      // 2024-25
      const year = /^\d\d$/.test(part) && /^\d{4}$/.exec(parts[at - 1] ?? '')?.[0].replace(/..$/, part)
      return this.hasNumbers(part, own) || (year && this.hasNumbers(year, own))
    }
    return parts.length > 1 && parts.every(hasPart)
  }

  private hasDate([year, month, day]: CalendarDay): boolean {
    const { dates, values } = this.known as Facts
    const isHere = (...date: CalendarDay) => dates.has(date.join('/'))
    if (isHere(year, month, day) || day === 0) return isHere(year, month, day)
    return isHere(year, 0, day) || (isHere(0, month, day) && values.has(`${year}.`))
  }
}
