// Generated from the schema of the model by x-codegen. Do not edit.
import { NodePostprocessor } from '../node-postprocessor.ts'
import type { AccessListener } from '../recency/time-weighted-postprocessor.ts'
import type { NodePostprocessorFields, NodePostprocessorOptions } from './node-postprocessor.ts'
import { modelOf } from '@x/core-model'

/** The fields of {@link TimeWeightedPostprocessor}. */
export interface TimeWeightedPostprocessorFields extends NodePostprocessorFields {
  /** The share of the bonus that is lost per hour; 0 never reduces the bonus. @defaultValue 0.99 */
  readonly timeDecay: number
  /** The metadata key of the last access time, in seconds since 1970-01-01 UTC. @defaultValue '__last_accessed__' */
  lastAccessedKey: string
  /** Whether the returned nodes have now as their last access time. @defaultValue true */
  timeAccessRefresh: boolean
  /** The current time in seconds since 1970-01-01 UTC; null reads the clock. @defaultValue null */
  now: number | null
  /** The maximum number of nodes returned. @defaultValue 1 */
  readonly topK: number
  /** Whether the access time of the returned nodes is hidden from language and embedding models. @defaultValue false */
  hideAccessTime: boolean
  /** Called with the returned nodes, for example to save their access time in a store. */
  onAccess: AccessListener | null
}

/** Constructor options of {@link TimeWeightedPostprocessor}. */
export interface TimeWeightedPostprocessorOptions extends NodePostprocessorOptions {
  /** The share of the bonus that is lost per hour; 0 never reduces the bonus. @defaultValue 0.99 */
  timeDecay?: number | undefined
  /** The metadata key of the last access time, in seconds since 1970-01-01 UTC. @defaultValue '__last_accessed__' */
  lastAccessedKey?: string | undefined
  /** Whether the returned nodes have now as their last access time. @defaultValue true */
  timeAccessRefresh?: boolean | undefined
  /** The current time in seconds since 1970-01-01 UTC; null reads the clock. @defaultValue null */
  now?: number | null | undefined
  /** The maximum number of nodes returned. @defaultValue 1 */
  topK?: number | undefined
  /** Whether the access time of the returned nodes is hidden from language and embedding models. @defaultValue false */
  hideAccessTime?: boolean | undefined
  /** Called with the returned nodes, for example to save their access time in a store. */
  onAccess?: AccessListener | null | undefined
}

declare abstract class Declared extends NodePostprocessor {
  constructor(options?: TimeWeightedPostprocessorOptions)
}
interface Declared extends TimeWeightedPostprocessorFields {}

/** The typed base class of {@link TimeWeightedPostprocessor}. */
export const TimeWeightedPostprocessorModel = /* @__PURE__ */ modelOf<typeof Declared>(NodePostprocessor, {
  name: 'TimeWeightedPostprocessor',
  description: 'Raises the score of recently used nodes.',
  className: 'TimeWeightedPostprocessor',
  fields: {
    timeDecay: { schema: { type: 'number', minimum: 0, maximum: 1, description: 'The share of the bonus that is lost per hour; 0 never reduces the bonus.' }, default: 0.99, bounded: true },
    lastAccessedKey: { schema: { type: 'string', description: 'The metadata key of the last access time, in seconds since 1970-01-01 UTC.' }, default: '__last_accessed__' },
    timeAccessRefresh: { schema: { type: 'boolean', description: 'Whether the returned nodes have now as their last access time.' }, default: true },
    now: { schema: { type: ['number', 'null'], description: 'The current time in seconds since 1970-01-01 UTC; null reads the clock.' } },
    topK: { schema: { type: 'integer', minimum: 0, description: 'The maximum number of nodes returned.' }, default: 1, bounded: true },
    hideAccessTime: { schema: { type: 'boolean', description: 'Whether the access time of the returned nodes is hidden from language and embedding models.' }, default: false, extension: true },
    onAccess: { schema: { description: 'Called with the returned nodes, for example to save their access time in a store.' }, runtime: true, holds: 'function' },
  },
})
