/**
 * @module
 * Finds personal data that has a fixed form, without a model.
 */
import { checkOptions, type OptionCheck } from '@x/core/options'
import type { NamedEntity } from './mask-entities.ts'
import { base64Texts } from './patterns/base64-texts.ts'
import { emails, ips } from './patterns/find-addresses.ts'
import { cards } from './patterns/find-cards.ts'
import { ibans } from './patterns/find-ibans.ts'
import { phones } from './patterns/find-phones.ts'
import { cellAround, labelledText } from './patterns/labelled-text.ts'
import { labelledRows } from './patterns/list-items.ts'
import { isOtherNumber, isVersion } from './patterns/other-numbers.ts'
import type { PatternKind } from './patterns/pattern-kind.ts'
import { type Range, withPlainSigns } from './patterns/plain-signs.ts'
import { type ReadText, readEncoded, sourceRange } from './patterns/read-encoded.ts'

/** What {@link findPatterns} finds. */
interface FindPatternsOptions {
  /**
   * The kinds, in order of precedence: overlapping matches belong to the first kind. By default `emails`, `ibans`, `cards`, `ips` and
   * `phones`.
   */
  kinds?: readonly PatternKind[] | undefined
  /** Finds national telephone numbers of these regions too: `numberingPlans('DE', 'AT')` of `@x/postprocessors/numbering-plans`. */
  regions?: PatternKind | undefined
}

/** Finds the personal data of some kinds in a string, in order and without overlaps. */
export type PatternRecognizer = (text: string) => NamedEntity[]

/**
 * Finds e-mail addresses, IBANs, card numbers, IP addresses and telephone numbers in a string, in order and without overlaps; or, with
 * options, returns a function that finds other kinds. Pass either to `NERPIINodePostprocessor` as `ner`. Check digits are verified. A
 * national telephone number needs a word such as `Tel.` near it, its region, or an unmistakable form. Names and postal addresses have no
 * fixed form and need a model. Escapes, character references and encodings are read: `ann\\_b&#64;example.org`, `ann%40example.org` and
 * base64 are found. The time is linear in the length of the string.
 * @throws {ModelValidationError} if an option is unknown or invalid.
 * @example
 * const mask = new NERPIINodePostprocessor({ ner: findPatterns })
 * const [entry] = await mask.postprocessNodes([new NodeWithScore({ node: new TextNode({ text: 'Write to ann@example.org.' }) })])
 * entry.text // => 'Write to [EMAIL_9].'
 * @example
 * const find = findPatterns({ kinds: [emails, credentials] })
 * find('ann@example.org uses AKIAIOSFODNN7EXAMPLE').map(({ entity_group }) => entity_group) // => ['EMAIL', 'CREDENTIAL']
 */
export function findPatterns(text: string): NamedEntity[]
export function findPatterns(options: FindPatternsOptions): PatternRecognizer
export function findPatterns(input: string | FindPatternsOptions): NamedEntity[] | PatternRecognizer {
  if (typeof input === 'string') return patternRecognizer(usual)(input)
  checkOptions('findPatterns', input, { kinds: kindList, regions: isKind })
  const { kinds = usual, regions } = input
  return patternRecognizer(regions === undefined ? kinds : [...kinds, regions])
}

const isKind: OptionCheck = (value) => {
  const { group, find } = Object(value)
  return typeof group === 'string' && typeof find === 'function' ? undefined : 'a kind such as emails'
}
const kindList: OptionCheck = (value) =>
  Array.isArray(value) && value.every((kind) => isKind(kind) === undefined)
    ? undefined
    : 'a list of kinds such as [emails]'
const usual: readonly PatternKind[] = [emails, ibans, cards, ips, phones]

/**
 * Returns a function that finds these kinds: `findPatterns({ kinds })` without the usual kinds in the bundle.
 * @param kinds - in order of precedence: overlapping matches belong to the first kind.
 * @example
 * patternRecognizer([macAddresses])('00:1B:44:11:3A:B7')[0].entity_group // => 'MAC'
 */
export function patternRecognizer(kinds: readonly PatternKind[]): PatternRecognizer {
  return (text) =>
    findKinds(text, kinds).map(({ group, start, end }) => ({
      entity_group: group,
      word: text.slice(start, end),
      start,
      end,
    }))
}

function findKinds(text: string, kinds: readonly PatternKind[]): (Range & { group: string })[] {
  const labelled = labelledRows.flatMap((rowsOf) => {
    const rows = labelledText(text, rowsOf(text))
    return rows ? { ...rows, read: searchedText(rows.text) } : []
  })
  const read = searchedText(text)
  const claimed = new Uint8Array(text.length)
  const found: (Range & { group: string })[] = []
  const add = (group: string, { start, end }: Range) => {
    if (claimed.subarray(start, end).includes(1)) return
    claimed.fill(1, start, end)
    found.push({ group, start, end })
  }
  for (const { group, find } of kinds) {
    for (const { cells, read } of labelled) {
      for (const place of find(read.plain)) {
        const { start, end } = sourceRange(read, place.start, place.end)
        const cell = cellAround(cells, 'at', start, end)
        if (cell) add(group, { start: start - cell.at + cell.from, end: end - cell.at + cell.from })
      }
    }
    for (const place of find(read.plain)) {
      const range = sourceRange(read, place.start, place.end)
      // The header may say that the numbers of its column or list are something else.
      const isOther = labelled.some(({ bySource }) => {
        const cell = cellAround(bySource, 'from', range.start, range.end)
        return cell !== undefined && isOtherColumn(cell.header)
      })
      if (!isOther) add(group, range)
    }
  }
  for (const encoded of base64Texts(text))
    for (const place of encoded.placesOf(findKinds(encoded.text, kinds))) add(place.group, place)
  return found.sort((a, b) => a.start - b.start)
}

/** Whether the header of a column says that its numbers are something else than personal data, such as orders and versions. */
function isOtherColumn(header: string): boolean {
  const before = `${header}: `
  return isOtherNumber(before, before.length) || isVersion(before, before.length)
}

/** Returns a string as it is read, and what is searched: the same with plain signs. */
function searchedText(text: string): ReadText & { plain: string } {
  const read = readEncoded(text)
  return { ...read, plain: withPlainSigns(read.text) }
}
