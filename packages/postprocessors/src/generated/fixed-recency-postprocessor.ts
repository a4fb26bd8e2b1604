// Generated from the schema of the model by x-codegen. Do not edit.
import { NodePostprocessor } from '../node-postprocessor.ts'
import type { NodePostprocessorFields, NodePostprocessorOptions } from './node-postprocessor.ts'
import { modelOf } from '@x/core-model'

/** The fields of {@link FixedRecencyPostprocessor}. */
export interface FixedRecencyPostprocessorFields extends NodePostprocessorFields {
  /** The maximum number of nodes returned. @defaultValue 1 */
  readonly topK: number
  /** The metadata key of the date. @defaultValue 'date' */
  dateKey: string
  /** Whether 1/2/2020 is 1 February; otherwise it is 2 January, unless other dates of the list can only be day first. @defaultValue false */
  dayFirst: boolean
  /** How to handle a node without a date, or with one that cannot be read: throw, put it last, or drop it. @defaultValue 'throw' */
  onMissingDate: 'throw' | 'last' | 'drop'
}

/** Constructor options of {@link FixedRecencyPostprocessor}. */
export interface FixedRecencyPostprocessorOptions extends NodePostprocessorOptions {
  /** The maximum number of nodes returned. @defaultValue 1 */
  topK?: number | undefined
  /** The metadata key of the date. @defaultValue 'date' */
  dateKey?: string | undefined
  /** Whether 1/2/2020 is 1 February; otherwise it is 2 January, unless other dates of the list can only be day first. @defaultValue false */
  dayFirst?: boolean | undefined
  /** How to handle a node without a date, or with one that cannot be read: throw, put it last, or drop it. @defaultValue 'throw' */
  onMissingDate?: 'throw' | 'last' | 'drop' | undefined
}

declare abstract class Declared extends NodePostprocessor {
  constructor(options?: FixedRecencyPostprocessorOptions)
}
interface Declared extends FixedRecencyPostprocessorFields {}

/** The typed base class of {@link FixedRecencyPostprocessor}. */
export const FixedRecencyPostprocessorModel = /* @__PURE__ */ modelOf<typeof Declared>(NodePostprocessor, {
  name: 'FixedRecencyPostprocessor',
  description: 'Keeps the newest nodes, ordered by date.',
  className: 'FixedRecencyPostprocessor',
  fields: {
    topK: { schema: { type: 'integer', minimum: 0, description: 'The maximum number of nodes returned.' }, default: 1, bounded: true },
    dateKey: { schema: { type: 'string', description: 'The metadata key of the date.' }, default: 'date' },
    dayFirst: { schema: { type: 'boolean', description: 'Whether 1/2/2020 is 1 February; otherwise it is 2 January, unless other dates of the list can only be day first.' }, default: false, extension: true },
    onMissingDate: { schema: { type: 'string', enum: ['throw', 'last', 'drop'], description: 'How to handle a node without a date, or with one that cannot be read: throw, put it last, or drop it.' }, default: 'throw', extension: true },
  },
})
