import { live, nullable, oneOf } from '@x/core-model/schemas'
import { Integer, Number as Num, String as Text } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'

export const SentenceEmbeddingOptimizer = nodePostprocessor(
  'SentenceEmbeddingOptimizer',
  'Shortens each node to the sentences that are closest to the query.',
  {
    percentileCutoff: nullable(Num({ minimum: 0, maximum: 1 }), {
      description: 'Share of the sentences that is kept, at least one; null keeps all that pass the threshold.',
    }),
    thresholdCutoff: nullable(Num(), {
      description: 'A sentence must be closer to the query than this; null asks for nothing.',
    }),
    contextBefore: nullable(Integer({ minimum: 0 }), {
      description: 'Sentences kept before each chosen one; null is 1.',
    }),
    contextAfter: nullable(Integer({ minimum: 0 }), {
      description: 'Sentences kept after each chosen one; null is 1.',
    }),
    embedModel: live({
      type: 'EmbeddingModel',
      imports: { EmbeddingModel: '@x/core-model' },
      holds: ['getQueryEmbedding', 'getTextEmbeddingBatch'],
      schema: { type: 'object' },
      extension: true,
      description: 'Embeds the query and the sentences.',
    }),
    tokenizerFn: live({
      type: '(text: string) => readonly string[]',
      holds: 'function',
      description: 'Cuts a text into sentences; the default is splitSentences.',
    }),
    lang: Text({ extension: true, description: 'Language tag of the texts, for the default splitter.', default: 'en' }),
    onEmpty: oneOf(['throw', 'drop', 'keep'], {
      extension: true,
      description: 'What happens to a node of which no sentence passes the threshold.',
      default: 'throw',
    }),
    maxConcurrency: Integer({
      minimum: 1,
      extension: true,
      description: 'How many nodes are embedded at once.',
      default: 1,
    }),
  },
)
