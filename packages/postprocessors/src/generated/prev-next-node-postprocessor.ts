// Generated from the schema of the model by x-codegen. Do not edit.
import { NodePostprocessor } from '../node-postprocessor.ts'
import type { NodePostprocessorFields, NodePostprocessorOptions } from './node-postprocessor.ts'
import { type DocumentStore, modelOf } from '@x/core-model'

/** The fields of {@link PrevNextNodePostprocessor}. */
export interface PrevNextNodePostprocessorFields extends NodePostprocessorFields {
  /** The store in which neighbours are looked up by id. */
  docstore: DocumentStore
  /** The maximum number of neighbours fetched per node and direction. @defaultValue 1 */
  readonly numNodes: number
  /** The direction in which neighbours are fetched. @defaultValue 'next' */
  mode: 'next' | 'previous' | 'both'
  /** How to handle a neighbour that is not in the store: throw, or stop fetching in that direction. @defaultValue 'throw' */
  onMissing: 'throw' | 'stop'
}

/** Constructor options of {@link PrevNextNodePostprocessor}. */
export interface PrevNextNodePostprocessorOptions extends NodePostprocessorOptions {
  /** The store in which neighbours are looked up by id. */
  docstore: DocumentStore
  /** The maximum number of neighbours fetched per node and direction. @defaultValue 1 */
  numNodes?: number | undefined
  /** The direction in which neighbours are fetched. @defaultValue 'next' */
  mode?: 'next' | 'previous' | 'both' | undefined
  /** How to handle a neighbour that is not in the store: throw, or stop fetching in that direction. @defaultValue 'throw' */
  onMissing?: 'throw' | 'stop' | undefined
}

declare abstract class Declared extends NodePostprocessor {
  constructor(options: PrevNextNodePostprocessorOptions)
}
interface Declared extends PrevNextNodePostprocessorFields {}

/** The typed base class of {@link PrevNextNodePostprocessor}. */
export const PrevNextNodePostprocessorModel = /* @__PURE__ */ modelOf<typeof Declared>(NodePostprocessor, {
  name: 'PrevNextNodePostprocessor',
  description: 'Adds the nodes before or after each node in its document.',
  className: 'PrevNextNodePostprocessor',
  fields: {
    docstore: { schema: { type: 'object', description: 'The store in which neighbours are looked up by id.' }, required: true, runtime: true, holds: ['getNode'] },
    numNodes: { schema: { type: 'integer', minimum: 0, description: 'The maximum number of neighbours fetched per node and direction.' }, default: 1, bounded: true },
    mode: { schema: { type: 'string', enum: ['next', 'previous', 'both'], description: 'The direction in which neighbours are fetched.' }, default: 'next' },
    onMissing: { schema: { type: 'string', enum: ['throw', 'stop'], description: 'How to handle a neighbour that is not in the store: throw, or stop fetching in that direction.' }, default: 'throw', extension: true },
  },
})
