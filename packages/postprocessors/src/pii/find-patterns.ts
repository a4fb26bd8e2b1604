/**
 * @module
 * Finds personal data that has a fixed form, without a model.
 */
import type { NamedEntity } from './mask-entities.ts'
import { findCards } from './patterns/find-cards.ts'
import { findEmails } from './patterns/find-emails.ts'
import { findIbans } from './patterns/find-ibans.ts'
import { findIps } from './patterns/find-ips.ts'
import { findPhones } from './patterns/find-phones.ts'
import { digitGroups, type Range, withPlainSigns } from './patterns/plain-signs.ts'

/**
 * Finds e-mail addresses, IBANs, card numbers, IP addresses and telephone numbers in a string, in order and without overlaps. Pass
 * it to `NERPIINodePostprocessor` as `ner`. Check digits are verified. Any blanks, dashes and full stops may separate the groups of a
 * number, and any text may be adjacent to it. A national telephone number needs a word such as `Tel.` before it, unless its form is
 * unmistakable. Names and postal addresses have no fixed form and need a model. The time is linear in the length of the string.
 * @example
 * const mask = new NERPIINodePostprocessor({ ner: findPatterns })
 * const [entry] = await mask.postprocessNodes([new NodeWithScore({ node: new TextNode({ text: 'Write to ann@example.org.' }) })])
 * entry.text // => 'Write to [EMAIL_9].'
 */
export function findPatterns(text: string): NamedEntity[] {
  const plain = withPlainSigns(text)
  // In order of precedence: overlapping ranges belong to the first kind.
  const kinds: readonly [string, Range[]][] = [
    ['EMAIL', findEmails(plain)],
    ['IBAN', findIbans(plain)],
    ['CARD', findCards(plain, digitGroups(plain))],
    ['IP', findIps(plain)],
    ['PHONE', findPhones(plain)],
  ]
  const claimed = new Uint8Array(text.length)
  const found: NamedEntity[] = []
  for (const [group, ranges] of kinds) {
    for (const { start, end } of ranges) {
      if (claimed.subarray(start, end).includes(1)) continue
      claimed.fill(1, start, end)
      found.push({ entity_group: group, word: text.slice(start, end), start, end })
    }
  }
  return found.sort((a, b) => a.start! - b.start!)
}
