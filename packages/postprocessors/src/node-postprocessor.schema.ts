import { component, type Fields, live } from '@x/core-model/schemas'

/** The fields that every postprocessor has. */
export const postprocessorFields = {
  callbackManager: live({
    type: 'CallbackManager',
    imports: { CallbackManager: '@x/core-model' },
    holds: ['startEvent', 'event'],
    schema: { type: 'object', default: {} },
    description: 'Who is told of the reranking event.',
  }),
}

export const NodePostprocessor = component(
  'NodePostprocessor',
  'Turns a list of scored nodes into another one.',
  postprocessorFields,
  { className: null },
)

/** The schema of a postprocessor: its own fields after those of all. */
export function nodePostprocessor<const F extends Fields>(title: string, description: string, fields: F) {
  return component(title, description, { ...postprocessorFields, ...fields })
}
