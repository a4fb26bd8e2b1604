/**
 * @module
 * Removes what reasoning models write before their answer.
 */

/** The opening and closing marks of thinking blocks. */
const marks =
  /<(\/?)(?:seed:)?(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad)>|\[(\/?)think\]|◁(\/?)think▷|<\|channel\|>(final|[a-z]*)(?:<\|message\|>)?/gi

/**
 * Returns `answer` without its thinking blocks: `<think>…</think>` and the marks of other models. A block that is not closed
 * reaches to the end of the answer. A closing mark without an opening one ends a block that began in the prompt.
 */
export function withoutThinking(answer: string): string {
  let result = ''
  let from = 0
  let depth = 0
  for (const {
    0: mark,
    1: slash = '',
    2: bracketSlash = '',
    3: triangleSlash = '',
    4: channel,
    index,
  } of answer.matchAll(marks)) {
    const closes =
      channel === undefined ? slash + bracketSlash + triangleSlash !== '' : channel.toLowerCase() === 'final'
    if (closes) {
      // What precedes an unopened closing mark was thought.
      if (depth === 0) result = ''
      depth = 0
      from = index + mark.length
    } else {
      if (depth === 0) result += answer.slice(from, index)
      depth = 1
    }
  }
  return depth === 0 ? result + answer.slice(from) : result
}
