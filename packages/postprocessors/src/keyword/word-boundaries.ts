/**
 * @module
 * Word boundaries of a string, computed only around the positions that are queried.
 */
import { lazy } from '@x/core/values'
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

/** Returns whether a word begins or ends at a position of a string. Query positions in ascending order. */
export class WordBoundaries {
  private readonly text: string
  private readonly segmenter: Intl.Segmenter
  private readonly english: boolean
  /** The range that is already segmented, and the boundaries in it. */
  private from = 0
  private until = -1
  private edges = new Set<number>()
  /** The last run of `+` and `#`, cached so that a long run is measured once and not once per position in it. */
  private run = { from: -1, until: -1, joined: false }

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
    if (place < this.from || place > this.until) this.read(place)
    return this.edges.has(place)
  }

  /** `C|++` and `C+|+`: the sign belongs to the letter, unless a letter or digit follows the signs (`a+b`). */
  private joinsSign(place: number): boolean {
    const { text } = this
    if (!isSign(text[place])) return false
    if (place < this.run.from || place >= this.run.until) {
      let from = place
      while (from > 0 && isSign(text[from - 1])) from--
      let until = place + 1
      while (isSign(text[until])) until++
      const before = codePointBefore(text, from)
      const after = codePointAt(text, until)
      this.run = { from, until, joined: patterns().letter.test(before) && !isLetterOrDigit(after) }
    }
    return this.run.joined
  }

  private read(place: number): void {
    const { text } = this
    const lowest = Math.max(0, place - lookBehind)
    let from = place
    while (from > lowest && !(safeCut.test(text[from - 1]!) && !patterns().mark.test(codePointAt(text, from)))) from--
    // No safe cut nearby: continue from the last known edge, otherwise from the beginning of the string.
    const goesOn = from === lowest && from > 0 && this.until >= 0 && this.until <= place
    if (!goesOn) {
      this.from = from === lowest ? 0 : from
      this.until = this.from
      this.edges = new Set()
    }
    for (const edge of segmentEdges(this.segmenter, text, this.until, place + sliceLength)) {
      this.edges.add(edge)
      if (this.english) this.addClitic(this.until, edge)
      this.until = edge
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
