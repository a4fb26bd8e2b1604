// Generated from the schema of the model by x-codegen. Do not edit.
import { NodePostprocessor } from '../node-postprocessor.ts'
import type { NodePostprocessorFields, NodePostprocessorOptions } from './node-postprocessor.ts'
import { modelOf } from '@x/core-model'

/** The fields of {@link Deduplicate}. */
export interface DeduplicateFields extends NodePostprocessorFields {
  /** Which nodes are duplicates: those with the same id, the same hash (text and metadata), or the same text, ignoring case and white space. @defaultValue 'text' */
  by: 'id' | 'hash' | 'text'
}

/** Constructor options of {@link Deduplicate}. */
export interface DeduplicateOptions extends NodePostprocessorOptions {
  /** Which nodes are duplicates: those with the same id, the same hash (text and metadata), or the same text, ignoring case and white space. @defaultValue 'text' */
  by?: 'id' | 'hash' | 'text' | undefined
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
    by: { schema: { type: 'string', enum: ['id', 'hash', 'text'], description: 'Which nodes are duplicates: those with the same id, the same hash (text and metadata), or the same text, ignoring case and white space.' }, default: 'text' },
  },
})
