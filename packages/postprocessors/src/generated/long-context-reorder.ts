// Generated from the schema of the model by x-codegen. Do not edit.
import { NodePostprocessor } from '../node-postprocessor.ts'
import type { NodePostprocessorFields, NodePostprocessorOptions } from './node-postprocessor.ts'
import { modelOf } from '@x/core-model'

/** The fields of {@link LongContextReorder}. */
export interface LongContextReorderFields extends NodePostprocessorFields {}

/** Constructor options of {@link LongContextReorder}. */
export interface LongContextReorderOptions extends NodePostprocessorOptions {}

declare abstract class Declared extends NodePostprocessor {
  constructor(options?: LongContextReorderOptions)
}
interface Declared extends LongContextReorderFields {}

/** The typed base class of {@link LongContextReorder}. */
export const LongContextReorderModel = /* @__PURE__ */ modelOf<typeof Declared>(NodePostprocessor, {
  name: 'LongContextReorder',
  description: 'Moves the most relevant nodes to both ends of the list, where models use them best.',
  className: 'LongContextReorder',
  fields: {},
})
