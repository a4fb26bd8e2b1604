/**
 * @module
 * Parses the direction in the answer of a model.
 */
import { withoutThinking } from '@x/core-model/text'
import type { WalkMode } from './walk.ts'

const word = /(?<![\p{L}\p{N}])(previous|next|none)(?![\p{L}\p{N}])/giu
/** A negation before a word, in the same part of the sentence: `not the NEXT`, `rather than NEXT`. */
const negatedBefore =
  /(?:\b(?:not|no|never|neither|nor|without|instead of|rather than|except|none of)|\b\w{1,9}n['’]t)\s{1,3}(?:[\w"'*`/]{1,20}\s{1,3}){0,4}["'*`_([]{0,4}$/i
/** A negation after a word: `PREVIOUS is not needed`, `the previous text would not help`. */
const negatedAfter =
  /^["'*`_)\]]{0,4}(?:\s{1,3}[\w'"]{1,20}){0,3}?\s{1,3}(?:(?:is|are|was|were|would|will|does|do|should|can|need)(?:\s{1,3}not|n['’]t)|(?:isn|aren|wasn|wouldn|won|doesn|don|shouldn|needn)['’]t|cannot|(?:is|are|would be|seems)\s{1,3}(?:also\s)?(?:unnecessary|irrelevant|useless|unneeded|superfluous|redundant))\b/i
/** The separators of the parts of a sentence. */
const clauseEnd = /[.,;:!?\n—]|\bbut\b/gi
/** The word describes a noun here: `the previous paragraph`. */
const describesNoun = /^\s{1,3}(?!(?:is|are|was|would|will|should|or|and|but|because|since|as|if|for|to|not)\b)\p{Ll}/u

/**
 * Returns the direction in an answer: the last of the words PREVIOUS, NEXT and NONE outside of thinking blocks and negations. A word that
 * only describes a noun, as in "the previous paragraph", is used if the answer contains no other. Undefined without a direction.
 */
export function readDirection(answer: string): WalkMode | undefined {
  const text = withoutThinking(answer).normalize('NFKC')
  let last: WalkMode | undefined
  let described: WalkMode | undefined
  const negated = new Set<string>()
  for (const { 0: found, index } of text.matchAll(word)) {
    const mode = found.toLowerCase() as 'previous' | 'next' | 'none'
    const end = index + found.length
    const after = text.slice(end, end + 80)
    if (isNegated(text.slice(Math.max(0, index - 80), index), after)) negated.add(mode)
    else if (found !== found.toUpperCase() && describesNoun.test(after)) described = mode
    else last = mode
  }
  const direction = last ?? described
  // "Neither previous nor next."
  return direction ?? (negated.has('previous') && negated.has('next') ? 'none' : undefined)
}

function isNegated(before: string, after: string): boolean {
  let start = 0
  for (const { 0: mark, index } of before.matchAll(clauseEnd)) start = index + mark.length
  const end = after.search(/[.,;:!?\n—]/)
  return negatedBefore.test(before.slice(start)) || negatedAfter.test(end === -1 ? after : after.slice(0, end))
}
