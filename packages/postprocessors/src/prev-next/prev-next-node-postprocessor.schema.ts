import { live, oneOf } from '@x/core-model/schemas'
import { Integer } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'

/** The store that neighbours are fetched from, and what happens when one is missing. */
export const neighbourFields = {
  docstore: live({
    required: true,
    type: 'DocumentStore',
    imports: { DocumentStore: '@x/core-model' },
    holds: ['getNode'],
    schema: { type: 'object' },
    description: 'Where neighbours are looked up by id.',
  }),
  numNodes: Integer({
    minimum: 0,
    description: 'How many neighbours are fetched per node and direction at most.',
    default: 1,
  }),
}

export const onMissing = oneOf(['throw', 'stop'], {
  extension: true,
  description: 'What happens at a neighbour that is not in the store.',
  default: 'throw',
})

export const PrevNextNodePostprocessor = nodePostprocessor(
  'PrevNextNodePostprocessor',
  'Adds the nodes that stand before or after each node in its document.',
  {
    ...neighbourFields,
    mode: oneOf(['next', 'previous', 'both'], {
      description: 'In which direction neighbours are fetched.',
      default: 'next',
    }),
    onMissing,
  },
)
