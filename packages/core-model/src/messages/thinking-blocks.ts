/**
 * @module
 * Removes the thinking blocks that reasoning models write before their answer.
 */

/** The opening and closing marks of thinking blocks. */
const marks =
  /<(\/?)(?:seed:)?(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad)>|\[(\/?)think\]|◁(\/?)think▷|<\|channel\|>(final|[a-z]*)(?:<\|message\|>)?/gi

/** A possible start of a mark at the end of a string. The longest mark has 40 characters. */
const startOfMark = /(?:<(?:[^<>]|<\|message|\|channel\|>[a-z]*<?){0,40}|\[\/?[a-z]{0,5}|◁\/?[a-z]{0,5})$/i

/**
 * Returns `answer` without its thinking blocks: `<think>…</think>` and the marks of other models. A block that is not closed
 * reaches to the end of the answer. A closing mark without an opening one ends a block that began in the prompt.
 */
export function withoutThinking(answer: string): string {
  if (answer.search(marks) < 0) return answer
  const filter = new ThinkingFilter()
  const [first, rest] = [filter.push(answer), filter.end()]
  return (rest.restarts ? '' : first.text) + rest.text
}

/** One part of a streamed answer. */
export interface FilteredText {
  /** The text outside of thinking blocks. */
  text: string
  /** The text inside of thinking blocks. */
  thinking: string
  /** Whether all text before this part belongs to a thinking block that began in the prompt. */
  restarts: boolean
}

/** {@link withoutThinking} for answers that arrive in pieces. The result does not depend on how the answer is split. */
export class ThinkingFilter {
  #isInside = false
  /** The end of the last piece, if it may be the start of a mark. */
  #held = ''

  /** Adds the next piece of the answer. Returns its text and its thinking. */
  push(piece: string): FilteredText {
    const given = this.#held + piece
    const end = given.search(startOfMark)
    this.#held = end < 0 ? '' : given.slice(end)
    return this.#split(end < 0 ? given : given.slice(0, end))
  }

  /** Returns the rest at the end of the answer. */
  end(): FilteredText {
    const held = this.#held
    this.#held = ''
    return this.#split(held)
  }

  #split(given: string): FilteredText {
    const result: FilteredText = { text: '', thinking: '', restarts: false }
    let from = 0
    for (const match of given.matchAll(marks)) {
      const [mark, slash, bracketSlash, triangleSlash, channel] = match
      const closes = channel === undefined ? slash || bracketSlash || triangleSlash : channel.toLowerCase() === 'final'
      this.#add(given.slice(from, match.index), result)
      from = match.index + mark.length
      if (closes && !this.#isInside) {
        result.thinking = result.text + result.thinking
        result.text = ''
        result.restarts = true
      }
      this.#isInside = !closes
    }
    this.#add(given.slice(from), result)
    return result
  }

  #add(text: string, result: FilteredText): void {
    if (this.#isInside) result.thinking += text
    else result.text += text
  }
}
