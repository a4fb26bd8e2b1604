import { component } from '@x/core/schemas'
import { Integer, String as Text } from 'typebox'
import { llmFields } from '../llm/llm.schema.ts'

/** The fields of every embedding model; your own models add theirs. */
export const embeddingFields = {
  callbackManager: llmFields.callbackManager,
  modelName: Text({ description: 'Name of the model.', default: 'unknown' }),
  embedBatchSize: Integer({
    description: 'Strings per request, 1 to 2048.',
    exclusiveMinimum: 0,
    maximum: 2048,
    default: 10,
  }),
}

export const BaseEmbedding = component('BaseEmbedding', 'An embedding model.', embeddingFields, { className: null })
