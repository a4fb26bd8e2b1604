// Generated from the schema of the model by x-codegen. Do not edit.
import { NodePostprocessor } from '../node-postprocessor.ts'
import type { NodePostprocessorFields, NodePostprocessorOptions } from './node-postprocessor.ts'
import { type EmbeddingModel, modelOf } from '@x/core-model'

/** The fields of {@link EmbeddingRecencyPostprocessor}. */
export interface EmbeddingRecencyPostprocessorFields extends NodePostprocessorFields {
  /** Embeds the nodes, and the queries that find similar nodes. */
  embedModel: EmbeddingModel | null
  /** The metadata key of the date. @defaultValue 'date' */
  dateKey: string
  /** An older node is dropped when its similarity to a newer one is greater than this. @defaultValue 0.7 */
  similarityCutoff: number
  /** The template of the query that finds older versions of a node; variable context_str. @defaultValue a string of 109 characters, 'This is the current version of…' */
  queryEmbeddingTmpl: string
  /** The similarity measure; dot is suitable for unit vectors. @defaultValue 'dot' */
  similarity: 'dot' | 'cosine'
  /** The number of nodes, the next older ones, that each node is compared with; limits the time for long lists. @defaultValue 1000 */
  readonly compareWith: number
  /** Whether 1/2/2020 is 1 February; otherwise it is 2 January, unless other dates of the list can only be day first. @defaultValue false */
  dayFirst: boolean
  /** How to handle a node without a date, or with one that cannot be read: throw, put it last, or drop it. @defaultValue 'throw' */
  onMissingDate: 'throw' | 'last' | 'drop'
}

/** Constructor options of {@link EmbeddingRecencyPostprocessor}. */
export interface EmbeddingRecencyPostprocessorOptions extends NodePostprocessorOptions {
  /** Embeds the nodes, and the queries that find similar nodes. */
  embedModel?: EmbeddingModel | null | undefined
  /** The metadata key of the date. @defaultValue 'date' */
  dateKey?: string | undefined
  /** An older node is dropped when its similarity to a newer one is greater than this. @defaultValue 0.7 */
  similarityCutoff?: number | undefined
  /** The template of the query that finds older versions of a node; variable context_str. @defaultValue a string of 109 characters, 'This is the current version of…' */
  queryEmbeddingTmpl?: string | undefined
  /** The similarity measure; dot is suitable for unit vectors. @defaultValue 'dot' */
  similarity?: 'dot' | 'cosine' | undefined
  /** The number of nodes, the next older ones, that each node is compared with; limits the time for long lists. @defaultValue 1000 */
  compareWith?: number | undefined
  /** Whether 1/2/2020 is 1 February; otherwise it is 2 January, unless other dates of the list can only be day first. @defaultValue false */
  dayFirst?: boolean | undefined
  /** How to handle a node without a date, or with one that cannot be read: throw, put it last, or drop it. @defaultValue 'throw' */
  onMissingDate?: 'throw' | 'last' | 'drop' | undefined
}

declare abstract class Declared extends NodePostprocessor {
  constructor(options?: EmbeddingRecencyPostprocessorOptions)
}
interface Declared extends EmbeddingRecencyPostprocessorFields {}

/** The typed base class of {@link EmbeddingRecencyPostprocessor}. */
export const EmbeddingRecencyPostprocessorModel = /* @__PURE__ */ modelOf<typeof Declared>(NodePostprocessor, {
  name: 'EmbeddingRecencyPostprocessor',
  description: 'Drops older nodes that are similar to a newer one.',
  className: 'EmbeddingRecencyPostprocessor',
  fields: {
    embedModel: { schema: { 'x-nested': true, description: 'Embeds the nodes, and the queries that find similar nodes.' }, holds: ['getQueryEmbedding', 'getTextEmbeddingBatch'] },
    dateKey: { schema: { type: 'string', description: 'The metadata key of the date.' }, default: 'date' },
    similarityCutoff: { schema: { type: 'number', description: 'An older node is dropped when its similarity to a newer one is greater than this.' }, default: 0.7 },
    queryEmbeddingTmpl: { schema: { type: 'string', description: 'The template of the query that finds older versions of a node; variable context_str.' }, default: `This is the current version of a document:

{context_str}

Older documents that say much the same are wanted.` },
    similarity: { schema: { type: 'string', enum: ['dot', 'cosine'], description: 'The similarity measure; dot is suitable for unit vectors.' }, default: 'dot', extension: true },
    compareWith: { schema: { type: 'integer', minimum: 1, description: 'The number of nodes, the next older ones, that each node is compared with; limits the time for long lists.' }, default: 1000, bounded: true, extension: true },
    dayFirst: { schema: { type: 'boolean', description: 'Whether 1/2/2020 is 1 February; otherwise it is 2 January, unless other dates of the list can only be day first.' }, default: false, extension: true },
    onMissingDate: { schema: { type: 'string', enum: ['throw', 'last', 'drop'], description: 'How to handle a node without a date, or with one that cannot be read: throw, put it last, or drop it.' }, default: 'throw', extension: true },
  },
})
