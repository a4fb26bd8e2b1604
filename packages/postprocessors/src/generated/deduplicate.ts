// Generated from the schema of the model by x-codegen. Do not edit.
import { NodePostprocessor } from '../node-postprocessor.ts'
import type { NodePostprocessorFields, NodePostprocessorOptions } from './node-postprocessor.ts'
import { modelOf } from '@x/core-model'

/** The fields of {@link Deduplicate}. */
export interface DeduplicateFields extends NodePostprocessorFields {
  /** Which nodes are duplicates: those with the same id, the same hash (text and metadata), the same text, ignoring case and white space, or nearly the same words. @defaultValue 'text' */
  by: 'id' | 'hash' | 'text' | 'similar'
  /** With by: similar, the lowest share of common sequences of three words for which two nodes are duplicates. @defaultValue 0.8 */
  readonly minSimilarity: number
}

/** Constructor options of {@link Deduplicate}. */
export interface DeduplicateOptions extends NodePostprocessorOptions {
  /** Which nodes are duplicates: those with the same id, the same hash (text and metadata), the same text, ignoring case and white space, or nearly the same words. @defaultValue 'text' */
  by?: 'id' | 'hash' | 'text' | 'similar' | undefined
  /** With by: similar, the lowest share of common sequences of three words for which two nodes are duplicates. @defaultValue 0.8 */
  minSimilarity?: number | undefined
}

declare abstract class Declared extends NodePostprocessor {
  constructor(options?: DeduplicateOptions)
}
interface Declared extends DeduplicateFields {}

/** The typed base class of {@link Deduplicate}. */
export const DeduplicateModel = /* @__PURE__ */ modelOf<typeof Declared>(NodePostprocessor, {
  name: 'Deduplicate',
  description: 'Removes duplicate nodes.',
  className: 'Deduplicate',
  fields: {
    by: { schema: { type: 'string', enum: ['id', 'hash', 'text', 'similar'], description: 'Which nodes are duplicates: those with the same id, the same hash (text and metadata), the same text, ignoring case and white space, or nearly the same words.' }, default: 'text' },
    minSimilarity: { schema: { type: 'number', description: 'With by: similar, the lowest share of common sequences of three words for which two nodes are duplicates.', minimum: 0, maximum: 1 }, default: 0.8, bounded: true, extension: true },
  },
})
