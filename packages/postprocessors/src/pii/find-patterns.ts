/**
 * @module
 * Finds personal data that has a fixed form, without a model.
 */
import { lazy } from '@x/core-model/internal'
import type { NamedEntity } from './mask-entities.ts'

interface Pattern {
  group: string
  form: RegExp
  /** Checks what the regular expression cannot, such as a check digit. */
  isValid?: (found: string) => boolean
}

// Every repetition is bounded, so that the time is linear in the length of the string.
const patterns = /* @__PURE__ */ lazy((): readonly Pattern[] => {
  const letterOrDigit = String.raw`\p{L}\p{N}`
  const alone = (form: string) => `(?<![${letterOrDigit}])${form}(?![${letterOrDigit}])`
  const name = `[${letterOrDigit}_%+-](?:[${letterOrDigit}._%+-]{0,62}[${letterOrDigit}_%+-])?`
  return [
    {
      group: 'EMAIL',
      form: new RegExp(String.raw`${name}@(?:[${letterOrDigit}-]{1,63}\.){1,6}\p{L}{2,24}`, 'gu'),
    },
    {
      group: 'IBAN',
      form: new RegExp(alone(String.raw`[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?`), 'gu'),
      isValid: isIban,
    },
    { group: 'CARD', form: new RegExp(alone(String.raw`\d(?:[ -]?\d){12,18}`), 'gu'), isValid: hasLuhnDigit },
    {
      group: 'IP',
      form: new RegExp(String.raw`(?<![${letterOrDigit}.])(?:\d{1,3}\.){3}\d{1,3}(?![${letterOrDigit}]|\.\d)`, 'gu'),
      isValid: (found) => found.split('.').every((part) => Number(part) <= 255),
    },
    {
      group: 'IP',
      form: new RegExp(
        `(?<![${letterOrDigit}:])(?:[0-9a-f]{1,4}:){2,7}(?::?[0-9a-f]{1,4}){1,6}(?![${letterOrDigit}:])`,
        'giu',
      ),
      isValid: isIpv6,
    },
    {
      group: 'PHONE',
      form: new RegExp(
        String.raw`(?<![${letterOrDigit}+]|\d[ -])(?:\+|00)[1-9](?:[ ./()-]{0,2}\d){6,14}(?![${letterOrDigit}])`,
        'gu',
      ),
    },
  ]
})

/**
 * Finds e-mail addresses, IBANs, card numbers, IP addresses and international telephone numbers in a string. Pass it to
 * `NERPIINodePostprocessor` as `ner`. Check digits are verified. Names and postal addresses have no fixed form and need a model.
 * @example
 * const mask = new NERPIINodePostprocessor({ ner: findPatterns })
 * const [entry] = await mask.postprocessNodes([new NodeWithScore({ node: new TextNode({ text: 'Write to ann@example.org.' }) })])
 * entry.text // => 'Write to [EMAIL_9].'
 */
export function findPatterns(text: string): NamedEntity[] {
  return patterns().flatMap(({ group, form, isValid }) =>
    [...text.matchAll(form)].flatMap(({ 0: word, index }) =>
      isValid && !isValid(word) ? [] : [{ entity_group: group, word, start: index, end: index + word.length }],
    ),
  )
}

function hasLuhnDigit(found: string): boolean {
  const digits = found.replace(/\D/g, '')
  let sum = 0
  for (let place = 1; place <= digits.length; place++) {
    const digit = Number(digits[digits.length - place])
    const doubled = place % 2 === 0 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0 && !/^0+$/.test(digits)
}

/** ISO 13616: letters are numbers from 10, the first four characters move to the end, and the number modulo 97 is 1. */
function isIban(found: string): boolean {
  const compact = found.replaceAll(' ', '')
  let remainder = 0
  for (const char of compact.slice(4) + compact.slice(0, 4)) {
    for (const digit of String(Number.parseInt(char, 36))) remainder = (remainder * 10 + Number(digit)) % 97
  }
  return compact.length >= 15 && compact.length <= 34 && remainder === 1
}

function isIpv6(found: string): boolean {
  const groups = found.split(':')
  const gaps = found.split('::').length - 1
  return gaps === 0 ? groups.length === 8 : gaps === 1 && groups.length <= 8
}
