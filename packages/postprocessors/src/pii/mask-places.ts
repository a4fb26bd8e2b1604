/**
 * @module
 * Masks several strings of one node with one mapping: the found entities, and all other occurrences of their originals.
 */

import { addToList } from '@x/core/values'
import type { TagName } from './keyed-tags.ts'
import { readEncoded } from './patterns/read-encoded.ts'
import { frontMatterEnd, type InsideWord, insideWord, originalsByTag, replacer } from './pii-mapping.ts'

/** An entity with its offsets in the source. */
export interface PlacedEntity {
  group: string
  start: number
  end: number
}

/** The strings to mask, and their offsets in the source that was searched. */
export interface SearchedTexts {
  texts: readonly string[]
  source: string
  /** The offset in `source` of some of the strings, by their index; in ascending order, without overlaps. */
  spans: readonly { start: number; text: number }[]
}

/** Masked strings, in the order of the originals. */
export interface MaskedTexts {
  texts: string[]
  mapping: Record<string, unknown>
  /** The originals, as they are read, that are masked inside longer words too. */
  inside: ReadonlyMap<string, InsideWord>
}

/** A place in one of the strings. */
interface Place {
  group: string
  text: number
  start: number
  end: number
  /** The offset in the source, which is part of the tag. */
  at: number
}

/** Scripts whose words are not separated by blanks. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]/u

/**
 * Replaces the entities by tags such as `[PER_5]`, with their offset in the source. An entity that spans several strings is masked
 * in each of them. All other whole-word occurrences of the originals are masked too. Occurrences inside longer words are masked if an
 * entity was found inside a word at the same end: if `Anna` was found in the genitive `Annas`, it is masked in every `Annas`.
 */
export function maskPlaces(
  searched: SearchedTexts,
  entities: readonly PlacedEntity[],
  tagName: TagName | null = null,
): MaskedTexts {
  const { texts, source } = searched
  const taken = bracketedIn([...texts, source])
  const tags = new Map<string, string>()
  const mapping = new Map<string, string>()
  /** The first place of each original, by its text as it is read. */
  const originals = new Map<string, { group: string; at: number; tag: string }>()
  const inside = new Map<string, InsideWord>()
  const tagOf = (group: string, original: string, at: number, isYaml = false) => {
    const key = `${isYaml}\n${group}\n${original}`
    let tag = tags.get(key)
    const plain = readEncoded(original).text
    if (tag === undefined) {
      const first = originals.get(plain)
      const place = first?.group === group ? first.at : at
      tag = freeTag(tagName?.(group, plain) ?? `${group}_${place}`, taken, isYaml)
      tags.set(key, tag)
      mapping.set(tag, original)
    }
    if (!originals.has(plain)) originals.set(plain, { group, at, tag })
    return tag
  }
  const yaml = texts.map(frontMatterEnd)
  const byText = new Map<number, { start: number; end: number; tag: string }[]>()
  for (const place of placesIn(searched, entities)) {
    const { group, text, start, end, at } = place
    const tag = tagOf(group, texts[text]!.slice(start, end), at, end <= yaml[text]!)
    addToList(byText, text, { start, end, tag })
    allowInside(inside, readEncoded(texts[text]!.slice(start, end)).text, insideWord(texts[text]!, start, end))
  }
  // Entities outside all strings have no known offsets, so their words are searched.
  for (const { group, start, end } of outsideOf(searched, entities)) tagOf(group, source.slice(start, end), start)
  const first = new Map([...originals].map(([plain, { tag }]) => [plain, tag]))
  // Another spelling has its own tag, so that it is restored exactly.
  const rest = (isYaml: boolean) =>
    replacer(first, inside, (plain, spelling) => {
      const { group, at } = originals.get(plain)!
      return tagOf(group, spelling, at, isYaml)
    })
  const [maskYaml, maskText] = [rest(true), rest(false)]
  const masked = texts.map((text, index) => {
    const maskRest = (from: number, until = text.length) => {
      const end = Math.min(Math.max(yaml[index]!, from), until)
      return maskYaml(text, from, end) + maskText(text, end, until)
    }
    let result = ''
    let copied = 0
    for (const { start, end, tag } of byText.get(index) ?? []) {
      result += maskRest(copied, start) + tag
      copied = end
    }
    return result + maskRest(copied)
  })
  return { texts: masked, mapping: Object.fromEntries(mapping), inside }
}

/**
 * Allows an original inside longer words, at the ends where it was found so. Not one or two letters, which models report for parts
 * of words: masking them everywhere would change the whole text.
 */
export function allowInside(inside: Map<string, InsideWord>, original: string, { start, end }: InsideWord): void {
  if ((!start && !end) || original.length < (unspaced.test(original) ? 2 : 3)) return
  const known = inside.get(original)
  inside.set(original, { start: start || !!known?.start, end: end || !!known?.end })
}

/** Returns whether a string contains an original of the mapping. Tags do not count. */
export function containsOriginal({ mapping, inside }: Omit<MaskedTexts, 'texts'>): (text: string) => boolean {
  const replacements = new Map<string, string | null>()
  const originals = originalsByTag(mapping)
  for (const tag of originals.keys()) replacements.set(tag, null)
  for (const original of originals.values()) {
    const plain = readEncoded(original).text
    if (/[\p{L}\p{N}]/u.test(plain) && !replacements.has(plain)) replacements.set(plain, '')
  }
  const remove = replacer(replacements, inside, () => '')
  return (text) => remove(text) !== text
}

/** Returns all strings in square or round brackets. */
export function bracketedIn(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap((text) => [...(text.match(/\[[^[\]]*\]/g) ?? []), ...(text.match(/\([^()]*\)/g) ?? [])]))
}

/** Returns a tag that is not taken, and marks it as taken. A value of YAML that begins with a square bracket would be a list. */
export function freeTag(name: string, taken: Set<string>, isYaml = false): string {
  const [open, close] = isYaml ? '()' : '[]'
  let tag = `${open}${name}${close}`
  for (let count = 2; taken.has(tag); count++) tag = `${open}${name}_${count}${close}`
  taken.add(tag)
  return tag
}

/** Returns the places of the entities in the strings: sorted, and without overlaps. The earlier entity is kept, then the longer one. */
function placesIn({ texts, spans }: SearchedTexts, entities: readonly PlacedEntity[]): Place[] {
  const places: Place[] = []
  let first = 0
  for (const { group, start, end } of withoutOverlaps(entities)) {
    while (first < spans.length && endOf(spans[first]!, texts) <= start) first++
    for (let index = first; index < spans.length && spans[index]!.start < end; index++) {
      const span = spans[index]!
      const from = Math.max(start, span.start)
      const until = Math.min(end, endOf(span, texts))
      const place = { group, text: span.text, start: from - span.start, end: until - span.start, at: from }
      if (texts[span.text]!.slice(place.start, place.end).trim() !== '') places.push(place)
    }
  }
  return places
}

/** Returns the entities that touch none of the strings. */
function outsideOf({ texts, spans }: SearchedTexts, entities: readonly PlacedEntity[]): PlacedEntity[] {
  let first = 0
  return withoutOverlaps(entities).filter(({ start, end }) => {
    while (first < spans.length && endOf(spans[first]!, texts) <= start) first++
    return first === spans.length || spans[first]!.start >= end
  })
}

function endOf(span: { start: number; text: number }, texts: readonly string[]): number {
  return span.start + texts[span.text]!.length
}

function withoutOverlaps(entities: readonly PlacedEntity[]): PlacedEntity[] {
  let until = 0
  return [...entities]
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .filter(({ start, end }) => {
      if (start < until) return false
      until = end
      return true
    })
}
