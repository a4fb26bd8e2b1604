import { component, type Fields, live } from '@x/core-model/schemas'
import { Boolean as Flag } from 'typebox'

/** The fields that every node parser has. */
export const nodeParserFields = {
  includeMetadata: Flag({ description: 'Give nodes the metadata of what they are made from.', default: true }),
  includePrevNextRel: Flag({ description: 'Link neighbours of the same source.', default: true }),
  callbackManager: live({
    type: 'CallbackManager',
    imports: { CallbackManager: '@x/core-model' },
    holds: ['startEvent', 'event'],
    schema: { type: 'object', default: {} },
    description: 'Who is told of the parsing.',
  }),
  idFunc: live({
    type: 'IdFunc',
    imports: { IdFunc: './build-nodes.ts' },
    holds: 'function',
    description: 'Makes the ids of nodes; random UUIDs when it is null.',
  }),
}

/** The schema of a node parser: its own fields after those of all. */
export function nodeParser<const F extends Fields>(title: string, description: string, fields: F) {
  return component(title, description, { ...nodeParserFields, ...fields })
}

export const NodeParser = component('NodeParser', 'Makes nodes of documents.', nodeParserFields, { className: null })
