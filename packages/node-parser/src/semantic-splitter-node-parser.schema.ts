import type { EmbeddingModel } from '@x/core-model'
import { component, live, nullable } from '@x/core-model/schemas'
import { Number as Float, Integer } from 'typebox'
import { NodeParser, tokenizer } from './node-parser.schema.ts'

export const SemanticSplitterNodeParser = component(
  'SemanticSplitterNodeParser',
  'Splits text where its subject changes, by embeddings of its sentences.',
  {
    embedModel: live<EmbeddingModel>({
      holds: ['getTextEmbeddingBatch'],
      required: true,
      description: 'Embeds the sentences.',
    }),
    bufferSize: Integer({
      minimum: 0,
      description: 'The number of sentences before and after each one that are embedded with it.',
      default: 1,
    }),
    breakpointPercentileThreshold: Float({
      minimum: 0,
      maximum: 100,
      description: 'The percentage of the distances between adjacent sentences that are too small for a boundary.',
      default: 95,
    }),
    sentenceSplitter: live<(text: string) => readonly string[]>({
      holds: 'function',
      description: 'Splits text into sentences; null uses the built-in rules.',
    }),
    chunkSize: nullable(Integer({ minimum: 1 }), {
      extension: true,
      description:
        'The maximum size of a node, in tokens. Larger nodes are split where the subject changes most; null for any.',
      default: null,
    }),
    tokenizer,
  },
  { extends: NodeParser },
)
