// Generated from the schema of the model by x-codegen. Do not edit.
import { NodePostprocessor } from '../node-postprocessor.ts'
import type { EntityRecognizer } from '../pii/mask-entities.ts'
import type { MappingSink } from '../pii/masked-node.ts'
import type { NodePostprocessorFields, NodePostprocessorOptions } from './node-postprocessor.ts'
import { modelOf } from '@x/core-model'

/** The fields of {@link NERPIINodePostprocessor}. */
export interface NERPIINodePostprocessorFields extends NodePostprocessorFields {
  /** The metadata key of the mapping from tags to originals. @defaultValue '__pii_node_info__' */
  piiNodeInfoKey: string
  /** Finds the entities in a string: a function around a named-entity model, or findPatterns. */
  ner: EntityRecognizer | null
  /** The size of the windows in which a longer node is passed to the model, in UTF-16 code units, because models truncate long input; null passes the whole node. @defaultValue 1000 */
  readonly windowSize: number | null
  /** Receives the mapping of each node; the nodes then do not contain it. */
  mappingSink: MappingSink | null
  /** Whether a tag has the same original in all nodes of a call, so that an answer that quotes several nodes can be unmasked. @defaultValue false */
  distinctTags: boolean
  /** The maximum number of nodes masked at the same time. @defaultValue 1 */
  readonly maxConcurrency: number
}

/** Constructor options of {@link NERPIINodePostprocessor}. */
export interface NERPIINodePostprocessorOptions extends NodePostprocessorOptions {
  /** The metadata key of the mapping from tags to originals. @defaultValue '__pii_node_info__' */
  piiNodeInfoKey?: string | undefined
  /** Finds the entities in a string: a function around a named-entity model, or findPatterns. */
  ner?: EntityRecognizer | null | undefined
  /** The size of the windows in which a longer node is passed to the model, in UTF-16 code units, because models truncate long input; null passes the whole node. @defaultValue 1000 */
  windowSize?: number | null | undefined
  /** Receives the mapping of each node; the nodes then do not contain it. */
  mappingSink?: MappingSink | null | undefined
  /** Whether a tag has the same original in all nodes of a call, so that an answer that quotes several nodes can be unmasked. @defaultValue false */
  distinctTags?: boolean | undefined
  /** The maximum number of nodes masked at the same time. @defaultValue 1 */
  maxConcurrency?: number | undefined
}

declare abstract class Declared extends NodePostprocessor {
  constructor(options?: NERPIINodePostprocessorOptions)
}
interface Declared extends NERPIINodePostprocessorFields {}

/** The typed base class of {@link NERPIINodePostprocessor}. */
export const NERPIINodePostprocessorModel = /* @__PURE__ */ modelOf<typeof Declared>(NodePostprocessor, {
  name: 'NERPIINodePostprocessor',
  description: 'Masks personal data with a named-entity model.',
  className: 'NERPIINodePostprocessor',
  fields: {
    piiNodeInfoKey: { schema: { type: 'string', description: 'The metadata key of the mapping from tags to originals.' }, default: '__pii_node_info__' },
    ner: { schema: { description: 'Finds the entities in a string: a function around a named-entity model, or findPatterns.' }, runtime: true, holds: 'function' },
    windowSize: { schema: { minimum: 1, type: ['integer', 'null'], description: 'The size of the windows in which a longer node is passed to the model, in UTF-16 code units, because models truncate long input; null passes the whole node.' }, default: 1000, bounded: true, extension: true },
    mappingSink: { schema: { description: 'Receives the mapping of each node; the nodes then do not contain it.' }, runtime: true, holds: 'function' },
    distinctTags: { schema: { type: 'boolean', description: 'Whether a tag has the same original in all nodes of a call, so that an answer that quotes several nodes can be unmasked.' }, default: false, extension: true },
    maxConcurrency: { schema: { type: 'integer', minimum: 1, description: 'The maximum number of nodes masked at the same time.' }, default: 1, bounded: true, extension: true },
  },
})
