/**
 * @module
 * Counts the tokens of a string with any tokenizer.
 */

import { invalidOption } from '@x/core/options'
import { lazy } from '@x/core/values'
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

const unit = /* @__PURE__ */ lazy(() => {
  const cjk = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`
  return new RegExp(String.raw`${cjk}|[\p{L}\p{M}]+|\p{N}{1,3}|[^\s\p{L}\p{M}\p{N}]`, 'gu')
})

/**
 * Returns an estimate of the number of tokens: one per four letters of a word, per CJK character, per three digits and per other sign.
 * Rather too high for English, European languages, Chinese, Japanese, Korean and code; too low for base64.
 * @example
 * estimateTokens('The quick brown fox') // => 6
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  for (const [found] of text.matchAll(unit())) tokens += Math.ceil(found.length / 4)
  return tokens
}
