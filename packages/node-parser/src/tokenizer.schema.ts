import { live } from '@x/core-model/schemas'

/** What counts the tokens of a text. */
export const tokenizer = live({
  type: 'Tokenizer',
  imports: { Tokenizer: './count-tokens.ts' },
  holds: 'function',
  description: 'Gives the tokens of a text as a list; one token per 4 UTF-8 bytes is assumed when it is null.',
})
