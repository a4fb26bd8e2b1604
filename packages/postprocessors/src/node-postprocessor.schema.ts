import type { CallbackManager } from '@x/core-model'
import { component, type Fields, live } from '@x/core-model/schemas'

/** The fields of every postprocessor. */
export const postprocessorFields = {
  callbackManager: live<CallbackManager>({
    holds: ['startEvent', 'event'],
    schema: { type: 'object', default: {} },
    description: 'Receives the events of this postprocessor.',
  }),
}

export const NodePostprocessor = component(
  'NodePostprocessor',
  'Transforms a list of scored nodes.',
  postprocessorFields,
  { className: null },
)

/** Defines the schema of a postprocessor: the common fields, followed by its own fields. */
export function nodePostprocessor<const F extends Fields>(title: string, description: string, fields: F) {
  return component(title, description, fields, { extends: NodePostprocessor })
}
