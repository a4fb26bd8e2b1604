// Generated from the schema of the model by x-codegen. Do not edit.
import { NodePostprocessor } from '../node-postprocessor.ts'
import type { NodePostprocessorFields, NodePostprocessorOptions } from './node-postprocessor.ts'
import { modelOf } from '@x/core-model'

/** The fields of {@link MetadataReplacementPostProcessor}. */
export interface MetadataReplacementPostProcessorFields extends NodePostprocessorFields {
  /** The key of the metadata entry that replaces the text. */
  targetMetadataKey: string
}

/** Constructor options of {@link MetadataReplacementPostProcessor}. */
export interface MetadataReplacementPostProcessorOptions extends NodePostprocessorOptions {
  /** The key of the metadata entry that replaces the text. */
  targetMetadataKey: string
}

declare abstract class Declared extends NodePostprocessor {
  constructor(options: MetadataReplacementPostProcessorOptions)
}
interface Declared extends MetadataReplacementPostProcessorFields {}

/** The typed base class of {@link MetadataReplacementPostProcessor}. */
export const MetadataReplacementPostProcessorModel = /* @__PURE__ */ modelOf<typeof Declared>(NodePostprocessor, {
  name: 'MetadataReplacementPostProcessor',
  description: 'Replaces the text of each node by one of its metadata entries.',
  className: 'MetadataReplacementPostProcessor',
  fields: {
    targetMetadataKey: { schema: { type: 'string', description: 'The key of the metadata entry that replaces the text.' }, required: true },
  },
})
