// Generated from the schema of the model by x-codegen. Do not edit.
import { NodePostprocessor, type PostprocessorLike } from '../node-postprocessor.ts'
import type { NodePostprocessorFields, NodePostprocessorOptions } from './node-postprocessor.ts'
import { modelOf } from '@x/core-model'

/** The fields of {@link PostprocessorPipeline}. */
export interface PostprocessorPipelineFields extends NodePostprocessorFields {
  /** The steps, in order. */
  postprocessors: PostprocessorLike[]
}

/** Constructor options of {@link PostprocessorPipeline}. */
export interface PostprocessorPipelineOptions extends NodePostprocessorOptions {
  /** The steps, in order. */
  postprocessors: readonly PostprocessorLike[]
}

declare abstract class Declared extends NodePostprocessor {
  constructor(options: PostprocessorPipelineOptions)
}
interface Declared extends PostprocessorPipelineFields {}

/** The typed base class of {@link PostprocessorPipeline}. */
export const PostprocessorPipelineModel = /* @__PURE__ */ modelOf<typeof Declared>(NodePostprocessor, {
  name: 'PostprocessorPipeline',
  description: 'Runs postprocessors one after the other.',
  className: 'PostprocessorPipeline',
  fields: {
    postprocessors: { schema: { type: 'array', items: { 'x-nested': true }, description: 'The steps, in order.' }, required: true },
  },
})
