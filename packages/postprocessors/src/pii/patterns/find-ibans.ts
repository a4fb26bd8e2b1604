import { lazy } from '@x/core/values'
import { acrossLines } from './across-lines.ts'
import { modulo } from './check-digits.ts'
import type { PatternKind } from './pattern-kind.ts'
import type { Range } from './plain-signs.ts'

/** The length of an IBAN by country, as in the IBAN registry. */
const lengthOf = /* @__PURE__ */ lazy(() => {
  const registry =
    'AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29ES24FI18FK18FO18FR27GB22GE22GI23GL18GR27GT28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19MN20MR27MT31MU30NI28NL18NO15OM23PK24PL28PS29PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28TL23TN24TR26UA29VA22VG24XK20YE30'
  return new Map([...registry.matchAll(/([A-Z]{2})(\d\d)/g)].map(([, country, length]) => [country!, Number(length)]))
})

/**
 * IBANs with valid check digits and the length of their country: without separators, in groups of four with one separator throughout, or in
 * any groups behind a word such as `IBAN`.
 */
export const ibans: PatternKind = {
  group: 'IBAN',
  find: /* @__PURE__ */ acrossLines(
    findIbans,
    ({ before, after }) =>
      /(?:^| )[A-Z]{2}\d\d(?: [A-Z\d]{4}){0,8}$/.test(before) && /^[A-Z\d]{1,4}(?: |[.)]?$)/.test(after),
    String.raw`A-Z\d`,
  ),
}

function findIbans(text: string): Range[] {
  const ibans: Range[] = []
  for (const { index: start } of text.matchAll(/(?<![\p{Lu}\p{Ll}\p{N}])[a-z]{2}[ -]?\d[ -]?\d/giu)) {
    const end = endOfIban(text, start)
    if (end !== undefined) ibans.push({ start, end })
  }
  for (const { 0: found, index } of text.matchAll(/(?<![\p{Lu}\p{Ll}\p{N}])iban(?=[a-z]{2}\d\d)/giu)) {
    const end = endOfIban(text, index + found.length)
    if (end !== undefined) ibans.push({ start: index + found.length, end })
  }
  return ibans
}

function endOfIban(text: string, start: number): number | undefined {
  const length = lengthOf().get(text.slice(start, start + 2).toUpperCase())
  if (length === undefined) return undefined
  let compact = ''
  let gap = 0
  for (let at = start; at < text.length && gap <= 3; at++) {
    if (/[a-z0-9]/i.test(text[at]!)) {
      gap = 0
      compact += text[at]
      if (compact.length < length) continue
      if (/[a-z0-9]/i.test(text[at + 1] ?? '') && !/^[A-Z]{3}(?![A-Za-z0-9])/.test(text.slice(at + 1, at + 5)))
        return undefined
      return isIban(compact) && isPrinted(text, start, at + 1) ? at + 1 : undefined
    } else if (/[\s./-]/.test(text[at]!)) gap++
    else return undefined
  }
  return undefined
}

/** Whether a number is written without separators or in groups of four with one separator, or stands behind a word for an account. */
function isPrinted(text: string, start: number, end: number): boolean {
  const form = text.slice(start, end).replace(/^([a-z]{2}) (?=\d\d)/i, '$1')
  if (
    /^[a-z0-9]+$/i.test(form) ||
    /^[a-z0-9]{4}(?:(\s{1,2}|[./-]|\s-\s)[a-z0-9]{4})(?:\1[a-z0-9]{4})*(?:\1[a-z0-9]{1,3})?$/i.test(form)
  )
    return true
  return /(?:iban|konto|account|compte|cuenta|conta|conto|rekening|rachun|hesab|сч[её]т|口座|账户|帳戶|계좌|حساب)\p{L}{0,8}[\s\p{P}]{0,6}(?:(?:no|nr|n°|number)\.?[\s\p{P}]{0,3})?$/iu.test(
    text.slice(Math.max(0, start - 40), start),
  )
}

/** ISO 13616: letters are numbers from 10, the first four characters move to the end, and the number modulo 97 is 1. */
function isIban(compact: string): boolean {
  return modulo(compact.slice(4) + compact.slice(0, 4), 97) === 1
}
