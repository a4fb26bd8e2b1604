/**
 * @module
 * Counts the tokens of a string with any tokenizer.
 */

import { lazy } from '@x/core/values'
import type { Tokenizer } from './contracts/embedding.ts'

/** Returns the number of tokens of a string. */
export function countTokens(text: string, tokenizer: Tokenizer): number {
  const tokens = tokenizer(text)
  return typeof tokens === 'number' ? tokens : tokens.length
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
