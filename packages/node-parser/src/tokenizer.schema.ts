import { live } from '@x/core-model/schemas'

/** The field of the tokenizer. */
export const tokenizer = live({
  type: 'Tokenizer',
  imports: { Tokenizer: './count-tokens.ts' },
  holds: 'function',
  description: 'Splits a string into tokens, which are counted; null assumes one token per 4 UTF-8 bytes.',
})
