import type { Tokenizer } from '@x/core-model'
import { live, oneOf } from '@x/core-model/schemas'
import { Integer } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'

export const TokenBudget = nodePostprocessor('TokenBudget', 'Keeps the most relevant nodes that fit a token budget.', {
  maxTokens: Integer({
    minimum: 1,
    description:
      'The maximum number of tokens of all returned nodes together, counted on the content visible to language models.',
  }),
  separatorTokens: Integer({ minimum: 0, description: 'The number of tokens between two nodes.', default: 2 }),
  overflow: oneOf(['skip', 'stop', 'cut'], {
    description:
      'How to handle a node that does not fit: skip it and try less relevant nodes, stop, or truncate its text and stop.',
    default: 'skip',
  }),
  countTokens: live<Tokenizer>({
    holds: 'function',
    description: 'Counts the tokens of a string, or splits it into them; default estimateTokens.',
  }),
})
