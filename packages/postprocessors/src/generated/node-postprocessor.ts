// Generated from the schema of the model by x-codegen. Do not edit.
import { type CallbackManager, Model, modelOf } from '@x/core-model'

/** The fields of {@link NodePostprocessor}. */
export interface NodePostprocessorFields {
  /** Receives the events of this postprocessor. */
  callbackManager: CallbackManager
}

/** Constructor options of {@link NodePostprocessor}. */
export interface NodePostprocessorOptions {
  /** Receives the events of this postprocessor. */
  callbackManager?: CallbackManager | null | undefined
}

declare abstract class Declared extends Model {
  constructor(options?: NodePostprocessorOptions)
}
interface Declared extends NodePostprocessorFields {}

/** The typed base class of {@link NodePostprocessor}. */
export const NodePostprocessorModel = /* @__PURE__ */ modelOf<typeof Declared>(Model, {
  name: 'NodePostprocessor',
  description: 'Transforms a list of scored nodes.',
  fields: {
    callbackManager: { schema: { type: 'object', default: {}, description: 'Receives the events of this postprocessor.' }, runtime: true, holds: ['startEvent', 'event'] },
  },
})
