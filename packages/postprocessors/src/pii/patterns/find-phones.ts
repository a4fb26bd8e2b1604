import { lazy } from '@x/core/values'
import type { Range } from './plain-signs.ts'

/** Words and signs before (or in brackets after) a national number. */
const words =
  'telephone|telefone?|teléfono|téléphone|telefono|telefax|tele?ph?|tel|tél|tlf|phones?|fon|fone|ph|mobile|mobil|mobiel|móvil|mob|handy|natel|cellulare|cell(?:phone)?|cel|portable|fax|téléc|gsm|whatsapp|sms|hotline|durchwahl|rufnummer|tfn|puh|тел|телефон|моб|факс|电话|電話|手机|手機|携帯|传真|傳真|전화|휴대폰'
const signs = '☎|☏|✆|📞|📱|📠|🖷'
const links =
  'numbers?|nos?|nr|num|nummer|numéro|número|numero|is|ist|at|on|under|unter|office|home|work|direct|private|privat|dienstlich|büro|central|zentrale|me|us|fax|mobile?'

const forms = /* @__PURE__ */ lazy(() => {
  // Letters of scripts without upper and lower case, such as Chinese, stand beside numbers without a blank.
  const alnum = String.raw`\p{Lu}\p{Ll}\p{N}`
  // Every repetition is bounded, so that the time is linear in the length of the string.
  const gap = String.raw`[\s.:#=()/&,|>*_'"\uFE0F-]{0,4}`
  return {
    /** A label such as "Tel." followed by a number. */
    context: new RegExp(
      `(?:(?<![${alnum}])(?:(?:${words})|call(?= (?:us|me|at|on|now)|:)|[tfm](?=[.:] ?[(0-9+]))(?![\\p{Lu}\\p{Ll}])|${signs})(?:${gap}(?:${links})(?![${alnum}])){0,3}${gap}?(?=[(\\d])`,
      'giu',
    ),
    /** Separator between several numbers after one label. */
    list: /^\s{0,2}(?:[,;/|&]|or|oder|und|and|bzw\.?|ou|y|e)\s{0,2}(?=[(\d])/iu,
    /** A context in brackets after the number. */
    after: new RegExp(
      String.raw`(?<![${alnum}.,+])\(?\d(?:[ ./()-]{0,2}\d){4,14}(?= ?[([] ?(?:${words}|${signs})\b)`,
      'giu',
    ),
    international: new RegExp(
      String.raw`(?<![${alnum}+]|\d[ -])(?:(?:\( ?)?\+ ?|00 ?)(?=[1-9(])(?:\(0\)|[ ./()-]{0,3}\d){7,17}`,
      'gu',
    ),
    /** Unmistakable national forms: (415) 555-2671, 415-555-2671, 01 23 45 67 89, 03-1234-5678. */
    national: new RegExp(
      String.raw`(?<![${alnum}]|[${alnum}][-./_])(?:\(\d{3}\) ?\d{3}[ .-]\d{4}|(?:1-)?[2-9]\d\d-[2-9]\d\d-\d{4}|0[1-9](?:([ .])\d\d)(?:\1\d\d){3}|0\d{1,3}-\d{3,4}-\d{4})(?![${alnum}]|[-./_][${alnum}])`,
      'gu',
    ),
    /** Words before numbers with leading zeros that are not telephone numbers. */
    identifier:
      /(?:\b(?:id|ids|no|nr|num|number|order|ref|reference|sku|isbn|ean|serial|invoice|rechnung|konto|account|art|artikel|item|code|key|hash|case|ticket|case)|#|№|=)[\s.:#=-]{0,3}$/i,
    /** Numbers with the form of international ones. No area code of the country 1 begins with 0 or 1. */
    amount: /^\D*(?:00 ?)?1[ ./()-]{0,3}[01]|^\D*\d+0{7}$/,
    date: /^(?:\d{1,2}[./-]\d{1,2}[./-](?:\d\d|\d{4})|\d{4}[./-]\d{1,2}[./-]\d{1,2})$/,
  }
})

/** Returns the telephone numbers: international ones, national ones near a word such as `Tel.`, and unmistakable national forms. */
export function findPhones(text: string): Range[] {
  const { context, list, after, international, national, identifier, amount } = forms()
  const phones: Range[] = []
  for (const { 0: found, index } of text.matchAll(international)) {
    const isIdentifier = found.startsWith('0') && identifier.test(text.slice(Math.max(0, index - 16), index))
    const phone = isIdentifier || amount.test(found) ? undefined : wholeGroups(text, index, found)
    if (phone) phones.push(phone)
  }
  for (const { 0: found, index } of text.matchAll(context)) {
    for (let start: number | undefined = index + found.length; start !== undefined; ) {
      const phone: Range | undefined = nationalNumber(text, start)
      if (phone === undefined) break
      phones.push(phone)
      const next: string | undefined = list.exec(text.slice(phone.end, phone.end + 12))?.[0]
      start = next === undefined ? undefined : phone.end + next.length
    }
  }
  for (const form of [after, national])
    for (const { 0: found, index } of text.matchAll(form)) phones.push({ start: index, end: index + found.length })
  return phones
}

/** Returns the national number at `start`, or undefined. */
function nationalNumber(text: string, start: number): Range | undefined {
  const found = /^ ?\(?\d(?:[ ./()-]{0,3}\d){4,16}/.exec(text.slice(start, start + 48))?.[0]
  return found === undefined || forms().date.test(found) ? undefined : wholeGroups(text, start, found)
}

/** Returns the first groups of a number that have at most 15 digits together, the maximum of a telephone number; undefined if none. */
function wholeGroups(text: string, start: number, found: string): Range | undefined {
  const prefix = /^00 ?/.exec(found)?.[0].length ?? 0
  let end: number | undefined
  let count = 0
  let inside = 0
  for (const { 0: digits, index } of found.slice(prefix).matchAll(/\d+/g)) {
    const at = start + prefix + index + digits.length
    count += digits.length
    if (count > 15 || /[\p{Lu}\p{Ll}]/u.test(text[at] ?? '')) break
    end = at
    inside = count
  }
  if (end === undefined || inside < 5) return undefined
  // A bracket around the whole number is not part of it.
  const isEnclosed = found[0] === '(' && !text.slice(start, end).includes(')')
  return { start: isEnclosed ? start + 1 : start, end }
}
