import { component, nested } from '@x/core-model/schemas'
import { Array as List } from 'typebox'
import { StepsPostprocessor } from '../steps-postprocessor.schema.ts'
import type { PostprocessorLike } from '../steps-postprocessor.ts'

export const PostprocessorPipeline = component(
  'PostprocessorPipeline',
  'Runs postprocessors one after the other.',
  {
    postprocessors: List(nested<PostprocessorLike>(), { description: 'The steps, in order.' }),
  },
  { extends: StepsPostprocessor },
)
