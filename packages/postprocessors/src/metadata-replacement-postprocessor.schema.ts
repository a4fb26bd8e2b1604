import { String as Text } from 'typebox'
import { nodePostprocessor } from './node-postprocessor.schema.ts'

export const MetadataReplacementPostProcessor = nodePostprocessor(
  'MetadataReplacementPostProcessor',
  'Replaces the text of each node by one of its metadata entries.',
  {
    targetMetadataKey: Text({ description: 'The key of the metadata entry that replaces the text.' }),
  },
)
