/**
 * @module
 * Masks the strings of a node with the mapping of a model. The text in the model's answer is used only to find out which tags it used.
 */
import { PiiParseError } from '../errors.ts'
import type { TagName } from './keyed-tags.ts'
import { wordFinder } from './mask-entities.ts'
import { allowInside, bracketedIn, freeTag, type MaskedTexts } from './mask-places.ts'
import { readEncoded } from './patterns/read-encoded.ts'
import { bracketed, frontMatterEnd, type InsideWord, insideWord, isWord, replacer } from './pii-mapping.ts'
import type { MaskedText } from './read-pii-answer.ts'

/** Tags as models write them: `[NAME_1]`. */
const tagForm = /^\[\p{Lu}[\p{Lu}\p{N}_ -]*\]$/u

/** An original of at least this length is masked inside longer words even if the model did not use its tag. */
const longEnough = 3

/**
 * Replaces the originals of the model's mapping in all strings by their tags. An original that occurs only inside longer words is
 * masked there. An original that the model spelled with different white space or case is searched ignoring both.
 * @throws {PiiParseError} if the model used a tag whose original is not in its mapping or not in the strings.
 */
export function applyAnswer(
  texts: readonly string[],
  { text: retold, mapping }: MaskedText,
  className: string,
  tagName: TagName | null = null,
): MaskedTexts {
  // No original contains this separator, so none spans two strings.
  const joined = texts.join('\u0000')
  const find = wordFinder(joined)
  const literal = bracketedIn(texts)
  const known = new Set(Object.keys(mapping).map(bracketed))
  const taken = new Set([...literal, ...known])
  const inside = new Map<string, InsideWord>()
  /** The tags by original, as it is read, and by its spellings. */
  const originals = new Map<string, string>()
  const spellings = new Map<string, string>()
  const entries: [string, unknown][] = []
  const used = edgesByTag(retold)
  const refuse = (tag: string): never => {
    throw new PiiParseError(className, retold, `uses ${tag}, but its mapping does not say for which part of the text`)
  }
  for (const tag of used.keys()) if (!known.has(tag) && !literal.has(tag) && tagForm.test(tag)) refuse(tag)
  for (const [key, value] of Object.entries(mapping)) {
    const tag = bracketed(key)
    const edges = literal.has(tag) ? undefined : used.get(tag)
    const original = asOriginal(value)
    const [start, end] = (original !== undefined && find(original, 0)) || [0, 0]
    const found = joined.slice(start, end)
    const own = tagName?.(tag.slice(1, -1).replace(/[_ -]{0,3}\d{1,6}$/, ''), readEncoded(found).text)
    // Unmasking would also replace a tag that the original text contains.
    const name = own !== undefined || literal.has(tag) ? freeTag(own ?? tag.slice(1, -1), taken) : tag
    const isMasked = found !== '' && (edges || found.length >= longEnough || isWord(joined, start, end))
    if (!isMasked && edges) refuse(tag)
    const finalValue = isMasked && (typeof value !== 'number' || found !== String(value)) ? found : value
    entries.push([key === tag ? name : name.slice(1, -1), finalValue])
    if (!isMasked) continue
    const plain = readEncoded(found).text
    allowInside(inside, plain, insideWord(joined, start, end))
    if (edges) allowInside(inside, plain, edges)
    if (!originals.has(plain)) originals.set(plain, name)
    if (!spellings.has(found)) spellings.set(found, name)
  }
  // Another spelling has its own tag, so that it is restored exactly; and so has the front matter.
  const masker = (isYaml: boolean) =>
    replacer(originals, inside, (plain, spelling) => {
      const key = isYaml ? `${spelling}\n` : spelling
      let tag = spellings.get(key)
      if (tag === undefined) {
        tag = freeTag(originals.get(plain)!.slice(1, -1), taken, isYaml)
        spellings.set(key, tag)
        entries.push([tag, spelling])
      }
      return tag
    })
  const [maskYaml, maskText] = [masker(true), masker(false)]
  const masked = texts.map((text) => {
    const end = frontMatterEnd(text)
    return (end > 0 ? maskYaml(text, 0, end) : '') + maskText(text, end)
  })
  return { texts: masked, mapping: Object.fromEntries(entries), inside }
}

/** Returns the tags in a string, and at which ends a letter or digit is adjacent, such as the end in `[NAME1]s`. */
function edgesByTag(text: string): Map<string, InsideWord> {
  const tags = new Map<string, InsideWord>()
  for (const { 0: tag, index } of text.matchAll(/\[[^[\]]*\]/g)) {
    const known = tags.get(tag)
    tags.set(tag, {
      start: !!known?.start || /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, index - 2), index)),
      end: !!known?.end || /^[\p{L}\p{N}]/u.test(text.slice(index + tag.length, index + tag.length + 2)),
    })
  }
  return tags
}

/** Returns the original in a value of the mapping: a string or number, possibly as the only element of an array. */
function asOriginal(value: unknown): string | undefined {
  const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
  const text = typeof one === 'number' || typeof one === 'bigint' ? String(one) : one
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}
