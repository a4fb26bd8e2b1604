/**
 * @module
 * Regular expressions of JSON Schemas, which may come from a stranger's server, in linear time: the engines of JavaScript may need
 * exponential time.
 */

/** A state of the automaton: it reads a character, checks the position, begins or repeats a loop, branches, or is the end of a match. */
interface State {
  reads?: RegExp
  holds?: (at: number, run: Run) => boolean
  isLoop?: boolean
  repeats?: { least: number; most: number; body: State }
  next: State[]
}

/** The counters of the loops around a state, the innermost first. Equal counters are the same object. */
interface Counters {
  count: number
  outer: Counters | undefined
  inner: Map<number, Counters>
  places: Map<State, Place>
}

/** A state with its counters, and where it was reached last. */
interface Place {
  state: State
  counters: Counters
  at: number
}

/** A part of a pattern: returns its first state, before the states that follow. */
type Part = (next: State) => State

/** Returns whether a string contains a match; undefined if that would take too many steps. */
export type Matcher = (text: string) => boolean | undefined

const MAX_PATTERN = 10_000
const MAX_STEPS = 2_000_000
const MAX_STEPS_PER_CHARACTER = 20

const ESCAPE =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[\s\S])/y
const CLASS = /\[(?:\\[\s\S]|[^\]\\])*\]/y
const GROUP = /\((?:\?:|\?<(?![=!])[^>()]*>|(\?<?[=!])|(?!\?))/y
const TIMES = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y
const WORD = /^\w$/
/** What has another meaning without the flag `u`. */
const OTHER_MEANING = /\\(?:[pPu]\{|u[dD][89abAB]|0\d|c(?![a-zA-Z]))/

/**
 * Compiles a pattern. Matching takes time in proportion to the length of the string.
 * @returns undefined if the pattern is invalid in JavaScript, refers to groups, has modifiers, or is longer than 10,000 characters.
 */
export function patternMatcher(pattern: string): Matcher | undefined {
  if (pattern.length > MAX_PATTERN) return undefined
  for (const flags of ['u', '']) {
    try {
      new RegExp(pattern, flags)
    } catch {
      continue
    }
    try {
      const start = new Parser(pattern, flags).alternatives()(END)
      return (text) => new Run(text, flags).matches(start)
    } catch {
      return undefined
    }
  }
  return undefined
}

const END: State = { next: [] }

class Parser {
  private readonly pattern: string
  private readonly flags: string
  private at = 0
  /** Whether the states read the text from its end, as those of a group that looks ahead. */
  private isReversed = false

  constructor(pattern: string, flags: string) {
    this.pattern = pattern
    this.flags = flags
    if (!flags && OTHER_MEANING.test(pattern)) throw new RangeError(pattern)
  }

  /** Reads until the end of the group or of the pattern. */
  alternatives(): Part {
    const all = [this.sequence()]
    while (this.pattern[this.at] === '|') {
      this.at++
      all.push(this.sequence())
    }
    return all.length === 1 ? all[0]! : (next) => ({ next: all.map((part) => part(next)) })
  }

  private sequence(): Part {
    const parts: Part[] = []
    while (this.at < this.pattern.length && !'|)'.includes(this.pattern[this.at]!))
      parts.push(this.repeated(this.atom()))
    if (!this.isReversed) parts.reverse()
    return (next) => parts.reduce((after, part) => part(after), next)
  }

  private atom(): Part {
    const group = this.take(GROUP)
    if (group) return group[1] ? this.lookaround(group[1]) : this.group()
    const source = (this.take(CLASS) ?? this.take(ESCAPE) ?? [this.character()])[0]
    // References to groups, which are other characters in an expression of their own.
    if (/^\\[1-9k]/.test(source)) throw new RangeError(source)
    if (source === '^') return assertion((at) => at === 0)
    if (source === '$') return assertion((at, { text }) => at === text.length)
    if (/^\\b$/i.test(source)) return assertion((at, { text }) => isBoundary(text, at) === (source === '\\b'))
    const reads = new RegExp(`^${/^[{}\]]$/.test(source) ? `\\${source}` : source}$`, this.flags)
    return (next) => ({ reads, next: [next] })
  }

  private group(): Part {
    const inner = this.alternatives()
    this.at++
    return inner
  }

  private character(): string {
    const character = characterAt(this.pattern, this.at, this.flags)
    this.at += character.length
    return character
  }

  private repeated(part: Part): Part {
    const found = this.take(TIMES)
    if (!found) return part
    const [, sign, from, comma, to] = found
    const least = sign ? Number(sign === '+') : Number(from)
    const most = sign === '?' ? 1 : sign || (comma && !to) ? Infinity : Number(comma ? to : from)
    return (next) => {
      const loop: State = { next: [next] }
      loop.repeats = { least, most, body: part(loop) }
      return { isLoop: true, next: [loop] }
    }
  }

  /** Finds all places where the group matches in one pass, which ends where the group begins if it looks ahead. */
  private lookaround(sign: string): Part {
    const { isReversed } = this
    this.isReversed = !sign.includes('<')
    const step = this.isReversed ? -1 : 1
    const start = this.group()(END)
    this.isReversed = isReversed
    return assertion((at, run) => run.ends(start, step).has(at) === sign.endsWith('='))
  }

  private take(token: RegExp): RegExpExecArray | undefined {
    token.lastIndex = this.at
    const found = token.exec(this.pattern) ?? undefined
    if (found) this.at += found[0].length
    return found
  }
}

function assertion(holds: State['holds'] & {}): Part {
  return (next) => ({ holds, next: [next] })
}

/** One search in a string. */
class Run {
  readonly text: string
  private readonly flags: string
  private readonly found = new Map<State, Set<number>>()
  private steps: number

  constructor(text: string, flags: string) {
    this.text = text
    this.flags = flags
    this.steps = MAX_STEPS + MAX_STEPS_PER_CHARACTER * text.length
  }

  matches(start: State): boolean | undefined {
    try {
      return this.scan(start, 1)
    } catch {
      // Too many steps, or groups that look around in too many others.
      return undefined
    }
  }

  /** Returns the ends of all matches, read forwards or backwards. */
  ends(start: State, step: 1 | -1): Set<number> {
    let ends = this.found.get(start)
    if (!ends) this.found.set(start, (ends = new Set()))
    if (ends.size === 0) this.scan(start, step, ends.add(-1))
    return ends
  }

  /** Whether a match starts anywhere. With `ends`, adds the end of each. */
  private scan(start: State, step: 1 | -1, ends?: Set<number>): boolean {
    const { text, flags } = this
    const outside = counters(0)
    let before: Place[] = []
    let character = ''
    for (let at = step > 0 ? 0 : text.length; ; at += step * character.length) {
      const places: Place[] = []
      let isEnd = this.enter(start, outside, at, places)
      for (const { state, counters } of before)
        if (state.reads!.test(character)) isEnd = this.enter(state.next[0]!, counters, at, places) || isEnd
      if (isEnd && !ends) return true
      if (isEnd) ends!.add(at)
      if (at === (step > 0 ? text.length : 0)) return false
      character = step > 0 ? characterAt(text, at, flags) : characterBefore(text, at, flags)
      before = places
    }
  }

  /** Adds the states that read a character and are reached without one. Returns whether the end is reached. */
  private enter(first: State, outside: Counters, from: number, places: Place[]): boolean {
    const open: [State, Counters][] = [[first, outside]]
    let isEnd = false
    for (let entry = open.pop(); entry; entry = open.pop()) {
      const [state, around] = entry
      if (--this.steps < 0) throw new RangeError('too many steps')
      let place = around.places.get(state)
      if (place?.at === from) continue
      if (!place) around.places.set(state, (place = { state, counters: around, at: from }))
      place.at = from
      if (state === END) isEnd = true
      else if (state.reads) places.push(place)
      else if (state.isLoop) open.push([state.next[0]!, within(around, 0)])
      else if (state.repeats) {
        const { least, most, body } = state.repeats
        const { count, outer } = around
        if (count >= least) open.push([state.next[0]!, outer!])
        if (count < most) open.push([body, within(outer!, Math.min(count + 1, most === Infinity ? least : most))])
      } else if (!state.holds || state.holds(from, this)) for (const next of state.next) open.push([next, around])
    }
    return isEnd
  }
}

function counters(count: number, outer?: Counters): Counters {
  return { count, outer, inner: new Map(), places: new Map() }
}

function within(outer: Counters, count: number): Counters {
  let found = outer.inner.get(count)
  if (!found) outer.inner.set(count, (found = counters(count, outer)))
  return found
}

function characterAt(text: string, at: number, flags: string): string {
  return flags ? String.fromCodePoint(text.codePointAt(at)!) : text[at]!
}

function characterBefore(text: string, at: number, flags: string): string {
  const pair = at > 1 && flags ? characterAt(text, at - 2, flags) : ''
  return pair.length === 2 ? pair : text[at - 1]!
}

function isBoundary(text: string, at: number): boolean {
  return WORD.test(text[at - 1] ?? '') !== WORD.test(text[at] ?? '')
}
