// Generated from the schema of the model by x-codegen. Do not edit.
import type { IdFunc } from '../build-nodes.ts'
import { type CallbackManager, Model, modelOf } from '@x/core-model'

/** The fields of {@link NodeParser}. */
export interface NodeParserFields {
  /** Whether nodes inherit the metadata of their document. @defaultValue true */
  includeMetadata: boolean
  /** Whether adjacent nodes of one document are linked as previous and next node. @defaultValue true */
  includePrevNextRel: boolean
  /** Receives the events of the parser. */
  callbackManager: CallbackManager
  /** Returns the id of each node; null uses random UUIDs. */
  idFunc: IdFunc | null
}

/** Constructor options of {@link NodeParser}. */
export interface NodeParserOptions {
  /** Whether nodes inherit the metadata of their document. @defaultValue true */
  includeMetadata?: boolean | undefined
  /** Whether adjacent nodes of one document are linked as previous and next node. @defaultValue true */
  includePrevNextRel?: boolean | undefined
  /** Receives the events of the parser. */
  callbackManager?: CallbackManager | null | undefined
  /** Returns the id of each node; null uses random UUIDs. */
  idFunc?: IdFunc | null | undefined
}

declare abstract class Declared extends Model {
  constructor(options?: NodeParserOptions)
}
interface Declared extends NodeParserFields {}

/** The typed base class of {@link NodeParser}. */
export const NodeParserModel = /* @__PURE__ */ modelOf<typeof Declared>(Model, {
  name: 'NodeParser',
  description: 'Creates nodes from documents.',
  fields: {
    includeMetadata: { schema: { type: 'boolean', description: 'Whether nodes inherit the metadata of their document.' }, default: true },
    includePrevNextRel: { schema: { type: 'boolean', description: 'Whether adjacent nodes of one document are linked as previous and next node.' }, default: true },
    callbackManager: { schema: { type: 'object', default: {}, description: 'Receives the events of the parser.' }, runtime: true, holds: ['startEvent', 'event'] },
    idFunc: { schema: { description: 'Returns the id of each node; null uses random UUIDs.' }, runtime: true, holds: 'function' },
  },
})
