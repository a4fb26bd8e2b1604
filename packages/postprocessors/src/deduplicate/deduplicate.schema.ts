import { oneOf } from '@x/core-model/schemas'
import { Number as Num } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'

export const Deduplicate = nodePostprocessor('Deduplicate', 'Removes duplicate nodes.', {
  by: oneOf(['id', 'hash', 'text', 'similar'], {
    description:
      'Which nodes are duplicates: those with the same id, the same hash (text and metadata), the same text, ignoring case and white space, or nearly the same words.',
    default: 'text',
  }),
  minSimilarity: Num({
    extension: true,
    description:
      'With by: similar, the lowest share of common sequences of three words for which two nodes are duplicates.',
    minimum: 0,
    maximum: 1,
    default: 0.8,
  }),
})
