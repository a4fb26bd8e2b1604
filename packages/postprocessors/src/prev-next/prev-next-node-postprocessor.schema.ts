import type { DocumentStore } from '@x/core-model'
import { live, oneOf } from '@x/core-model/schemas'
import { Integer } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'

/** The store of the neighbours and the maximum number to fetch. */
export const neighbourFields = {
  docstore: live<DocumentStore>({
    required: true,
    holds: ['getNode'],
    schema: { type: 'object' },
    description: 'The store in which neighbours are looked up by id.',
  }),
  numNodes: Integer({
    minimum: 0,
    description: 'The maximum number of neighbours fetched per node and direction.',
    default: 1,
  }),
}

export const missingNeighbour = {
  onMissing: oneOf(['throw', 'stop'], {
    extension: true,
    description: 'How to handle a neighbour that is not in the store: throw, or stop fetching in that direction.',
    default: 'throw',
  }),
}

export const PrevNextNodePostprocessor = nodePostprocessor(
  'PrevNextNodePostprocessor',
  'Adds the nodes before or after each node in its document.',
  {
    ...neighbourFields,
    mode: oneOf(['next', 'previous', 'both'], {
      description: 'The direction in which neighbours are fetched.',
      default: 'next',
    }),
    ...missingNeighbour,
  },
)
