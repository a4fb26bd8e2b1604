/**
 * @module
 * Splits a range of Markdown into chunks of limited size, between the largest units that fit: blocks, lines, sentences, words.
 */
import { fenceOf } from './code-fences.ts'
import type { CountTokens } from './count-tokens.ts'
import type { Block } from './markdown/block.ts'
import { isLineEnd, isSpaceAt, trimEnd } from './markdown/characters.ts'
import { countUpTo } from './markdown/places.ts'

/** A range of a string; `end` is exclusive. */
export interface Chunk {
  start: number
  end: number
}

/** Characters; both halves of a surrogate pair are one. */
export const CHARACTERS = /[\ud800-\udbff][\udc00-\udfff]|[\s\S]/g

/** The maximum size and overlap of chunks, in tokens. */
export interface ChunkLimits {
  chunkSize: number
  chunkOverlap: number
  count: CountTokens
  /** The text that is repeated around some chunks. */
  repeated?: RepeatedText | null
  /** Offsets across which no chunk extends. */
  breaks?: ReadonlySet<number>
}

/** Yields the ends of the pieces of a string, in ascending order; the last piece ends with the string. */
export type PieceEnds = (part: string) => Iterable<number>

/** Text that is repeated around chunks, such as the header of a table that is split. */
export interface RepeatedText {
  /** Returns the number of tokens in front of a chunk that starts at an offset. */
  tokensBefore(start: number): number
  /** Returns the number of tokens behind a chunk that ends at an offset. */
  tokensAfter(end: number): number
}

/** A part of the text that is not split further. */
export interface Unit extends Chunk {
  /** Whether it introduces the next unit, like a heading: no chunk ends with it, if possible. */
  isLead: boolean
}

/**
 * Splits `text` from `start` to `end`. `blocks` are the blocks of the whole document.
 * Returns ranges of `text` in order, which together contain every character that is not white space.
 */
export function chunkText(
  text: string,
  start: number,
  end: number,
  blocks: readonly Block[],
  limits: ChunkLimits,
): Chunk[] {
  return fillChunks(text, unitsOf(text, start, end, blocks, limits), limits)
}

/** Returns the chunks that consist of as many units as fit, in order. */
export function fillChunks(text: string, units: readonly Unit[], limits: ChunkLimits): Chunk[] {
  const { chunkSize, chunkOverlap, count, repeated, breaks } = limits
  const chunks: Chunk[] = []

  /** Returns the index of the last unit of the chunk that starts with unit `first`. */
  const fill = (first: number): number => {
    const from = (units[first] as Unit).start
    const room = chunkSize - (repeated?.tokensBefore(from) ?? 0)
    const fits = (last: number) => {
      const { end } = units[last] as Unit
      return count(from, end) + (repeated?.tokensAfter(end) ?? 0) <= room
    }
    // Exponential search, then binary search, so that few slices are tokenized.
    let last = first
    let step = 1
    while (last + step < units.length && fits(last + step)) {
      last += step
      step *= 2
    }
    for (; step >= 1; step = Math.floor(step / 2)) {
      if (last + step < units.length && fits(last + step)) last += step
    }
    if (breaks)
      for (let index = first + 1; index <= last; index++) if (breaks.has((units[index] as Unit).start)) last = index - 1
    const full = last
    if (last + 1 < units.length) while (last > first && (units[last] as Unit).isLead) last--
    if (last > first || full === first || !(units[first] as Unit).isLead) return last
    // Headings alone: those that fit beside what they introduce are left to the next chunk.
    const { end, isLead } = units[full + 1] as Unit
    if (isLead) return full
    last = full
    while (last > first && count((units[last] as Unit).start, end) <= chunkSize) last--
    return last
  }

  for (let first = 0; first < units.length; ) {
    const last = fill(first)
    const to = (units[last] as Unit).end
    chunks.push({ start: skipBlankLines(text, (units[first] as Unit).start), end: to })
    let next = last + 1
    if (chunkOverlap > 0) {
      // Backwards from the end, because few units fit into the overlap.
      while (next - 1 > first && count((units[next - 1] as Unit).start, to) <= chunkOverlap) next--
      while (next <= last && fill(next) <= last) next++
    }
    first = next
  }
  return chunks
}

/** Returns the blocks of a range; blocks that are too large are split. */
function unitsOf(text: string, start: number, end: number, blocks: readonly Block[], limits: ChunkLimits): Unit[] {
  const units: Unit[] = []
  let covered = start
  const add = (from: number, to: number, block: Block | null) => {
    if (to <= from) return
    if (limits.count(from, to) <= limits.chunkSize) {
      const trimmed = trimEnd(text, from, to)
      if (trimmed > from) units.push({ start: from, end: trimmed, isLead: block?.kind === 'heading' })
      return
    }
    const first = units.length
    refine(text, from, to, LEVELS, limits, units)
    if (block !== null && from === block.start) joinLeads(text, block, units, first, limits)
  }
  for (let index = countUpTo(blocks, start, (block) => block.end); index < blocks.length; index++) {
    const block = blocks[index] as Block
    if (block.start >= end) break
    const from = Math.max(block.start, covered)
    const to = Math.min(block.end, end)
    // Text outside all blocks, such as front matter.
    add(covered, from, null)
    add(from, to, block)
    covered = to
  }
  add(covered, end, null)
  return units
}

/** Makes the first lines of a split block a unit that introduces the others, and joins the line that closes code to the line before. */
function joinLeads(text: string, block: Block, units: Unit[], first: number, { count, chunkSize }: ChunkLimits): void {
  const join = (index: number) => {
    const [one, other] = [units[index], units[index + 1]]
    if (index < first || one === undefined || other === undefined || count(one.start, other.end) > chunkSize) return
    units.splice(index, 2, { ...one, end: other.end })
  }
  const fence = fenceOf(text, block)
  if (block.kind === 'table') join(first)
  if (fence !== null && (units.at(-1) as Unit).start >= fence.bodyEnd) join(units.length - 2)
  if (block.kind === 'table' || fence !== null) (units[first] as Unit).isLead = true
}

/**
 * The pieces into which a unit that is too large is split, by level: lines, sentences, words, characters. Links and inline code are cut
 * only if they do not fit otherwise.
 */
const LEVELS: readonly PieceEnds[] = /* @__PURE__ */ [
  outsideLinks(piecesOf(/\r\n|\n|\r/g)),
  piecesOf(/\r\n|\n|\r/g),
  outsideLinks(piecesOf(/[.!?](?=\s)|[。！？]/g)),
  outsideLinks(piecesOf(/\s+/g)),
  piecesOf(/\s+/g),
  piecesOf(CHARACTERS),
]

/** Links, images and inline code of a few lines. Fences have other marks on their lines. */
const INLINE =
  /!?\[[^\][\n]{0,200}(?:\n[^\][\n]{0,200})?\](?:\([^()\s]{0,500}(?: {1,3}["'][^"'\n]{0,200}["'])?\)|\[[^\][\n]{0,100}\])|(?<!`)(`{1,2})(?!`)[^`\n]{1,300}\1(?!`)/g

/** Returns the ends of pieces that are not within a link, an image or inline code. */
function outsideLinks(ends: PieceEnds): PieceEnds {
  return function* outside(part) {
    const inside = /[[`]/.test(part) ? part.matchAll(INLINE) : [].values()
    let next = inside.next().value
    for (const end of ends(part)) {
      while (next !== undefined && next.index + next[0].length <= end) next = inside.next().value
      if (next === undefined || end <= next.index) yield end
    }
  }
}

/** Returns a function that finds pieces, each of which ends with a match. */
export function piecesOf(pattern: RegExp): PieceEnds {
  return function* ends(part) {
    for (const match of part.matchAll(pattern)) yield match.index + match[0].length
  }
}

/**
 * Adds the pieces of a range that fit. Pieces that are too large are split at the next level; at the last level they are added anyway.
 * Blank pieces are dropped.
 */
export function refine(
  text: string,
  start: number,
  end: number,
  levels: readonly PieceEnds[],
  limits: ChunkLimits,
  units: Unit[],
): void {
  const [ends, ...others] = levels as [PieceEnds, ...PieceEnds[]]
  let from = start
  const add = (to: number) => {
    const trimmed = trimEnd(text, from, to)
    // A unit includes the indentation of its line, but not the space between two sentences.
    if (levels !== LEVELS) while (from < trimmed && isSpaceAt(text, from)) from++
    if (from < trimmed) {
      if (others.length === 0 || limits.count(from, trimmed) <= limits.chunkSize)
        units.push({ start: from, end: trimmed, isLead: false })
      else refine(text, from, trimmed, others, limits, units)
    }
    from = to
  }
  // A slice, so that the search for a boundary stops at the end.
  for (const piece of ends(text.slice(start, end))) add(start + piece)
  add(end)
}

/** Returns the start of the first line at or after `start` that is not blank, including its indentation. */
function skipBlankLines(text: string, start: number): number {
  let from = start
  for (let at = start; isSpaceAt(text, at); at++) if (isLineEnd(text, at)) from = at + 1
  return from
}
