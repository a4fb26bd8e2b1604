import type { Tokenizer } from '@x/core-model'
import { live } from '@x/core-model/schemas'

/** The field of the tokenizer. */
export const tokenizer = live<Tokenizer>({
  holds: 'function',
  description: 'Counts the tokens of a string; null assumes one per 4 UTF-8 bytes.',
})
