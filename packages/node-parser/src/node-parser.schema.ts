import type { CallbackManager } from '@x/core-model'
import { component, type Fields, live } from '@x/core-model/schemas'
import { Boolean as Flag } from 'typebox'
import type { IdFunc } from './build-nodes.ts'

/** The fields of every node parser. */
export const nodeParserFields = {
  includeMetadata: Flag({ description: 'Whether nodes inherit the metadata of their document.', default: true }),
  includePrevNextRel: Flag({
    description: 'Whether adjacent nodes of one document are linked as previous and next node.',
    default: true,
  }),
  callbackManager: live<CallbackManager>({
    holds: ['startEvent', 'event'],
    schema: { type: 'object', default: {} },
    description: 'Receives the events of the parser.',
  }),
  idFunc: live<IdFunc>({
    holds: 'function',
    description: 'Returns the id of each node; null uses random UUIDs.',
  }),
}

export const NodeParser = component('NodeParser', 'Creates nodes from documents.', nodeParserFields, {
  className: null,
})

/** Defines the schema of a node parser: the common fields, followed by its own fields. */
export function nodeParser<const F extends Fields>(title: string, description: string, fields: F) {
  return component(title, description, fields, { extends: NodeParser })
}
