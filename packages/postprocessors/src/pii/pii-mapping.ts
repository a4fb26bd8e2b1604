/**
 * @module
 * Put tags in the place of personal data, and the data back in the place of the tags.
 */
import { codePointAt, codePointBefore, isLetterOrDigit } from '../keyword/word-boundaries.ts'

/** Tag, with or without its brackets, to what it stands for. Only texts can be masked and put back; a model may give other values. */
export type PiiMapping = Readonly<Record<string, unknown>>

/** A tag as it stands in a text: `[NAME_1]`. */
export function bracketed(tag: string): string {
  return tag.startsWith('[') && tag.endsWith(']') ? tag : `[${tag}]`
}

/**
 * `text` with every original of `mapping` replaced by its tag: closes the leaks of a text that was masked incompletely.
 * An original counts as a whole word only; where several fit the longest is taken, and of two tags for one original the first.
 * Tags that stand in the text are left alone.
 * @example
 * applyPiiMapping('Bob met Bobby', { NAME1: 'Bob' }) // => '[NAME1] met Bobby'
 */
export function applyPiiMapping(text: string, mapping: PiiMapping): string {
  const replacements = new Map<string, string | null>()
  const entries = Object.entries(mapping)
  // null: what is found is left as it is.
  for (const [key] of entries) replacements.set(bracketed(key), null)
  for (const [key, value] of entries) {
    if (typeof value === 'string' && value.trim() !== '' && !replacements.has(value))
      replacements.set(value, bracketed(key))
  }
  return replacer(replacements)(text)
}

/**
 * `text` with every tag of `mapping` replaced by what it stands for; what is put in is not read again. Reverses masking.
 * @example
 * unmask('Dear [NAME1],', { NAME1: 'Bob' }) // => 'Dear Bob,'
 */
export function unmask(text: string, mapping: PiiMapping): string {
  return replacer(originalsByTag(mapping))(text)
}

/**
 * Reverses masking in a text that arrives in pieces, as a model's answer does: a tag may be cut anywhere.
 * A piece of text is held back only as long as it may be the beginning of a tag.
 * @example
 * const pieces = unmaskStream(['Dear [NA', 'ME1]!'], { NAME1: 'Bob' })
 * ;[(await pieces.next()).value, (await pieces.next()).value] // => ['Dear ', 'Bob!']
 */
export async function* unmaskStream(
  pieces: AsyncIterable<string> | Iterable<string>,
  mapping: PiiMapping,
): AsyncGenerator<string> {
  const originals = originalsByTag(mapping)
  const putBack = replacer(originals)
  const beginnings = new Set<string>()
  for (const tag of originals.keys()) {
    for (let end = 1; end < tag.length; end++) beginnings.add(tag.slice(0, end))
  }
  let held = ''
  for await (const piece of pieces) {
    held += piece
    const cut = startOfUnfinishedTag(held, beginnings, originals)
    if (cut === 0) continue
    const out = putBack(held.slice(0, cut))
    held = held.slice(cut)
    if (out !== '') yield out
  }
  if (held !== '') yield putBack(held)
}

/** Where `text` must be cut so that no tag is cut: before the first place from which on all of it may begin a longer tag. */
function startOfUnfinishedTag(
  text: string,
  beginnings: ReadonlySet<string>,
  originals: ReadonlyMap<string, string>,
): number {
  let longest = 0
  for (const tag of originals.keys()) longest = Math.max(longest, tag.length)
  for (let start = Math.max(0, text.length - longest + 1); start < text.length; start++) {
    if (!beginnings.has(text.slice(start))) continue
    // A whole tag that reaches into this beginning is found from its own start, so the cut may not fall inside it.
    for (let before = Math.max(0, start - longest + 1); before < start; before++) {
      for (const tag of originals.keys()) if (before + tag.length > start && text.startsWith(tag, before)) return before
    }
    return start
  }
  return text.length
}

function originalsByTag(mapping: PiiMapping): Map<string, string> {
  const originals = new Map<string, string>()
  for (const [key, value] of Object.entries(mapping))
    if (typeof value === 'string') originals.set(bracketed(key), value)
  return originals
}

/**
 * Makes the function that goes over a text once, or over the part of it between two places, and replaces what `replacements` names
 * (null: with itself), the longest that fits first. What begins or ends with a letter or digit must stand there as a word.
 */
export function replacer(
  replacements: ReadonlyMap<string, string | null>,
): (text: string, from?: number, until?: number) => string {
  // By first unit the lengths there are, longest first: at each place of a text a few look-ups, however much is replaced.
  const lengths = new Map<string, Set<number>>()
  for (const { length, 0: first } of [...replacements.keys()].sort((a, b) => b.length - a.length)) {
    const known = lengths.get(first!)
    if (known) known.add(length)
    else lengths.set(first!, new Set([length]))
  }
  const standsAt = (text: string, at: number, until: number) => {
    for (const length of lengths.get(text[at]!) ?? []) {
      const found = text.slice(at, at + length)
      if (at + length <= until && replacements.has(found) && isWord(text, at, at + length)) return found
    }
    return undefined
  }
  return (text, from = 0, until = text.length) => {
    let result = ''
    let copied = from
    for (let at = from; at < until; ) {
      const found = standsAt(text, at, until)
      if (found === undefined) {
        at++
        continue
      }
      result += text.slice(copied, at) + (replacements.get(found) ?? found)
      at += found.length
      copied = at
    }
    return result + text.slice(copied, until)
  }
}

/** Whether no letter or digit touches a letter or digit end of `text.slice(start, end)`. */
export function isWord(text: string, start: number, end: number): boolean {
  return (
    !joins(codePointBefore(text, start), codePointAt(text, start)) &&
    !joins(codePointBefore(text, end), codePointAt(text, end))
  )
}

function joins(before: string, after: string): boolean {
  return isLetterOrDigit(before) && isLetterOrDigit(after)
}
