import { oneOf } from '@x/core-model/schemas'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'

export const Deduplicate = nodePostprocessor('Deduplicate', 'Removes duplicate nodes.', {
  by: oneOf(['id', 'hash', 'text'], {
    description:
      'Which nodes are duplicates: those with the same id, the same hash (text and metadata), or the same text, ignoring case and white space.',
    default: 'text',
  }),
})
