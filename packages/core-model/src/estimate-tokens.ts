/**
 * @module
 * How many tokens a text has, without the vocabulary of a model.
 */
import { lazy } from './lazy.ts'

const unit = /* @__PURE__ */ lazy(() => {
  const cjk = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`
  return new RegExp(String.raw`${cjk}|[\p{L}\p{M}]+|\p{N}{1,3}|[^\s\p{L}\p{M}\p{N}]`, 'gu')
})

/**
 * An estimate on the safe side for English, European languages, Chinese, Japanese, Korean and code: one token per four
 * letters of a word, per CJK character, per three digits and per other sign.
 * @example
 * estimateTokens('The quick brown fox') // => 6
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  for (const [found] of text.matchAll(unit())) tokens += Math.ceil(found.length / 4)
  return tokens
}
