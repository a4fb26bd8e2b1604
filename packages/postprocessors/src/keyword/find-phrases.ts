/**
 * @module
 * Finds all occurrences of several phrases in one pass, with the automaton of Aho and Corasick.
 */

/** The text that was read so far ends with the characters on the way to this state. */
interface State {
  next: Map<number, State>
  /** The state of the longest proper suffix that begins a phrase; null for the first state. */
  suffix: State | null
  /** The state of the longest proper suffix that is a phrase. */
  shorter: State | null
  /** The index of the phrase that ends here; -1 if none does. */
  phrase: number
  /** The number of characters on the way to this state. */
  length: number
}

const newState = (length: number): State => ({ next: new Map(), suffix: null, shorter: null, phrase: -1, length })

const space = /\s/

/**
 * Returns a function that calls `visit` for each occurrence of each phrase in a string, by ascending end, until it returns true. A blank in
 * a phrase matches any white space. Takes time linear in the length of the string and in the number of occurrences.
 * @param phrases - different, and without white space at their ends or two adjacent blanks.
 */
export function findPhrases(
  phrases: readonly string[],
): (text: string, visit: (phrase: number, start: number, end: number) => boolean) => void {
  const first = automatonOf(phrases)
  return (text, visit) => {
    // The offset of each character that was read: of white space only the first one is.
    const places = new Uint32Array(text.length)
    let read = 0
    let inSpace = false
    let state = first
    for (let at = 0; at < text.length; at++) {
      let code = text.charCodeAt(at)
      const isSpace = code <= 32 || code > 126 ? space.test(text.charAt(at)) : false
      if (isSpace && inSpace) continue
      inSpace = isSpace
      if (isSpace) code = 32
      places[read++] = at
      state = following(state, code) ?? first
      for (let found = state.phrase < 0 ? state.shorter : state; found !== null; found = found.shorter)
        if (visit(found.phrase, places[read - found.length]!, at + 1)) return
    }
  }
}

/** Returns the state after another character; undefined if no phrase continues with it. */
function following(state: State | null, code: number): State | undefined {
  for (let from = state; from !== null; from = from.suffix) {
    const next = from.next.get(code)
    if (next) return next
  }
  return undefined
}

function automatonOf(phrases: readonly string[]): State {
  const first = newState(0)
  for (const [index, phrase] of phrases.entries()) {
    let state = first
    for (let at = 0; at < phrase.length; at++) {
      const code = phrase.charCodeAt(at)
      const next = state.next.get(code) ?? newState(at + 1)
      state.next.set(code, next)
      state = next
    }
    state.phrase = index
  }
  // Shorter states come first, so that their suffixes are known.
  const states = [first]
  for (const state of states) {
    for (const [code, next] of state.next) {
      next.suffix = following(state.suffix, code) ?? first
      next.shorter = next.suffix.phrase < 0 ? next.suffix.shorter : next.suffix
      states.push(next)
    }
  }
  return first
}
