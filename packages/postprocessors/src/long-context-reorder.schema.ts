import { nodePostprocessor } from './node-postprocessor.schema.ts'

export const LongContextReorder = nodePostprocessor(
  'LongContextReorder',
  'Moves the most relevant nodes to both ends of the list, where models use them best.',
  {},
)
