// Generated from the schema of the model by x-codegen. Do not edit.
import { type CallbackManager, Model, modelOf } from '@x/core-model'

/** The fields of {@link BaseEmbedding}. */
export interface BaseEmbeddingFields {
  /** Receives the events. */
  callbackManager: CallbackManager
  /** Name of the model. @defaultValue 'unknown' */
  modelName: string
  /** Strings per request, 1 to 2048. @defaultValue 10 */
  readonly embedBatchSize: number
}

/** Constructor options of {@link BaseEmbedding}. */
export interface BaseEmbeddingOptions {
  /** Receives the events. */
  callbackManager?: CallbackManager | null | undefined
  /** Name of the model. @defaultValue 'unknown' */
  modelName?: string | undefined
  /** Strings per request, 1 to 2048. @defaultValue 10 */
  embedBatchSize?: number | undefined
}

declare abstract class Declared extends Model {
  constructor(options?: BaseEmbeddingOptions)
}
interface Declared extends BaseEmbeddingFields {}

/** The typed base class of {@link BaseEmbedding}. */
export const BaseEmbeddingModel = /* @__PURE__ */ modelOf<typeof Declared>(Model, {
  name: 'BaseEmbedding',
  description: 'An embedding model.',
  fields: {
    callbackManager: { schema: { type: 'object', default: {}, description: 'Receives the events.' }, runtime: true, holds: ['startEvent', 'event'] },
    modelName: { schema: { type: 'string', description: 'Name of the model.' }, default: 'unknown' },
    embedBatchSize: { schema: { type: 'integer', description: 'Strings per request, 1 to 2048.', exclusiveMinimum: 0, maximum: 2048 }, default: 10, bounded: true },
  },
})
