/**
 * @module
 * Counts the tokens of a string with any tokenizer.
 */

import { invalidOption } from '@x/core/options'
import type { Tokenizer } from './contracts/embedding.ts'

/**
 * Returns the number of tokens of a string.
 * @throws {ModelValidationError} with this option, if the tokenizer returns neither a number nor an array of tokens.
 */
export function countTokens(text: string, tokenizer: Tokenizer, where = 'countTokens', option = 'tokenizer()'): number {
  const tokens = tokenizer(text)
  const count = typeof tokens === 'object' && tokens !== null ? tokens.length : tokens
  if (typeof count !== 'number' || !(count >= 0 && count < Number.POSITIVE_INFINITY))
    throw invalidOption(where, option, 'a number of tokens or an array of them', tokens)
  return count
}

/**
 * Returns the quarters of a token that a UTF-16 unit has. Tokenizers learn from text that is mostly in a few scripts, and split letters of
 * the others into bytes.
 */
function quartersOf(unit: number): number {
  if (unit < 0x80) return 1
  // Other Latin letters, Greek, Cyrillic, Armenian, Hebrew, Arabic.
  if (unit < 0x700) return 1.25
  // Vietnamese, Chinese, Japanese, Korean, the halves of emoji.
  if (unit >= 0x1d00) return 4
  // Scripts of India, Thai; Burmese, Georgian; Khmer. Not Lao, Tibetan, Ethiopic, Cherokee and the syllabics of Canada.
  return (unit >= 0x900 && unit < 0xe80) || unit >> 8 === 0x10 || unit >> 7 === 0x2f ? 2 : 8
}

/**
 * Returns an estimate of the number of tokens: one per four English letters of a word, per Chinese, Japanese or Korean character, per three
 * digits, per space in front of digits and per other sign, two per emoji. Letters of other scripts have between 0.3 and two tokens.
 * Rather too high for most languages and code if the tokenizer is as good as o200k_base; too low for base64, and for old tokenizers outside
 * of Europe and East Asia. At most twice the length of the string.
 * @example
 * estimateTokens('The quick brown fox') // => 6
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  for (const [found] of text.matchAll(/\s(?=\p{N})|[\p{L}\p{M}]+|\p{N}{1,3}|[^\s\p{L}\p{M}\p{N}]/gu)) {
    let quarters = 0
    for (let i = 0; i < found.length; i++) quarters += quartersOf(found.charCodeAt(i))
    tokens += Math.ceil(quarters / 4)
  }
  return tokens
}
