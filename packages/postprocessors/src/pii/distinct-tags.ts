/**
 * @module
 * Make tags of texts that were masked apart from each other mean one thing each.
 */
import { bracketed, replaceAll } from './pii-mapping.ts'
import type { MaskedText } from './read-pii-answer.ts'

/**
 * The masked texts with tags renamed where an earlier text uses them for something else: the second `[NAME1]` becomes `[NAME1_2]`.
 * Their mappings can then be merged, so that an answer that draws on all of them can be unmasked.
 * @example
 * withDistinctTags([{ text: '[A]', mapping: { A: 'Ann' } }, { text: '[A]', mapping: { A: 'Bob' } }])
 * // => [{ text: '[A]', mapping: { A: 'Ann' } }, { text: '[A_2]', mapping: { A_2: 'Bob' } }]
 */
export function withDistinctTags(masked: readonly MaskedText[]): MaskedText[] {
  const meanings = new Map<string, unknown>()
  // Names that a text uses itself must not be given to another of its tags.
  const used = new Set(masked.flatMap(({ mapping }) => Object.keys(mapping).map(bracketed)))
  return masked.map(({ text, mapping }) => {
    const renamed = new Map<string, string>()
    const entries = Object.entries(mapping).map(([key, value]): [string, unknown] => {
      const tag = bracketed(key)
      if (!meanings.has(tag) || meanings.get(tag) === value) {
        meanings.set(tag, value)
        return [key, value]
      }
      const name = tag.slice(1, -1)
      let count = 2
      while (used.has(`[${name}_${count}]`) && meanings.get(`[${name}_${count}]`) !== value) count++
      const fresh = `[${name}_${count}]`
      used.add(fresh)
      meanings.set(fresh, value)
      renamed.set(tag, fresh)
      return [key === tag ? fresh : fresh.slice(1, -1), value]
    })
    return { text: replaceAll(text, renamed), mapping: Object.fromEntries(entries) }
  })
}
