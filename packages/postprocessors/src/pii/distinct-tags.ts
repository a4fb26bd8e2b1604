/**
 * @module
 * Renames tags so that separately masked strings never use the same tag for different originals.
 */
import { checkOption, listOf } from '@x/core/options'
import { compactJson } from '@x/core/values'
import { bracketedIn, type MaskedTexts } from './mask-places.ts'
import { bracketed, originalsByTag, replacer } from './pii-mapping.ts'
import type { MaskedText } from './read-pii-answer.ts'

/**
 * Renames each tag that another masked string uses for a different original: the second `[NAME1]` becomes `[NAME1_2]`.
 * Their mappings can then be merged, to unmask an answer that quotes several of the strings.
 * @example
 * withDistinctTags([{ text: '[A]', mapping: { A: 'Ann' } }, { text: '[A]', mapping: { A: 'Bob' } }])
 * // => [{ text: '[A]', mapping: { A: 'Ann' } }, { text: '[A_2]', mapping: { A_2: 'Bob' } }]
 */
export function withDistinctTags(masked: readonly MaskedText[]): MaskedText[] {
  checkOption('withDistinctTags', 'masked', masked, listOf('a masked text', 'text'))
  const distinct = distinctTags(masked.map(({ text, mapping }) => ({ texts: [text], mapping })))
  return distinct.map(({ texts, mapping }) => ({ text: texts[0]!, mapping }))
}

/** Like `withDistinctTags`, for several strings per mapping. */
export function distinctTags<Masked extends Omit<MaskedTexts, 'inside'>>(masked: readonly Masked[]): Masked[] {
  const meanings = new Map<string, unknown>()
  // A tag must not occur as text in any string.
  const used = new Set<string>()
  const literal = new Set<string>()
  // The new tags by name and original, and the highest number used per name.
  const made = new Map<string, string>()
  const counts = new Map<string, number>()
  for (const { texts, mapping } of masked) {
    for (const key of Object.keys(mapping)) used.add(bracketed(key))
    // Unmasking does not replace a tag without an original.
    const tags = originalsByTag(mapping)
    for (const found of bracketedIn(texts)) {
      used.add(found)
      if (!tags.has(found)) literal.add(found)
    }
  }
  return masked.map((entry) => {
    const { texts, mapping } = entry
    const renamed = new Map<string, string>()
    const originals = originalsByTag(mapping)
    const entries = Object.entries(mapping).map(([key, value]): [string, unknown] => {
      const tag = bracketed(key)
      if (!originals.has(tag)) return [key, value]
      if (!literal.has(tag) && (!meanings.has(tag) || meanings.get(tag) === value)) {
        meanings.set(tag, value)
        return [key, value]
      }
      const name = tag.slice(1, -1)
      const meaning = compactJson([tag, value])
      let fresh = made.get(meaning)
      while (fresh === undefined) {
        const count = (counts.get(name) ?? 1) + 1
        counts.set(name, count)
        const next = `${tag[0]}${name}_${count}${tag.at(-1)}`
        if (!used.has(next)) fresh = next
      }
      made.set(meaning, fresh)
      renamed.set(tag, fresh)
      return [key === tag ? fresh : fresh.slice(1, -1), value]
    })
    const rename = replacer(renamed)
    return { ...entry, texts: texts.map((text) => rename(text)), mapping: Object.fromEntries(entries) }
  })
}
