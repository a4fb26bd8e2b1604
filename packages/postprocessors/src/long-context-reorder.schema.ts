import { nodePostprocessor } from './node-postprocessor.schema.ts'

export const LongContextReorder = nodePostprocessor(
  'LongContextReorder',
  'Puts the most relevant nodes at both ends, where models read best.',
  {},
)
