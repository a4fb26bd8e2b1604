/**
 * @module
 * Parses dates in many common forms, with the same result in every engine and time zone.
 */

/** A point in time: whole seconds since 1970-01-01 UTC, and the remaining nanoseconds, 0 to 999,999,999. */
export interface Instant {
  seconds: number
  nanoseconds: number
}

/** The options of {@link readDate}. */
interface ReadDateOptions {
  /** Whether `1/2/2020` is 1 February; otherwise it is 2 January. Dates with full stops are always day first. @defaultValue false */
  dayFirst?: boolean
}

/** Whether the day is first in dates such as `1/2/2020` and `1.2.2020`. */
export interface DayFirst {
  slashed: boolean
  dotted: boolean
}

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const weekday = /^(?:mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?),? /i

// The date part of each accepted form; the time follows.
const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?=$|[T ,])/
const exif = /^(\d{4}):(\d{2}):(\d{2})(?=$| )/
const compact = /^(\d{4})(\d{2})(\d{2})(?=$|[T ])/
const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?=$|[T ,])/
const partial = /^(\d{4})(?:-(\d{1,2}))?$/
const monthFirstName = /^([a-z]{3,9}) (\d{1,2}),? (\d{4})(?=$|[T ,])/i
const dayFirstName = /^(\d{1,2})([ -])([a-z]{3,9})\2(\d{4})(?=$|[T ,])/i
/** `May 6 07:08:11 2024`, as the C library and `date` write it, also with a zone before or behind the year. */
const yearAtEnd = /^([a-z]{3,9}) (\d{1,2}) (\d{1,2}:\d{2}:\d{2})( (?:UTC|GMT|Z))? (\d{4})( [+-]\d{2}:?\d{2})?$/i
/** `D:20240506070809+02'00'`, as PDF files contain it; what follows the year may be missing. */
const pdf =
  /^D:(\d{4})(?:(\d{2})(?:(\d{2})(?:(\d{2})(?:(\d{2})(\d{2})?)?)?)?)?(?:Z(?:00'?(?:00)?'?)?|([+-]\d{2})(?:'(\d{2})?'?)?)?$/

const zone =
  '(?: ?(Z|[+-]\\d{2}(?::?\\d{2})?|(?:UTC|GMT)(?:[+-]\\d{1,2}(?::?\\d{2})?)?))?(?: \\([^()]{0,60}(?:\\([^()]{0,60}\\))?\\))?'
const clockTime = new RegExp(
  `^(?:[T ]|, ?| at )(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:\\.(\\d{1,9}))?)?(?: ?([AP])\\.?M\\.?)?${zone}$`,
  'i',
)
const compactTime = new RegExp(`^T(\\d{2})(\\d{2})(\\d{2})(?:\\.(\\d{1,9}))?()${zone}$`, 'i')

/** The seconds from 1970 to the beginning of year 1, and to the end of year 9999. */
const firstSecond = -62135596800
const lastSecond = 253402300799

/**
 * Parses a date. Returns undefined for a value of an unknown form. Accepts `Date` objects, numbers (seconds since 1970; milliseconds from
 * 1e11), `2020`, `2020-05`, `2020-01-02`, `2020/01/02`, `20200102`, `1/2/2020` (month first, unless only day first is possible), `2.1.2020`
 * (day first), `Jan 2, 2020`, `2 January 2020`, what `String(date)` and `date.toLocaleString('en-US')` return, `Jan 2 03:04:05 2020`,
 * `D:20200102030405+01'00'` of PDF files, and `2020:01:02 03:04:05` of photos. A full date may have a time and a time zone. Without a zone
 * the time is UTC. A missing month, day or time is the start of the period.
 * @example
 * readDate('2020-01-02T00:00:00.5Z') // => { seconds: 1577923200, nanoseconds: 500000000 }
 * readDate('30 Feb 2020') // => undefined
 */
export function readDate(value: unknown, { dayFirst = false }: ReadDateOptions = {}): Instant | undefined {
  return readDateAs(value, { slashed: dayFirst, dotted: true })
}

/**
 * Returns the order of day and month for the dates of a list: that of its unambiguous dates, if these agree. Otherwise dates with full
 * stops are day first, and others are month first unless `dayFirst` is set.
 */
export function dayFirstIn(values: readonly unknown[], dayFirst: boolean): DayFirst {
  const only = { slashed: new Set<boolean>(), dotted: new Set<boolean>() }
  for (const value of values) {
    const found = typeof value === 'string' ? yearLast.exec(value.trim()) : null
    if (!found) continue
    const [first, second] = [Number(found[1]), Number(found[3])]
    if (first > 12 !== second > 12) only[found[2] === '.' ? 'dotted' : 'slashed'].add(first > 12)
  }
  return {
    slashed: dayFirst || (only.slashed.size === 1 && only.slashed.has(true)),
    dotted: !(only.dotted.size === 1 && only.dotted.has(false)),
  }
}

/** Like `readDate`, with the order of day and month by separator. A date that is valid only in the other order is parsed in that order. */
export function readDateAs(value: unknown, dayFirst: DayFirst): Instant | undefined {
  if (value instanceof Date) return readMilliseconds(value.getTime())
  if (typeof value === 'number') {
    return Math.abs(value) >= 1e11
      ? readMilliseconds(value)
      : inRange(Math.floor(value), Math.round((value - Math.floor(value)) * 1e9))
  }
  return typeof value === 'string' ? readText(value.trim().replace(/\s+/g, ' '), dayFirst) : undefined
}

/** Returns a negative number if `a` is before `b`, a positive number if it is after `b`, otherwise 0. */
export function compareInstants(a: Instant, b: Instant): number {
  return a.seconds - b.seconds || a.nanoseconds - b.nanoseconds
}

function readText(text: string, order: DayFirst): Instant | undefined {
  const partialDate = partial.exec(text)
  if (partialDate) return readParts(partialDate[1]!, partialDate[2] ?? '1', '1')
  let found = yearFirst.exec(text)
  if (found) return readParts(found[1]!, found[3]!, found[4]!, text.slice(found[0].length))
  found = exif.exec(text)
  if (found) return readParts(found[1]!, found[2]!, found[3]!, text.slice(found[0].length))
  found = pdf.exec(text)
  if (found) {
    const [, year, month = '1', day = '1', hours = '00', minutes = '00', seconds = '00', offset = '', rest = '00'] =
      found
    const time = `T${hours}:${minutes}:${seconds}`
    return readParts(year!, month, day, `${time}${offset === '' ? '' : `${offset}:${rest}`}`)
  }
  found = compact.exec(text)
  if (found) {
    const rest = text.slice(found[0].length)
    return readParts(found[1]!, found[2]!, found[3]!, rest, compactTime.exec(rest))
  }
  found = yearLast.exec(text)
  if (found) {
    const [all, first, separator, second, year] = found as unknown as [string, string, string, string, string]
    const dayFirst = separator === '.' ? order.dotted : order.slashed
    // 13/02 is valid only as day and month, 02/13 only as month and day.
    const isDayFirst = dayFirst
      ? Number(second) <= 12 || Number(first) > 12
      : Number(first) > 12 && Number(second) <= 12
    return readParts(year, isDayFirst ? second : first, isDayFirst ? first : second, text.slice(all.length))
  }
  const named = text.replace(weekday, '')
  found = monthFirstName.exec(named)
  if (found) return readParts(found[3]!, monthNumber(found[1]!), found[2]!, named.slice(found[0].length))
  found = dayFirstName.exec(named)
  if (found) return readParts(found[4]!, monthNumber(found[3]!), found[1]!, named.slice(found[0].length))
  found = yearAtEnd.exec(named)
  if (found) {
    const [, month, day, time, before = '', year, behind = ''] = found
    if (before === '' || behind === '') return readParts(year!, monthNumber(month!), day!, ` ${time}${before}${behind}`)
  }
  return undefined
}

/** Returns the number of a month as a string, by its full name or first three letters; empty for an unknown name. */
function monthNumber(name: string): string {
  const lower = name.toLowerCase()
  const index = months.findIndex((month) => month === lower || month.slice(0, 3) === lower)
  return index === -1 ? '' : String(index + 1)
}

function readParts(
  year: string,
  month: string,
  day: string,
  time = '',
  parsed = clockTime.exec(time),
): Instant | undefined {
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  // An impossible day rolls over into the next month.
  if (
    month === '' ||
    date.getUTCMonth() !== Number(month) - 1 ||
    date.getUTCDate() !== Number(day) ||
    Number(year) === 0
  )
    return undefined
  const midnight = date.getTime() / 1000
  if (time === '') return inRange(midnight, 0)
  if (!parsed) return undefined
  const [, hours, minutes, seconds = '0', fraction = '', half, zoneName = ''] = parsed
  let hour = Number(hours)
  if (half) {
    if (hour < 1 || hour > 12) return undefined
    hour = (hour % 12) + (half.toUpperCase() === 'P' ? 12 : 0)
  }
  const offset = readOffset(zoneName)
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59 || offset === undefined) return undefined
  const clock = hour * 3600 + Number(minutes) * 60 + Number(seconds)
  return inRange(midnight + clock - offset, Number(fraction.padEnd(9, '0')))
}

/** Returns the offset of a time zone from UTC in seconds, positive to the east. */
function readOffset(name: string): number | undefined {
  const found = /^(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?$/i.exec(name)
  if (!found) return 0
  const hours = Number(found[2])
  const minutes = Number(found[3] ?? 0)
  if (hours > 23 || minutes > 59) return undefined
  return (hours * 60 + minutes) * (found[1] === '-' ? -60 : 60)
}

function readMilliseconds(value: number): Instant | undefined {
  const seconds = Math.floor(value / 1000)
  return inRange(seconds, Math.round((value - seconds * 1000) * 1e6))
}

function inRange(seconds: number, nanoseconds: number): Instant | undefined {
  if (nanoseconds >= 1e9) return inRange(seconds + 1, 0)
  // NaN fails both comparisons.
  return seconds >= firstSecond && seconds <= lastSecond ? { seconds, nanoseconds } : undefined
}
