import { live } from '@x/core-model/schemas'
import type { Tokenizer } from './count-tokens.ts'

/** The field of the tokenizer. */
export const tokenizer = live<Tokenizer>({
  holds: 'function',
  description: 'Splits a string into tokens, which are counted; null assumes one token per 4 UTF-8 bytes.',
})
