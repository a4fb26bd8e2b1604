/**
 * @module
 * Word boundaries of a string, computed only around the positions that are queried.
 */
import { countWhile, lazy } from '@x/core/values'
import { segmentEdges } from '@x/core-model/text'

/** The number of code units that are segmented at once. */
const sliceLength = 1024
/** The maximum distance between the start of a slice and a queried position. */
const lookBehind = 1024

/** A word boundary always follows one of these characters, unless a combining mark follows. */
const safeCut = /[\s。、！？，]/u
const patterns = /* @__PURE__ */ lazy(() => {
  const letter = String.raw`\p{L}`
  const combining = String.raw`\p{M}\p{Cf}`
  return {
    letter: new RegExp(letter, 'u'),
    letterOrDigit: new RegExp(String.raw`[${letter}\p{N}]`, 'u'),
    /** A combining mark, which attaches to the previous character. */
    mark: new RegExp(`[${combining}]`, 'u'),
  }
})
const clitic = /(?:['’](?:s|m|d|ll|re|ve)|n['’]t)$/i
/** The length of the longest clitic: `'ll`, `n't`. */
const cliticLength = 3

/** A range of the text that is segmented; it begins and ends at a boundary. */
interface Range {
  from: number
  until: number
}

/** Returns whether a word begins or ends at a position of a string. Each part of the string is segmented once. */
export class WordBoundaries {
  private readonly text: string
  private readonly segmenter: Intl.Segmenter
  private readonly english: boolean
  /** The ranges that are already segmented, in order, and the boundaries in them. */
  private readonly ranges: Range[] = []
  private readonly edges = new Set<number>()
  /** Whether the run of `+` and `#` around a position belongs to a letter, so that a long run is measured once. */
  private readonly signs = new Map<number, boolean>()

  constructor(text: string, segmenter: Intl.Segmenter) {
    this.text = text
    this.segmenter = segmenter
    this.english = segmenter.resolvedOptions().locale.startsWith('en')
  }

  has(place: number): boolean {
    const { text } = this
    if (place <= 0 || place >= text.length) return true
    if (text[place - 1] === ':' || text[place] === ':') return true
    if (this.joinsSign(place)) return false
    const next = countWhile(this.ranges.length, (index) => this.ranges[index]!.from <= place)
    if (place > (this.ranges[next - 1]?.until ?? -1)) this.read(place, next)
    return this.edges.has(place)
  }

  /** `C|++` and `C+|+`: the sign belongs to the letter, unless a letter or digit follows the signs (`a+b`). */
  private joinsSign(place: number): boolean {
    const { text } = this
    if (!isSign(text[place])) return false
    const known = this.signs.get(place)
    if (known !== undefined) return known
    let from = place
    while (from > 0 && isSign(text[from - 1])) from--
    let until = place + 1
    while (isSign(text[until])) until++
    const joined = patterns().letter.test(codePointBefore(text, from)) && !isLetterOrDigit(codePointAt(text, until))
    for (let at = from; at < until; at++) this.signs.set(at, joined)
    return joined
  }

  /** Segments the text around a position between two ranges; `next` is the index of the second one. */
  private read(place: number, next: number): void {
    const { text, ranges } = this
    const before = ranges[next - 1]
    const lowest = Math.max(0, place - lookBehind, before?.until ?? 0)
    let from = place
    while (from > lowest && !(safeCut.test(text[from - 1]!) && !patterns().mark.test(codePointAt(text, from)))) from--
    // No safe cut nearby: continue from the last known edge, otherwise from the beginning of the string.
    const isNear = from > lowest
    const range = !isNear && before ? before : { from: isNear ? from : 0, until: isNear ? from : 0 }
    if (range !== before) ranges.splice(next, 0, range)
    const end = ranges[next + (range === before ? 0 : 1)]?.from ?? text.length
    for (const edge of segmentEdges(this.segmenter, text, range.until, Math.min(place + sliceLength, end))) {
      this.edges.add(edge)
      if (this.english) this.addClitic(range.until, edge)
      range.until = edge
      if (edge >= end) break
    }
  }

  /** `New York|'s`, `do|n't`. */
  private addClitic(from: number, until: number): void {
    const found = clitic.exec(this.text.slice(Math.max(from, until - cliticLength), until))
    if (found) this.edges.add(until - found[0].length)
  }
}

function isSign(char: string | undefined): boolean {
  return char === '+' || char === '#'
}

/** Whether a character is a letter or a digit; false for an empty string. */
export function isLetterOrDigit(character: string): boolean {
  return patterns().letterOrDigit.test(character)
}

/** Returns the code point that begins at `index` as a string; empty at the end. */
export function codePointAt(text: string, index: number): string {
  const code = text.codePointAt(index)
  return code === undefined ? '' : String.fromCodePoint(code)
}

/** Returns the code point that ends before `index` as a string; empty at the beginning. */
export function codePointBefore(text: string, index: number): string {
  if (index <= 0) return ''
  const low = text.charCodeAt(index - 1)
  return low >= 0xdc00 && low <= 0xdfff && index > 1 ? text.slice(index - 2, index) : text[index - 1]!
}
