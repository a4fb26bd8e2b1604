/**
 * @module
 * Counts the tokens of a string with any tokenizer.
 */
import type { Tokenizer } from './contracts/tokenizer.ts'

/** Returns the number of tokens of a string. */
export function countTokens(text: string, tokenizer: Tokenizer): number {
  const tokens = tokenizer(text)
  return typeof tokens === 'number' ? tokens : tokens.length
}
