import { oneOf } from '@x/core-model/schemas'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'

export const Deduplicate = nodePostprocessor('Deduplicate', 'Keeps one of nodes that are the same.', {
  by: oneOf(['id', 'hash', 'text'], {
    description:
      'What makes nodes the same: their id, their hash (text and metadata), or their text without regard to case and white space.',
    default: 'text',
  }),
})
