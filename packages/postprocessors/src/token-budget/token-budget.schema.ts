import { live, oneOf } from '@x/core-model/schemas'
import { Integer } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'

export const TokenBudget = nodePostprocessor('TokenBudget', 'Keeps the best nodes that fit into a number of tokens.', {
  maxTokens: Integer({
    minimum: 0,
    description: 'How many tokens the nodes kept may have together, as models see them.',
  }),
  separatorTokens: Integer({ minimum: 0, description: 'Tokens that stand between two nodes.', default: 2 }),
  overflow: oneOf(['skip', 'stop', 'cut'], {
    description:
      'What happens at a node that does not fit: it is left out and less relevant ones are tried, nothing further is taken, or its text is cut and nothing further is taken.',
    default: 'skip',
  }),
  countTokens: live({
    type: '(text: string) => number',
    holds: 'function',
    description: 'Counts the tokens of a text; the default is estimateTokens.',
  }),
})
