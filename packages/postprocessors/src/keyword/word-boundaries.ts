/**
 * @module
 * Where the words of a text begin and end, computed only around the places somebody asks about.
 */
import { lazy } from '@x/core-model/internal'

/** Code units that are segmented at once: some engines take time quadratic in the length of what they segment. */
const sliceLength = 1024
/** How far back from a place a slice may begin. */
const lookBehind = 1024

/** After one of these a word always begins, whatever stands before; a mark would attach to what is before it. */
const safeCut = /[\s。、！？，]/u
const patterns = /* @__PURE__ */ lazy(() => {
  const letter = String.raw`\p{L}`
  const combining = String.raw`\p{M}\p{Cf}`
  return {
    letter: new RegExp(letter, 'u'),
    letterOrDigit: new RegExp(String.raw`[${letter}\p{N}]`, 'u'),
    /** Joins the character before it. */
    mark: new RegExp(`[${combining}]`, 'u'),
  }
})
const clitic = /(?:['’](?:s|m|d|ll|re|ve)|n['’]t)$/i
/** The longest clitic: `'ll`, `n't`. */
const cliticLength = 3

/**
 * The segment edges of `text` from `from` to at least `until`, in ascending order; the end of the text is one.
 * Text is cut into slices; a segment that may reach over the end of a slice is read again with the next one.
 */
export function* segmentEdges(segmenter: Intl.Segmenter, text: string, from: number, until: number): Generator<number> {
  let start = from
  let length = sliceLength
  while (start < until) {
    const end = Math.min(start + length, text.length)
    const starts: number[] = []
    for (const { index } of segmenter.segment(text.slice(start, end))) starts.push(start + index)
    if (end === text.length) {
      yield* starts
      yield end
      return
    }
    // The last segments of a slice depend on what follows; the next slice begins at one whose start is certain.
    const next = starts[Math.max(0, starts.length - 3)]!
    if (next === start) {
      length *= 2
      continue
    }
    for (const index of starts) {
      if (index >= next) break
      yield index
    }
    start = next
    length = sliceLength
  }
}

/** Answers whether a word begins or ends at a place of one text; places should be asked in ascending order. */
export class WordBoundaries {
  private readonly text: string
  private readonly segmenter: Intl.Segmenter
  private readonly english: boolean
  /** The part of the text that is segmented, and the boundaries in it. */
  private from = 0
  private until = -1
  private edges = new Set<number>()
  /** The last run of `+` and `#` looked at: a long one is measured once, not once per place in it. */
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
    // No safe cut near by: go on at the last edge that is known, or else read the text from its beginning.
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

/** Whether a character is a letter or digit; no character is none. */
export function isLetterOrDigit(character: string): boolean {
  return patterns().letterOrDigit.test(character)
}

/** The character that begins at `index`, whole also beyond the basic plane; empty at the end. */
export function codePointAt(text: string, index: number): string {
  const code = text.codePointAt(index)
  return code === undefined ? '' : String.fromCodePoint(code)
}

/** The character that ends before `index`; empty at the beginning. */
export function codePointBefore(text: string, index: number): string {
  if (index <= 0) return ''
  const low = text.charCodeAt(index - 1)
  return low >= 0xdc00 && low <= 0xdfff && index > 1 ? text.slice(index - 2, index) : text[index - 1]!
}
