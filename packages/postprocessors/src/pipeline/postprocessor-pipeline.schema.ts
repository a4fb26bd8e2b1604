import { nested } from '@x/core-model/schemas'
import { Array as List } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'

export const PostprocessorPipeline = nodePostprocessor(
  'PostprocessorPipeline',
  'Runs postprocessors one after the other.',
  {
    postprocessors: List(
      nested({ type: 'PostprocessorLike', imports: { PostprocessorLike: './node-postprocessor.ts' } }),
      { description: 'The steps, in order.' },
    ),
  },
)
