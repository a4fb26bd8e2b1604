/**
 * @module
 * The inline Markdown of a line, as parts that a page shows. HTML stays text.
 */

/** A part of a line. */
export interface InlinePart {
  kind: 'text' | 'code' | 'strong' | 'em' | 'link'
  /** The text of `text` and `code`; empty for the others. */
  text: string
  /** The parts inside of `strong`, `em` and `link`. */
  parts: readonly InlinePart[]
  /** The address of a link, which begins with `http:` or `https:`; null for other addresses and other parts. */
  href: string | null
}

/** Deeper marks stay text. */
const DEPTH = 4
/** Longer labels and addresses of links stay text. */
const LINK_LENGTH = 2000

const textPart = (text: string): InlinePart => ({ kind: 'text', text, parts: [], href: null })

/** Returns the parts of a string: code, bold, emphasis and links. A mark without an end is text. Takes linear time. */
export function inlineParts(source: string, depth = 0): InlinePart[] {
  const parts: InlinePart[] = []
  /** Marks that have no end behind the place, so that each is searched once. */
  const unclosed = new Set<string>()
  let [from, at] = [0, 0]
  const add = (part: InlinePart, end: number) => {
    if (at > from) parts.push(textPart(source.slice(from, at)))
    parts.push(part)
    at = end
    from = end
  }
  while (at < source.length) {
    const found = readPart(source, at, depth, unclosed)
    if (typeof found === 'number') at += found
    else add(found.part, found.end)
  }
  if (at > from) parts.push(textPart(source.slice(from, at)))
  return parts
}

/** Reads the part that begins at a place; the number of characters that are text if none does. */
function readPart(
  source: string,
  at: number,
  depth: number,
  unclosed: Set<string>,
): { part: InlinePart; end: number } | number {
  const character = source[at]
  if (character === '\\') return 2
  if (character === '`') {
    const mark = runAt(source, at, '`')
    const end = endOf(source, at + mark.length, mark, unclosed)
    if (end < 0) return mark.length
    const code = source.slice(at + mark.length, end)
    const isPadded = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== ''
    const text = isPadded ? code.slice(1, -1) : code
    return { part: { kind: 'code', text, parts: [], href: null }, end: end + mark.length }
  }
  if (character === '*') {
    const mark = source.startsWith('**', at) ? '**' : '*'
    // "2 * 3" is not emphasis.
    if (depth >= DEPTH || !/\S/.test(source[at + mark.length] ?? ' ')) return mark.length
    const end = endOf(source, at + mark.length, mark, unclosed)
    if (end < 0 || /\s/.test(source[end - 1]!)) return mark.length
    const parts = inlineParts(source.slice(at + mark.length, end), depth + 1)
    return { part: { kind: mark === '**' ? 'strong' : 'em', text: '', parts, href: null }, end: end + mark.length }
  }
  // An image is its label.
  if (character === '!' && source[at + 1] === '[') return readLink(source, at + 1, DEPTH - 1) ?? 1
  if (character === '[' && depth < DEPTH) return readLink(source, at, depth) ?? 1
  return 1
}

/** Reads a link. Inside of a label, marks are text from a depth on. */
function readLink(source: string, at: number, depth: number): { part: InlinePart; end: number } | null {
  const link = /^\[([^\][]+)\]\(([^()\s]*)(?:\s+"[^"]*")?\)/.exec(source.slice(at, at + LINK_LENGTH))
  if (link === null) return null
  const [whole, label, address] = link
  const href = /^https?:\/\//i.test(address!) ? address! : null
  return { part: { kind: 'link', text: '', parts: inlineParts(label!, depth + 1), href }, end: at + whole.length }
}

/** The run of a character at a place. */
function runAt(source: string, at: number, character: string): string {
  let end = at
  while (source[end] === character) end += 1
  return source.slice(at, end)
}

/** Where a mark ends again, as a run of the same length; -1 if it does not. */
function endOf(source: string, from: number, mark: string, unclosed: Set<string>): number {
  if (unclosed.has(mark)) return -1
  const character = mark[0]!
  for (let end = source.indexOf(mark, from); end >= 0; end = source.indexOf(mark, end)) {
    const run = runAt(source, end, character)
    if (run.length === mark.length && source[end - 1] !== '\\') return end
    end += run.length
  }
  unclosed.add(mark)
  return -1
}
