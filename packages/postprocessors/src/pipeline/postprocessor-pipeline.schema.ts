import { nested } from '@x/core-model/schemas'
import { Array as List } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'
import type { PostprocessorLike } from '../node-postprocessor.ts'

export const PostprocessorPipeline = nodePostprocessor(
  'PostprocessorPipeline',
  'Runs postprocessors one after the other.',
  {
    postprocessors: List(nested<PostprocessorLike>(), { description: 'The steps, in order.' }),
  },
)
