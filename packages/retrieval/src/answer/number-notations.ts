/**
 * @module
 * Numbers, times and dates as documents write them, in one notation.
 */

/** Letters of scripts with blanks between words: digits behind them are a part of a name, such as `C4`. */
export const LETTERS = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}`
const END = `(?![${LETTERS}])`
/** A number in the notation of any language, such as `1,000.50`, `1.000,50`, `1 000`, `1½`, `1 1/2` or `1e9`. */
export const NUMBER = String.raw`(?:\d{1,3}(?:[ '’\u00a0\u202f]\d{3})+(?!\d)(?:[.,]\d+)?|(?:\d{1,3} ?)?[¼-¾⅐-⅞]|(?:\d{1,3} )?\d{1,2}[/⁄]\d{1,2}(?![\d/⁄])|\d(?:[\d.,]*\d)?(?:e[+-]?\d{1,3}(?!\d))?)`
/** What follows a time: `am` or `p.m.`, or another word behind its hour. */
export const HALF_DAY = String.raw`\s?([ap])(?:\.m\.?|m)${END}`
export const HOUR = String.raw`\s?(uhr|h|o['’]clock)${END}`
/** What multiplies a number: `k` is a thousand. */
export const MULTIPLE = String.raw`(?:\s?(k|thousand|tsd|m|mio|millions?|millionen|bn?|billions?|mrd|milliarden)${END})?`

/** The values of a passage. */
export interface Facts {
  /** Numbers in one notation; also those of times and dates. */
  values: Set<string>
  /** Those that may have a minus sign. */
  negatives: Set<string>
  /** In seconds since midnight. */
  times: Set<number>
  /** Numbers that stand alone, such as `8` in `from 8 to 5`. */
  hours: Set<number>
  /** `year/month/day`, with 0 for a part that is not known. */
  dates: Set<string>
}

/** With 0 for a part that is not known. */
export type CalendarDay = readonly [year: number, month: number, day: number]

const ANY_NUMBER = new RegExp(String.raw`(?<!\d)([-−–(]\s?)?(${NUMBER})${MULTIPLE}`, 'giu')
const BELOW_ZERO = /minus|negative|below zero|unter null/i
/** The words of English documents for numbers, in the order of these. */
const WORDS = (
  'zero one|first two|second three|third four|fourth five|fifth six|sixth seven|seventh eight|eighth nine|ninth ten|tenth ' +
  'eleven|eleventh twelve|twelfth|noon thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
).split(' ')
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety hundred'.split(' ')
const NUMBER_OF_WORD = new Map([
  ...WORDS.flatMap((words, number) => words.split('|').map((word) => [word, `${number}.`] as const)),
  ...TENS.map((word, at) => [word, `${at * 10 + 20}.`] as const),
  ['half', '0.5'] as const,
])
const NUMBER_WORD = new RegExp(String.raw`\b(?:${[...NUMBER_OF_WORD.keys()].join('|')})\b`, 'gi')
const TIME = new RegExp(
  String.raw`(?<![\d:.,])(\d{1,2})([:.h]\d\d)?(:\d\d)?(?![\d:]|[.,]\d)(?:${HALF_DAY}|${HOUR})?`,
  'giu',
)
/** How the names of months begin. Another word between a day and a year stands for any month. */
const MONTHS = [
  ...['jan ene gen', 'feb fév fev', 'mar mär mrz maa', 'apr avr abr', 'may mai mag mei maj', 'jun juin giu'],
  ...['jul juil lug', 'aug aoû aou ago', 'sep set', 'oct okt ott out', 'nov', 'dec dez déc dic'],
]
const DATE = /(?<!\d)\d{1,4}\s?[-/.年년]\s?\d{1,2}(?:\s?[-/.月월]\s?\d{1,4})?(?!\d)/g
const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th|er|\.)?`
const TO = String.raw`\s?(?:[-–&]|to|and|bis|und)\s?`
const YEAR = String.raw`(\d{4})(?!\d)`
/** `4 March 2025`, `4. März`, `4 to 7 March` */
const DAY_FIRST = new RegExp(
  String.raw`(?<!\d)(?:${DAY}${TO})?${DAY}[\s-](?:of\s|de\s)?(\p{L}{3,12})\.?(?:,?[\s-](?:of\s|de\s)?${YEAR})?`,
  'giu',
)
/** `March 4, 2025`, `March 4–7`, `March 2025` */
const MONTH_FIRST = new RegExp(
  String.raw`(?<!\p{L})((?:${MONTHS.join('|').replaceAll(' ', '|')})\p{L}*)\.?,?[\s-](?:the\s|de\s)?(?:${DAY}(?:${TO}${DAY})?(?!\d)(?:,?\s${YEAR})?|${YEAR})`,
  'giu',
)

/** Returns the values of a passage. */
export function factsOf(text: string): Facts {
  const facts: Facts = { values: new Set(), negatives: new Set(), times: new Set(), hours: new Set(), dates: new Set() }
  const { values, times, dates } = facts
  if (BELOW_ZERO.test(text)) facts.negatives = values
  for (const [, sign, number, multiple] of text.matchAll(ANY_NUMBER))
    for (const reading of readingsOf(number!, multiple)) {
      values.add(reading)
      if (sign !== undefined) facts.negatives.add(reading)
    }
  for (const [word] of text.matchAll(NUMBER_WORD)) {
    const reading = NUMBER_OF_WORD.get(word.toLowerCase())!
    values.add(reading)
    facts.hours.add(Number(reading))
  }
  const addDate = (year: number, month: number, day: number) => {
    for (const date of [`${year}/${month}/${day}`, `${year}/${month}/0`]) dates.add(date)
    for (const part of [year, month, day]) if (part > 0) values.add(`${part}.`)
  }
  const addNamed = (word: string, year: string | undefined, days: (string | undefined)[]) => {
    const start = word.toLowerCase()
    const month = MONTHS.findIndex((names) => names.split(' ').some((name) => start.startsWith(name))) + 1
    if (month > 0 || year !== undefined) for (const day of days) addDate(Number(year ?? 0), month, Number(day ?? 0))
  }
  for (const [, from, day, word, year] of text.matchAll(DAY_FIRST)) addNamed(word!, year, [from, day])
  for (const [, word, day, to, year, only] of text.matchAll(MONTH_FIRST)) addNamed(word!, year ?? only, [day, to])
  const rest = text.replace(DATE, (found) => {
    const days = datesOf(found.replace(/\s/g, '').replace(/[年년月월]/g, '-'))
    for (const day of days) addDate(...day)
    return days.length > 0 ? ' ' : found
  })
  for (const [, hour, minute = '', second = '', half, word] of rest.matchAll(TIME)) {
    const marker = half ?? word
    if (minute === '' && marker === undefined) facts.hours.add(Number(hour))
    for (const time of [hour + minute, hour + minute + second])
      for (const seconds of timesOf(time, marker)) times.add(seconds)
  }
  return facts
}

/** Returns the days or months that numbers may be, such as `2025-03-04`, `4.3.2025` and `3/4/2025`. */
export function datesOf(numbers: string): CalendarDay[] {
  const [, year, month, day = 0] = /^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?$/.exec(numbers) ?? []
  const [, one, mark, other, last] = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d\d)$/.exec(numbers) ?? []
  const full = last?.length === 2 ? `${last < '70' ? 20 : 19}${last}` : last
  const days = [
    [year, month, day],
    [full, other, one],
    [full, mark === '.' ? undefined : one, other],
  ].map((parts) => parts.map(Number) as [number, number, number])
  return days.filter(([, ofYear, ofMonth]) => ofYear >= 1 && ofYear <= 12 && ofMonth <= 31)
}

/** Returns the times that numbers may be, in seconds since midnight. Without am or pm, `5:45` may be in the afternoon, `05:45` not. */
export function timesOf(numbers: string, marker: string | undefined): number[] {
  const [, hour, minute, second = 0] = /^(\d{1,2})(?:[:.h](\d\d)(?::(\d\d)(?:[.,]\d+)?)?)?$/i.exec(numbers) ?? []
  if (hour === undefined || (minute ?? marker) === undefined || Number(hour) > 24 || Number(minute ?? 0) > 59) return []
  const at = (hours: number) => ((hours % 24) * 60 + Number(minute ?? 0)) * 60 + Number(second)
  const [early, late] = [at(Number(hour) % 12), at((Number(hour) % 12) + 12)]
  if (Number(hour) > 12 || (hour.startsWith('0') && !isHalfDay(marker))) return [at(Number(hour))]
  return isHalfDay(marker) ? [/p/i.test(marker) ? late : early] : [early, late]
}

export const isHalfDay = (marker: string | undefined): marker is string => /^[ap]$/i.test(marker ?? '')

/** Returns what a number may mean, in one notation: `1,000` is `1000.`, `1.000` is that or `1.`, and `2.50` is `2.5`. */
export function readingsOf(number: string, multiple: string | undefined): string[] {
  const readings: string[] = []
  const spaced = number.replace(/ ?([¼-¾⅐-⅞])/, (_, part: string) => ` ${part.normalize('NFKC')}`).trim()
  const [, whole = 0, top, bottom] = /^(?:(\d+) )?(\d+)[/⁄](\d+)$/.exec(spaced) ?? []
  const digits = number.replace(/[ '’\u00a0\u202f]/g, '')
  if (top !== undefined) readings.push((Number(whole) + Number(top) / Number(bottom)).toFixed(6))
  else if (/e/i.test(digits)) readings.push(String(Number(digits.replace(',', '.'))))
  else if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(digits)) readings.push(digits.replaceAll(',', ''))
  else if (/^\d+(?:[.,]\d+)?$/.test(digits)) readings.push(digits.replace(',', '.'))
  if (/^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(digits)) readings.push(digits.replaceAll('.', '').replace(',', '.'))
  const factor =
    multiple === undefined ? 1 : /^(?:b|mrd|milliard)/i.test(multiple) ? 1e9 : /^m/i.test(multiple) ? 1e6 : 1e3
  if (factor > 1) readings.push(...readings.map((each) => String(Number((Number(each) * factor).toPrecision(12)))))
  return readings.map((reading) => {
    const [ofOne = '', fraction = ''] = reading.split('.')
    let end = fraction.length
    while (fraction[end - 1] === '0') end--
    return `${ofOne.replace(/^0+(?=\d)/, '')}.${fraction.slice(0, end)}`
  })
}

/** Whether a string contains a number as such: `9` is not in `99`, `1.9` or `9,500`, and is in `1,9,5`; `1.2` is in the version `1.2.3`. */
export function hasNumber(text: string, number: string): boolean {
  const before = /^\d{3}(?!\d)/.test(number) ? /\d[.,]?$/ : /\d\.?$/
  const behind = number.includes('.') ? /^\d/ : /^(?:\d|\.\d+(?!\.?\d)|,\d{3}(?!\d))/
  for (let at = text.indexOf(number); at >= 0; at = text.indexOf(number, at + 1)) {
    const end = at + number.length
    const isPart = before.test(text.slice(Math.max(0, at - 2), at))
    if (!isPart && !behind.test(text.slice(end, end + 12))) return true
  }
  return false
}
