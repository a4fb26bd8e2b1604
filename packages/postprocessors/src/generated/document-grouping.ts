// Generated from the schema of the model by x-codegen. Do not edit.
import { NodePostprocessor } from '../node-postprocessor.ts'
import type { NodePostprocessorFields, NodePostprocessorOptions } from './node-postprocessor.ts'
import { modelOf } from '@x/core-model'

/** The fields of {@link DocumentGrouping}. */
export interface DocumentGroupingFields extends NodePostprocessorFields {
  /** The metadata key whose value identifies the document of a node; null uses the source relationship of the node. @defaultValue null */
  groupKey: string | null
  /** The order of documents: by their first node, or by their best score. @defaultValue 'first' */
  groupOrder: 'first' | 'best'
  /** The maximum number of nodes per document; the most relevant are kept. Null keeps all. @defaultValue null */
  readonly maxPerGroup: number | null
  /** The maximum number of documents; null keeps all. @defaultValue null */
  readonly maxGroups: number | null
}

/** Constructor options of {@link DocumentGrouping}. */
export interface DocumentGroupingOptions extends NodePostprocessorOptions {
  /** The metadata key whose value identifies the document of a node; null uses the source relationship of the node. @defaultValue null */
  groupKey?: string | null | undefined
  /** The order of documents: by their first node, or by their best score. @defaultValue 'first' */
  groupOrder?: 'first' | 'best' | undefined
  /** The maximum number of nodes per document; the most relevant are kept. Null keeps all. @defaultValue null */
  maxPerGroup?: number | null | undefined
  /** The maximum number of documents; null keeps all. @defaultValue null */
  maxGroups?: number | null | undefined
}

declare abstract class Declared extends NodePostprocessor {
  constructor(options?: DocumentGroupingOptions)
}
interface Declared extends DocumentGroupingFields {}

/** The typed base class of {@link DocumentGrouping}. */
export const DocumentGroupingModel = /* @__PURE__ */ modelOf<typeof Declared>(NodePostprocessor, {
  name: 'DocumentGrouping',
  description: 'Groups nodes by document, in document order.',
  className: 'DocumentGrouping',
  fields: {
    groupKey: { schema: { type: ['string', 'null'], description: 'The metadata key whose value identifies the document of a node; null uses the source relationship of the node.' } },
    groupOrder: { schema: { type: 'string', enum: ['first', 'best'], description: 'The order of documents: by their first node, or by their best score.' }, default: 'first' },
    maxPerGroup: { schema: { minimum: 1, type: ['integer', 'null'], description: 'The maximum number of nodes per document; the most relevant are kept. Null keeps all.' }, bounded: true },
    maxGroups: { schema: { minimum: 0, type: ['integer', 'null'], description: 'The maximum number of documents; null keeps all.' }, bounded: true },
  },
})
