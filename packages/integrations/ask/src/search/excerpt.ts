/**
 * @module
 * The part of a section that a person reads first: its best block with the blocks around it.
 */
import type { MarkdownSection, SectionBlock } from '@x/node-parser'
import { type Mark, marksOf } from './marks.ts'
import { plainText } from './plain-text.ts'
import { type QuestionForm, termsOf } from './words.ts'

/** The part of a section that is shown. */
export interface Excerpt {
  /** The line of the best block, or of the heading of a section without text. */
  line: number
  /** The best block, with the blocks around it, as plain text. A row of a table is written as `column: cell; column: cell`. */
  excerpt: string
  /** Words of the question, and values that it may ask for, in the order of the excerpt. */
  marks: Mark[]
}

/** The longest excerpt, in characters. */
const LONGEST = 600
/** The weight of a word of the question in the heading above a block, in the headings above that, and in the name of a block. */
const IN_HEADING = 0.8
const IN_PATH = 0.5
const IN_NAME = 1.6
/** The number of terms from which a block counts less, and how fast. */
const LONG = 60
const FADING = 400
/** The weight of blocks whose words are close together, and of those whose form is that of an answer. */
const CLOSE = 0.3
const FORM = 0.6

/** A block of a section with its rate: the higher, the more it says about the question. */
export interface RatedBlock {
  index: number
  rate: number
}

/** Rates the blocks of a section by the words of a question, best first. */
export function rateBlocks(
  { path, blocks }: MarkdownSection,
  page: string,
  weights: ReadonlyMap<string, number>,
  form: QuestionForm,
): RatedBlock[] {
  const heading = new Set(termsOf(path.at(-1) ?? page))
  const above = new Set(termsOf(`${path.join(' ')} ${page}`))
  return blocks
    .map((block, index) => ({ index, rate: rateOf(block, index, heading, above, weights, form) }))
    .sort((one, other) => other.rate - one.rate || one.index - other.index)
}

function rateOf(
  block: SectionBlock,
  index: number,
  heading: ReadonlySet<string>,
  above: ReadonlySet<string>,
  weights: ReadonlyMap<string, number>,
  form: QuestionForm,
): number {
  const terms = termsOf(textOf(block))
  const places = new Map<string, number>()
  for (const [place, term] of terms.entries()) if (!places.has(term)) places.set(term, place)
  const inName = new Set(termsOf(block.name))
  const found: number[] = []
  let rate = 0
  for (const [term, weight] of weights) {
    const place = places.get(term)
    if (place !== undefined) {
      found.push(place)
      rate += weight * (inName.has(term) ? IN_NAME : 1)
    } else if (heading.has(term)) rate += weight * IN_HEADING
    else if (above.has(term)) rate += weight * IN_PATH
  }
  if (found.length > 1) rate *= 1 + (CLOSE * found.length) / (found.length + Math.max(...found) - Math.min(...found))
  return (rate * (1 + FORM * formRate(block, index, form))) / (1 + Math.max(0, terms.length - LONG) / FADING)
}

/** How far a block has the form of an answer, from 0 to 1. */
function formRate({ kind, text, name }: SectionBlock, index: number, form: QuestionForm): number {
  let rate = 0
  if (form.asksForDefault && /\bdefault(?:s|ed)?\b/i.test(text)) rate += 0.6
  if (form.asksForNumber && /\d/.test(text.replace(/^\s*\d+[.)]/, ''))) rate += 0.3
  if (form.asksHow && (kind === 'code' || /`[^`]+`/.test(text))) rate += 0.2
  if (form.asksForName && (name !== '' || /`[^`]+`/.test(text))) rate += 0.2
  if (kind === 'description' || (kind === 'paragraph' && index === 0)) rate += 0.1
  return Math.min(1, rate)
}

/** Returns the excerpt of a section. */
export function excerptOf(
  blocks: readonly SectionBlock[],
  rated: readonly RatedBlock[],
  { weights, form, from }: { weights: ReadonlyMap<string, number>; form: QuestionForm; from: number },
): Excerpt {
  const best = rated[0]
  if (!best) return { line: from, excerpt: '', marks: [] }
  const texts = blocks.map((block) => textOf(block).trim())
  const { first, last } = around(best.index, texts)
  texts[best.index] = cut(texts[best.index] as string, weights)
  const ends: number[] = []
  let excerpt = ''
  for (const text of texts.slice(first, last + 1)) {
    excerpt += (excerpt === '' || text === '' ? '' : '\n') + text
    ends.push(excerpt.length)
  }
  const end = ends[best.index - first] as number
  const place = { start: end - (texts[best.index] as string).length, end, block: blocks[best.index] as SectionBlock }
  const marks = marksOf(excerpt, place, weights, form)
  const value = marks.find(({ kind }) => kind === 'value')
  const shown = value ? first + ends.findIndex((at) => value.start < at) : best.index
  return { line: (blocks[shown] as SectionBlock).from, excerpt, marks }
}

/** Returns the range of blocks around a block that fit into an excerpt: what follows completes a block, what precedes introduces it. */
function around(best: number, texts: readonly string[]): { first: number; last: number } {
  let first = best
  let last = best
  let length = Math.min(LONGEST, (texts[best] as string).length)
  for (;;) {
    const before = texts[first - 1]
    const after = texts[last + 1]
    const fits = (text: string | undefined): text is string => text !== undefined && length + text.length < LONGEST
    const isAfterNext = last - best <= best - first || !fits(before)
    if (fits(after) && isAfterNext) {
      length += after.length + 1
      last++
    } else if (fits(before)) {
      length += before.length + 1
      first--
    } else return { first, last }
  }
}

/** Returns the part of a long block around the words of the question, at most as long as an excerpt may be. */
function cut(text: string, weights: ReadonlyMap<string, number>): string {
  if (text.length <= LONGEST) return text
  const lines = text.match(/[^\n]*\n|[^\n]+/g) ?? []
  const pieces = lines.flatMap((line) =>
    line.length > LONGEST / 2 ? (line.match(/[^.;]{1,200}[.;]?\s*/g) ?? []) : [line],
  )
  const rates = pieces.map((piece) => new Set(termsOf(piece).filter((term) => weights.has(term))))
  let best = { from: 0, to: 0, rate: -1 }
  for (let from = 0; from < pieces.length; from++) {
    const seen = new Set<string>()
    let rate = 0
    let length = 0
    for (let to = from; to < pieces.length; to++) {
      length += (pieces[to] as string).length
      if (length > LONGEST) break
      for (const term of rates[to] as Set<string>) {
        if (!seen.has(term)) rate += weights.get(term) as number
        seen.add(term)
      }
      if (rate > best.rate) best = { from, to, rate }
      else if (rate === best.rate && from === best.from) best.to = to
    }
  }
  return pieces
    .slice(best.from, best.to + 1)
    .join('')
    .trim()
    .slice(0, LONGEST)
}

/** A block as it is shown. */
function textOf({ kind, text, columns, cells }: SectionBlock): string {
  if (columns && cells)
    return cells
      .map((cell, index) =>
        [plainText(columns[index] ?? '').trim(), plainText(cell).trim()].filter((part) => part !== '').join(': '),
      )
      .filter((cell) => cell !== '')
      .join('; ')
  if (kind === 'code') return text
  const plain = plainText(text)
  // Lines of a paragraph are broken for those who write it.
  return (kind === 'paragraph' || kind === 'item') && !plain.includes('```')
    ? plain.replace(/(?<! {2})\n[ \t]*/g, ' ')
    : plain
}
