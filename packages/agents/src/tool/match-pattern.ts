/**
 * @module
 * Regular expressions of JSON Schemas, which may come from a stranger's server, in linear time: the engines of JavaScript may need
 * exponential time.
 */

/** A state of the automaton: it reads a character, branches, checks the position, or is the end of a match. */
interface State {
  reads?: RegExp
  holds?: (text: string, at: number, run: Run) => boolean
  next: State[]
}

/** A part of a pattern: returns its first state, before the states that follow. */
type Part = (next: State) => State

/** Returns whether a string contains a match. */
export type Matcher = (text: string) => boolean

const MAX_PATTERN = 2000
const MAX_STATES = 5000
const MAX_STEPS = 5_000_000

const ESCAPE =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[\s\S])/y
const CLASS = /\[(?:\\[\s\S]|[^\]\\])*\]/y
const GROUP = /\((?:\?:|\?<(?![=!])[^>]*>|(\?[=!])|(?!\?))/y
const TIMES = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y
const WORD = /^\w$/

/**
 * Compiles a pattern. Takes time in proportion to the length of the string; a string that would need more than some million steps does not
 * match.
 * @returns undefined if the pattern is invalid in JavaScript, refers to groups, looks behind, or is too large.
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
      const parser = new Parser(pattern, flags)
      const start = parser.alternatives()(END)
      return (text) => new Run(text, flags === 'u').matches(start, 0, false)
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
  private states = 0

  constructor(pattern: string, flags: string) {
    this.pattern = pattern
    this.flags = flags
  }

  /** Reads until the end of the group or of the pattern. */
  alternatives(): Part {
    const all = [this.sequence()]
    while (this.pattern[this.at] === '|') {
      this.at++
      all.push(this.sequence())
    }
    return all.length === 1 ? all[0]! : (next) => this.state({ next: all.map((part) => part(next)) })
  }

  private sequence(): Part {
    const parts: Part[] = []
    while (this.at < this.pattern.length && !'|)'.includes(this.pattern[this.at]!))
      parts.push(this.repeated(this.atom()))
    return (next) => parts.reduceRight((after, part) => part(after), next)
  }

  private atom(): Part {
    const group = this.take(GROUP)
    if (group) {
      const inner = this.alternatives()
      this.at++
      return group[1] ? this.lookahead(inner, group[1] === '?=') : inner
    }
    const source = (this.take(CLASS) ?? this.take(ESCAPE) ?? [this.character()])[0]
    // Groups with modifiers, and those that look behind.
    if (source === '(' || /^\\[1-9k]/.test(source)) throw new RangeError(source)
    if (source === '^') return this.assertion((_, at) => at === 0)
    if (source === '$') return this.assertion((text, at) => at === text.length)
    if (/^\\b$/i.test(source)) return this.assertion((text, at) => isBoundary(text, at) === (source === '\\b'))
    const reads = new RegExp(`^${/^[{}\]]$/.test(source) ? `\\${source}` : source}$`, this.flags)
    return (next) => this.state({ reads, next: [next] })
  }

  private character(): string {
    const { at, pattern, flags } = this
    const character = flags === 'u' ? String.fromCodePoint(pattern.codePointAt(at)!) : pattern[at]!
    this.at += character.length
    return character
  }

  private repeated(part: Part): Part {
    const found = this.take(TIMES)
    if (!found) return part
    const [, sign, from, comma, to] = found
    const least = sign ? Number(sign === '+') : Number(from)
    const most = sign === '?' ? 1 : sign || (comma && !to) ? undefined : Number(comma ? to : from)
    if (Math.max(least, most ?? 0) > MAX_STATES) throw new RangeError('too many repetitions')
    const repeated = Array<Part>(least).fill(part)
    if (most === undefined) repeated.push((next) => this.loop(part, next))
    return (next) => {
      let first = next
      // Each optional repetition ends the row or leads to the next one.
      for (let i = least; i < (most ?? 0); i++) first = this.state({ next: [part(first), next] })
      return repeated.reduceRight((after, one) => one(after), first)
    }
  }

  private loop(part: Part, next: State): State {
    const loop = this.state({ next: [next] })
    loop.next.push(part(loop))
    return loop
  }

  private lookahead(part: Part, isExpected: boolean): Part {
    const start = part(END)
    return this.assertion((_, at, run) => run.matches(start, at, true) === isExpected)
  }

  private assertion(holds: State['holds'] & {}): Part {
    return (next) => this.state({ holds, next: [next] })
  }

  private state(state: State): State {
    if (++this.states > MAX_STATES) throw new RangeError('too many states')
    return state
  }

  private take(token: RegExp): RegExpExecArray | undefined {
    token.lastIndex = this.at
    const found = token.exec(this.pattern) ?? undefined
    if (found) this.at += found[0].length
    return found
  }
}

/** One search in a string. */
class Run {
  private readonly text: string
  private readonly isUnicode: boolean
  private steps = 0

  constructor(text: string, isUnicode: boolean) {
    this.text = text
    this.isUnicode = isUnicode
  }

  /** Whether a match starts at a position, or, if it is not anchored, anywhere after it. */
  matches(start: State, from: number, isAnchored: boolean): boolean {
    const { text } = this
    let states = new Set<State>()
    for (let at = from; ; ) {
      if (at === from || !isAnchored) this.enter(start, at, states)
      if (this.steps > MAX_STEPS) return false
      if (states.has(END)) return true
      if (at >= text.length || (isAnchored && states.size === 0)) return false
      const character = this.isUnicode ? String.fromCodePoint(text.codePointAt(at)!) : text[at]!
      at += character.length
      const reached = new Set<State>()
      for (const { reads, next } of states) if (reads?.test(character)) this.enter(next[0]!, at, reached)
      states = reached
    }
  }

  /** Adds a state, and those that it leads to without a character. */
  private enter(first: State, at: number, states: Set<State>): void {
    const open = [first]
    for (let state = open.pop(); state && this.steps <= MAX_STEPS; state = open.pop()) {
      this.steps++
      if (states.has(state)) continue
      states.add(state)
      if (!state.reads && (!state.holds || state.holds(this.text, at, this))) open.push(...state.next)
    }
  }
}

function isBoundary(text: string, at: number): boolean {
  return WORD.test(text[at - 1] ?? '') !== WORD.test(text[at] ?? '')
}
