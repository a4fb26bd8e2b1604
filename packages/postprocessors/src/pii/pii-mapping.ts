/**
 * @module
 * Replaces personal data by tags, and tags by the original data.
 */
import { checkOption, invalidOption, required, text as string } from '@x/core/options'
import { relay } from '@x/core-model/async'
import { codePointAt, codePointBefore, isLetterOrDigit } from '../keyword/word-boundaries.ts'
import { type ReadText, readEncoded, readOffset, sourceRange } from './patterns/read-encoded.ts'

/** Maps tags, with or without brackets, to originals: strings and numbers. Other values of a model's mapping are ignored. */
export type PiiMapping = Readonly<Record<string, unknown>>

/** Returns a tag with its brackets: `[NAME_1]`; the tags of YAML, such as `(EMAIL_9)`, have round ones. */
export function bracketed(tag: string): string {
  return /^\[[\s\S]*\]$|^\([^()]*\)$/.test(tag) ? tag : `[${tag}]`
}

/** Returns the end of the YAML front matter with which a string begins; 0 without it. */
export function frontMatterEnd(text: string): number {
  const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(text)
  if (!opening) return 0
  const closing = /^(?:---|\.\.\.)[ \t]*$/m.exec(text.slice(opening[0].length))
  return closing ? opening[0].length + closing.index : 0
}

/**
 * Replaces every original of `mapping` in `text` by its tag. Use it to complete an incomplete masking.
 * An original matches whole words only. Of several matches the longest is used, and of two tags for one original the first.
 * Tags that already occur in the string are kept.
 * @example
 * applyPiiMapping('Bob met Bobby', { NAME1: 'Bob' }) // => '[NAME1] met Bobby'
 */
export function applyPiiMapping(text: string, mapping: PiiMapping): string {
  checkOption('applyPiiMapping', 'text', text, required(string))
  checkOption('applyPiiMapping', 'mapping', mapping, required('a mapping'))
  const replacements = new Map<string, string | null>()
  const entries = Object.entries(mapping)
  // null: the match is kept.
  for (const [key] of entries) replacements.set(bracketed(key), null)
  for (const [key, value] of entries) {
    if (typeof value === 'string' && value.trim() !== '' && !replacements.has(value))
      replacements.set(value, bracketed(key))
  }
  return replacer(replacements)(text)
}

/**
 * Replaces every tag of `mapping` in `text` by its original: the reverse of masking. Inserted originals are not scanned again.
 * @example
 * unmask('Dear [NAME1],', { NAME1: 'Bob' }) // => 'Dear Bob,'
 */
export function unmask(text: string, mapping: PiiMapping): string {
  checkOption('unmask', 'text', text, required(string))
  checkOption('unmask', 'mapping', mapping, required('a mapping'))
  return replacer(originalsByTag(mapping))(text)
}

/**
 * Replaces tags by their originals in a streamed string, such as a model's answer. A tag may be split across chunks.
 * Text is withheld only while it may be the beginning of a tag.
 * @example
 * const pieces = unmaskStream(['Dear [NA', 'ME1]!'], { NAME1: 'Bob' })
 * ;[(await pieces.next()).value, (await pieces.next()).value] // => ['Dear ', 'Bob!']
 */
export function unmaskStream(
  pieces: AsyncIterable<string> | Iterable<string>,
  mapping: PiiMapping,
): AsyncGenerator<string> {
  const isIterable =
    typeof pieces === 'object' && pieces !== null && (Symbol.asyncIterator in pieces || Symbol.iterator in pieces)
  if (!isIterable) throw invalidOption('unmaskStream', 'pieces', 'an iterable of strings', pieces)
  checkOption('unmaskStream', 'mapping', mapping, required('a mapping'))
  return relay(async function* (read) {
    const originals = originalsByTag(mapping)
    const restore = replacer(originals)
    const beginnings = new Set<string>()
    for (const tag of originals.keys()) {
      for (let end = 1; end < tag.length; end++) beginnings.add(tag.slice(0, end))
    }
    let pending = ''
    let count = 0
    for await (const piece of read(pieces)) {
      checkOption('unmaskStream', `pieces[${count++}]`, piece, string)
      pending += piece
      const cut = startOfUnfinishedTag(pending, beginnings, originals)
      if (cut === 0) continue
      const out = restore(pending.slice(0, cut))
      pending = pending.slice(cut)
      if (out !== '') yield out
    }
    if (pending !== '') yield restore(pending)
  })
}

/** Returns the first position whose remaining text may be the beginning of a tag, so that cutting there splits no tag. */
function startOfUnfinishedTag(
  text: string,
  beginnings: ReadonlySet<string>,
  originals: ReadonlyMap<string, string>,
): number {
  let longest = 0
  for (const tag of originals.keys()) longest = Math.max(longest, tag.length)
  for (let start = Math.max(0, text.length - longest + 1); start < text.length; start++) {
    if (!beginnings.has(text.slice(start))) continue
    // A complete tag may overlap this beginning; the cut must not fall inside that tag.
    for (let before = Math.max(0, start - longest + 1); before < start; before++) {
      for (const tag of originals.keys()) if (before + tag.length > start && text.startsWith(tag, before)) return before
    }
    return start
  }
  return text.length
}

/** Returns the originals of a mapping by their tags with brackets. */
export function originalsByTag(mapping: PiiMapping): Map<string, string> {
  const originals = new Map<string, string>()
  for (const [key, value] of Object.entries(mapping))
    if (typeof value === 'string' || typeof value === 'number') originals.set(bracketed(key), String(value))
  return originals
}

/** The ends of an original at which a letter or digit may be adjacent, such as both ends of `Anna` in `Joannas`. */
export interface InsideWord {
  start: boolean
  end: boolean
}

/**
 * Returns a function that replaces all keys of `replacements` in a string, or in a range of it, in one pass. A null value keeps
 * the match. The longest match is used. A key that begins or ends with a letter or digit matches only at a word boundary, except
 * at the ends that `inside` allows. With `spelled`, strings are searched as they are read, and it returns the replacement of a match in
 * its spelling: `ann\\@example.org` for the key `ann@example.org`.
 */
export function replacer(
  replacements: ReadonlyMap<string, string | null>,
  inside?: ReadonlyMap<string, InsideWord>,
  spelled?: (found: string, spelling: string) => string,
): (text: string, from?: number, until?: number) => string {
  // The key lengths by first code unit, longest first: a few look-ups per position, however many keys there are.
  const lengths = new Map<string, Set<number>>()
  for (const { length, 0: first } of [...replacements.keys()].sort((a, b) => b.length - a.length)) {
    const known = lengths.get(first!)
    if (known) known.add(length)
    else lengths.set(first!, new Set([length]))
  }
  /** What is before `edge` and behind `until` is replaced by a tag, so that a word begins or ends there. */
  const matchAt = (text: string, at: number, until: number, edge: number) => {
    for (const length of lengths.get(text[at]!) ?? []) {
      const found = text.slice(at, at + length)
      if (at + length > until || !replacements.has(found)) continue
      const { start, end } = insideWord(text, at, at + length)
      const allowed = inside?.get(found)
      const [begins, ends] = [!start || at === edge, !end || at + length === until]
      if ((begins || allowed?.start) && (ends || allowed?.end)) return found
    }
    return undefined
  }
  // The ranges of one string are replaced one after the other.
  let last = ''
  let read: ReadText = { text: '' }
  return (text, from = 0, until = text.length) => {
    if (text !== last) read = spelled ? readEncoded(text) : { text }
    last = text
    const end = readOffset(read, until)
    let result = ''
    let copied = from
    let edge = readOffset(read, from)
    for (let at = edge; at < end; ) {
      const found = matchAt(read.text, at, end, edge)
      if (found === undefined) {
        at++
        continue
      }
      const place = sourceRange(read, at, at + found.length)
      const replaced = replacements.get(found)
      const spelling = text.slice(place.start, place.end)
      result += text.slice(copied, place.start)
      result += replaced == null ? spelling : (spelled?.(found, spelling) ?? replaced)
      at += found.length
      if (replaced !== null) edge = at
      copied = place.end
    }
    return result + text.slice(copied, until)
  }
}

/** Whether `text.slice(start, end)` is not part of a longer run of letters and digits. */
export function isWord(text: string, start: number, end: number): boolean {
  const inside = insideWord(text, start, end)
  return !inside.start && !inside.end
}

/** Returns at which ends `text.slice(start, end)` continues a run of letters and digits. */
export function insideWord(text: string, start: number, end: number): InsideWord {
  return {
    start: joins(codePointBefore(text, start), codePointAt(text, start)),
    end: joins(codePointBefore(text, end), codePointAt(text, end)),
  }
}

function joins(before: string, after: string): boolean {
  return isLetterOrDigit(before) && isLetterOrDigit(after)
}
