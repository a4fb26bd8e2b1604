/**
 * @module
 * Marks in an excerpt: the words of the question, and the value that it may ask for.
 */
import type { SectionBlock } from '@x/node-parser'
import { plainText } from './plain-text.ts'
import { type QuestionForm, termsOf, wordsOf } from './words.ts'

/** A range of an excerpt, in UTF-16 code units. */
export interface Mark {
  start: number
  end: number
  /** `word` for a word of the question, `value` for a cell, a default or a number that the question may ask for. */
  kind: 'word' | 'value'
}

/** The best block in an excerpt. */
interface Place {
  start: number
  end: number
  block: SectionBlock
}

/** The maximum number of values that are marked. */
const VALUES = 3
const DEFAULT =
  /\bdefaults?(?:\s+(?:is|to|value|of|are|value is|limit is))*\s*[:=(]*\s*\**\s*(`[^`\n]+`|"[^"\n]+"|'[^'\n]+'|-?\d[\w.,]*\w|\d|true\b|false\b|null\b)/gi
const BEFORE_DEFAULT = /(`[^`\n]{1,200}`|(?<![\w.])\d[\w.]{0,60})\s{0,20}\((?:the )?default\)/gi
const NUMBER =
  /(?<![\w.-])\d(?:[\d.,]*\d)?(?:\s?(?:%|[kmg]i?b|bytes|ms|milliseconds|s|seconds|min|minutes|hours|days|px))?(?![\w-])/gi

/** Returns the marks of an excerpt, in order, without overlaps. */
export function marksOf(
  excerpt: string,
  best: Place,
  weights: ReadonlyMap<string, number>,
  form: QuestionForm,
): Mark[] {
  const values = valuesOf(excerpt, best, weights, form)
    .slice(0, VALUES)
    .map(({ start, end }): Mark => ({ start, end, kind: 'value' }))
  const words = wordsOf(excerpt)
    .filter(([word]) => termsOf(word).some((term) => weights.has(term)))
    .map(({ 0: word, index }): Mark => ({ start: index, end: index + word.length, kind: 'word' }))
  const isFree = (mark: Mark) => values.every(({ start, end }) => mark.end <= start || mark.start >= end)
  return [...values, ...words.filter(isFree)].sort((one, other) => one.start - other.start)
}

interface Range {
  start: number
  end: number
}

/** The values of the best block that the question may ask for; a default may also stand in another block of the excerpt. */
function valuesOf(excerpt: string, best: Place, weights: ReadonlyMap<string, number>, form: QuestionForm): Range[] {
  const own = excerpt.slice(best.start, best.end)
  const within = (ranges: readonly Range[]) =>
    ranges.map(({ start, end }) => ({ start: best.start + start, end: best.start + end }))
  const cells = best.block.columns ? within(cellsOf(own, best.block, weights, form)) : []
  if (cells.length > 0) return cells
  const defaults = form.asksForDefault
    ? [within(defaultsOf(own)), defaultsOf(excerpt)].find((found) => found.length > 0)
    : undefined
  if (defaults) return defaults
  return form.asksForNumber && best.block.kind !== 'code' ? within(rangesOf(own, NUMBER)) : []
}

function defaultsOf(text: string): Range[] {
  return [...rangesOf(text, DEFAULT), ...rangesOf(text, BEFORE_DEFAULT)]
}

/** The ranges of a pattern, or of its first group. */
function rangesOf(text: string, pattern: RegExp): Range[] {
  return Array.from(text.matchAll(pattern), ({ 0: all, 1: group = all, index }) => {
    const start = index + all.lastIndexOf(group)
    return { start, end: start + group.length }
  })
}

/** The cells of the row whose columns the question names; without one, the only cell without words of the question. */
function cellsOf(
  text: string,
  { columns = [], cells = [] }: SectionBlock,
  weights: ReadonlyMap<string, number>,
  form: QuestionForm,
): Range[] {
  const names = (part: string) => termsOf(part).some((term) => weights.has(term))
  const isAsked = (column: string) => names(column) || (form.asksForDefault && /default/i.test(column))
  const filled = cells.map((cell, index) => ({
    cell: plainText(cell).trim(),
    column: plainText(columns[index] ?? '').trim(),
    index,
  }))
  const named = filled.filter(({ cell, column, index }) => index > 0 && cell !== '' && isAsked(column) && !names(cell))
  const others = filled.filter(({ cell }) => cell !== '' && !names(cell))
  const chosen = named.length > 0 ? named : others.length === 1 ? others : []
  return chosen.flatMap(({ cell, column }) => {
    const shown = column === '' ? cell : `${column}: ${cell}`
    const at = text.indexOf(shown)
    return at < 0 ? [] : [{ start: at + shown.length - cell.length, end: at + shown.length }]
  })
}
