import type { EmbeddingModel } from '@x/core-model'
import { live, nullable, oneOf } from '@x/core-model/schemas'
import { Integer, Number as Num, String as Text } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'

export const SentenceEmbeddingOptimizer = nodePostprocessor(
  'SentenceEmbeddingOptimizer',
  'Shortens each node to the sentences that are most similar to the query.',
  {
    percentileCutoff: nullable(Num({ minimum: 0, maximum: 1 }), {
      description:
        'The share of the sentences that is kept, at least one sentence; null keeps all above the threshold.',
    }),
    thresholdCutoff: nullable(Num(), {
      description: 'The similarity to the query that a sentence must exceed; null applies no threshold.',
    }),
    contextBefore: nullable(Integer({ minimum: 0 }), {
      description: 'The number of sentences kept before each selected one; null means 1.',
    }),
    contextAfter: nullable(Integer({ minimum: 0 }), {
      description: 'The number of sentences kept after each selected one; null means 1.',
    }),
    embedModel: live<EmbeddingModel>({
      holds: ['getQueryEmbedding', 'getTextEmbeddingBatch'],
      schema: { type: 'object' },
      extension: true,
      description: 'Embeds the query and the sentences.',
    }),
    tokenizerFn: live<(text: string) => readonly string[]>({
      holds: 'function',
      description: 'Splits a string into sentences; default splitSentences.',
    }),
    lang: Text({
      extension: true,
      description: 'The language tag of the nodes, for the default tokenizerFn.',
      default: 'en',
    }),
    onEmpty: oneOf(['throw', 'drop', 'keep'], {
      extension: true,
      description: 'How to handle a node without a sentence above the threshold: throw, drop it, or keep it unchanged.',
      default: 'throw',
    }),
    maxConcurrency: Integer({
      minimum: 1,
      extension: true,
      description: 'The maximum number of requests at the same time; each embeds up to 256 sentences.',
      default: 1,
    }),
  },
)
