/**
 * @module
 * Reads cells as numbers with units, so that they can be compared: `900K` and `1.2M`, `12 KB` and `3 MB`, `1,204,500`, `12 h 45 min`.
 */
import { checkGiven, list } from '@x/core/options'
import { plainText } from './plain-text.ts'

/** A number with a unit. */
export interface Quantity {
  /** The number in the base unit of its dimension, such as seconds. */
  amount: number
  /** The dimension of the unit, such as `time`; the unit itself if it is unknown; empty for a plain number. */
  dimension: string
  /** The size of the unit in the cell, in base units: 60 for minutes. */
  factor: number
  /** The text before and after the number. */
  prefix: string
  suffix: string
  /** The number of decimal places. */
  decimals: number
}

/** A column of comparable cells, or the reason why they cannot be compared. */
export type Comparable =
  | { quantities: (Quantity | null)[]; problem?: undefined }
  | { quantities?: undefined; problem: string }

const UNITS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  time: {
    ...{
      ns: 1e-9,
      µs: 1e-6,
      us: 1e-6,
      ms: 1e-3,
      s: 1,
      sec: 1,
      second: 1,
      min: 60,
      minute: 60,
      h: 3600,
      hr: 3600,
      hour: 3600,
    },
    ...{ d: 86400, day: 86400, week: 604800, month: 2629800, year: 31557600, yr: 31557600 },
    ...{ sekunde: 1, stunde: 3600, std: 3600, tag: 86400, tage: 86400, woche: 604800, monat: 2629800, jahr: 31557600 },
  },
  data: {
    ...{
      bit: 0.125,
      kbit: 125,
      mbit: 125e3,
      gbit: 125e6,
      b: 1,
      byte: 1,
      kb: 1e3,
      mb: 1e6,
      gb: 1e9,
      tb: 1e12,
      pb: 1e15,
    },
    ...{ kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3, tib: 1024 ** 4 },
  },
  length: { nm: 1e-9, µm: 1e-6, mm: 1e-3, cm: 1e-2, m: 1, km: 1e3, in: 0.0254, ft: 0.3048, mi: 1609.344 },
  area: { 'cm²': 1e-4, 'm²': 1, ha: 1e4, 'km²': 1e6 },
  mass: { mg: 1e-6, g: 1e-3, kg: 1, t: 1e3, lb: 0.45359237, oz: 0.028349523 },
  volume: { ml: 1e-3, cl: 1e-2, l: 1, liter: 1, litre: 1 },
  frequency: { hz: 1, khz: 1e3, mhz: 1e6, ghz: 1e9 },
  power: { mw: 1e-3, w: 1, kw: 1e3 },
  '€': { '€': 1, eur: 1, euro: 1 },
  $: { $: 1, usd: 1, dollar: 1 },
  '£': { '£': 1, gbp: 1 },
  '%': { '%': 1, percent: 1 },
}
/** Letters and words after a number that multiply it. */
const MULTIPLES: Readonly<Record<string, number>> = {
  ...{ k: 1e3, K: 1e3, M: 1e6, bn: 1e9 },
  ...{ thousand: 1e3, million: 1e6, billion: 1e9 },
}

const NUMBER = String.raw`(?:\d{1,3}(?:[,'’ \u00a0\u202f]\d{3})+(?!\d)(?:\.\d+)?|\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?|\d+(?:[.,]\d+)?)`
const ABOUT = String.raw`(?:(?:about|approx\.?|approximately|ca\.?|circa|around|nearly|etwa|rund)\s+|[~≈]\s*)?`
const WHOLE = new RegExp(String.raw`^${ABOUT}([-−+]?)\s*([$€£]|EUR|USD|GBP)?\s*([-−]?)(${NUMBER})\s*(.*)$`, 'iu')
const PART = new RegExp(String.raw`(${NUMBER})\s*(\p{L}+)\.?`, 'gu')
const DATE = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/
const MISSING = /^(?:|[-–—?]|n\/?a|none|unknown|tbd)$/i
const UNLIMITED = /^(?:unlimited|no limit|without limit|∞)$/i

/** Whether a cell is empty or marks a missing value, such as `-` or `n/a`. */
export function isMissing(cell: string): boolean {
  return MISSING.test(plainText(cell))
}

/** A longer cell is no number with a unit. */
const MAX_LENGTH = 500

/** Returns the number of a cell; null unless the cell is a number with or without a unit, of at most 500 characters. */
export function readQuantity(cell: string): Quantity | null {
  const text = plainText(cell)
  if (text.length > MAX_LENGTH) return null
  const date = DATE.exec(text)
  if (date) {
    const amount = Date.UTC(Number(date[1]), Number(date[2]) - 1, Number(date[3] ?? 1)) / 86400e3
    return { amount, dimension: 'date', factor: 1, prefix: '', suffix: '', decimals: 0 }
  }
  if (/^\d{1,2}:\d{2}$/.test(text)) {
    const [hours, minutes] = text.split(':').map(Number) as [number, number]
    return { amount: hours * 60 + minutes, dimension: 'time of day', factor: 1, prefix: '', suffix: '', decimals: 0 }
  }
  const [, sign = '', prefix = '', innerSign = '', digits, rest = ''] = WHOLE.exec(text) ?? []
  if (digits === undefined) return null
  const negative = sign === '−' || sign === '-' || innerSign !== ''
  const unit = prefix === '' ? readUnit(rest) : prefixed(prefix, rest)
  if (unit === null) return compound(text)
  const number = readNumber(digits) * (negative ? -1 : 1)
  const decimals = /[.,](\d+)$/.exec(digits.replace(/^\d{1,3}(?:,\d{3})+$/, ''))?.[1]?.length ?? 0
  const space = /\s/.test(text.slice(text.indexOf(digits) + digits.length, text.length - rest.length)) ? ' ' : ''
  return { amount: number * unit.factor, ...unit, prefix, suffix: rest === '' ? '' : `${space}${rest}`, decimals }
}

/** Returns the numbers of cells, null for missing cells; or the reason why they cannot be compared. */
export function comparable(cells: readonly string[]): Comparable {
  checkGiven('comparable', { cells }, list)
  const quantities: (Quantity | null)[] = []
  let first: Quantity | null = null
  for (const cell of cells) {
    if (isMissing(cell)) {
      quantities.push(null)
      continue
    }
    const quantity: Quantity | null = UNLIMITED.test(plainText(cell)) ? unlimited(first) : readQuantity(cell)
    if (quantity === null) return { problem: `“${plainText(cell)}” is not a number` }
    if (first === null && Number.isFinite(quantity.amount)) first = quantity
    if (first !== null && quantity.dimension !== first.dimension && Number.isFinite(quantity.amount))
      if (quantity.amount !== 0 || quantity.dimension !== '')
        return { problem: `the units of ${shownUnit(first)} and ${shownUnit(quantity)} differ` }
    quantities.push(quantity)
  }
  return first === null ? { problem: 'it contains no numbers' } : { quantities }
}

function shownUnit({ prefix, suffix }: Quantity): string {
  return `“${prefix || suffix.trim() || 'a plain number'}”`
}

function unlimited(like: Quantity | null): Quantity {
  return {
    ...(like ?? { dimension: '', factor: 1, prefix: '', suffix: '', decimals: 0 }),
    amount: Number.POSITIVE_INFINITY,
  }
}

/** Formats an amount in the unit of a quantity, with thousands separators. */
export function formatAmount(amount: number, quantity: Quantity, decimals: number): string {
  checkGiven('formatAmount', { quantity }, 'a quantity', 'factor')
  const { factor, prefix, suffix } = quantity
  const number = (amount / factor).toLocaleString('en-US', { maximumFractionDigits: decimals })
  return `${prefix}${number}${suffix}`
}

function readNumber(digits: string): number {
  if (/^\d{1,3}(?:\.\d{3}){2,}/.test(digits)) return Number(digits.replaceAll('.', '').replace(',', '.'))
  if (/^\d{1,3}(?:[,'’ \u00a0\u202f]\d{3})+/.test(digits)) return Number(digits.replace(/[,'’ \u00a0\u202f]/g, ''))
  return Number(digits.replace(',', '.'))
}

/** Returns the dimension and the factor of a unit; null for several words, which are not a unit. */
function readUnit(text: string): { dimension: string; factor: number } | null {
  if (text === '') return { dimension: '', factor: 1 }
  const [, multiple = '', unit = ''] = /^(K|k|M|bn|thousand|million|billion)(?![\p{L}²³/])([\s\S]*)$/u.exec(text) ?? []
  if (multiple !== '') {
    const inner = readUnit(unit.trimStart())
    return inner && { dimension: inner.dimension, factor: inner.factor * MULTIPLES[multiple]! }
  }
  const [, name = '', per = ''] = /^([\p{L}%€$£°²³µ]+\.?)\s*((?:\/|per\s).*)?$/u.exec(text) ?? []
  if (name === '') return /^[\p{L}\s]{1,30}$/u.test(text) ? { dimension: text.toLowerCase(), factor: 1 } : null
  const plain = name.toLowerCase().replace(/\.$/, '').replace('μ', 'µ')
  const below = per === '' ? '' : `/${per.replace(/^(?:\/|per)\s*/, '').toLowerCase()}`
  // Plurals: `minutes`, `Stunden`, `Monate`.
  const forms = plain.length > 3 ? [plain, plain.replace(/[sn]$/, ''), plain.replace(/e[sn]?$/, '')] : [plain]
  for (const [dimension, units] of Object.entries(UNITS)) {
    const known = forms.find((form) => Object.hasOwn(units, form))
    if (known !== undefined) return { dimension: dimension + below, factor: units[known]! }
  }
  return { dimension: plain.replace(/s$/, '') + below, factor: 1 }
}

/** `$1.2M`: the unit is before the number, and the multiple after it. */
function prefixed(prefix: string, rest: string): { dimension: string; factor: number } | null {
  const unit = readUnit(prefix)!
  const multiple = rest === '' ? 1 : MULTIPLES[rest]
  if (multiple !== undefined) return { dimension: unit.dimension, factor: multiple }
  const per = /^(?:\/|per\s)\s*(\p{L}+)$/u.exec(rest)?.[1]
  return per === undefined ? null : { dimension: `${unit.dimension}/${per}`, factor: 1 }
}

/** `12 h 45 min`: the sum of several quantities of the same dimension. */
function compound(text: string): Quantity | null {
  const parts = [...text.matchAll(PART)]
  const isWhole = parts.length > 1 && text.replace(PART, '').trim() === ''
  const read = isWhole ? parts.map(([, digits, unit]) => ({ number: readNumber(digits!), unit: readUnit(unit!)! })) : []
  const last = read.at(-1)
  if (last === undefined || read.some(({ unit }) => unit.dimension !== 'time')) return null
  const amount = read.reduce((sum, { number, unit }) => sum + number * unit.factor, 0)
  return { amount, ...last.unit, prefix: '', suffix: ` ${parts.at(-1)![2]}`, decimals: 0 }
}
