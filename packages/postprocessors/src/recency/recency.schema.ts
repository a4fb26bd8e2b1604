import type { EmbeddingModel } from '@x/core-model'
import { live, nested, nullable, oneOf } from '@x/core-model/schemas'
import { Boolean as Bool, Integer, Number as Num, String as Text } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'
import type { AccessListener } from './time-weighted-postprocessor.ts'

/** The default template of the query that finds older versions of a node; variable `context_str`. */
const defaultQueryEmbeddingTmpl = `This is the current version of a document:

{context_str}

Older documents that say much the same are wanted.`

/** The metadata key of the date, and how it is read. */
const dateFields = {
  dateKey: Text({ description: 'The metadata key of the date.', default: 'date' }),
}
const dateOptions = {
  dayFirst: Bool({
    extension: true,
    description:
      'Whether 1/2/2020 is 1 February; otherwise it is 2 January, unless other dates of the list can only be day first.',
    default: false,
  }),
  onMissingDate: oneOf(['throw', 'last', 'drop'], {
    extension: true,
    description:
      'How to handle a node without a date, or with one that cannot be read: throw, put it last, or drop it.',
    default: 'throw',
  }),
}

export const FixedRecencyPostprocessor = nodePostprocessor(
  'FixedRecencyPostprocessor',
  'Keeps the newest nodes, ordered by date.',
  {
    topK: Integer({ minimum: 0, description: 'The maximum number of nodes returned.', default: 1 }),
    ...dateFields,
    ...dateOptions,
  },
)

export const EmbeddingRecencyPostprocessor = nodePostprocessor(
  'EmbeddingRecencyPostprocessor',
  'Drops older nodes that are similar to a newer one.',
  {
    embedModel: nested<EmbeddingModel>({
      required: false,
      holds: ['getQueryEmbedding', 'getTextEmbeddingBatch'],
      description: 'Embeds the nodes, and the queries that find similar nodes.',
    }),
    ...dateFields,
    similarityCutoff: Num({
      description: 'An older node is dropped when its similarity to a newer one is greater than this.',
      default: 0.7,
    }),
    queryEmbeddingTmpl: Text({
      description: 'The template of the query that finds older versions of a node; variable context_str.',
      default: defaultQueryEmbeddingTmpl,
    }),
    similarity: oneOf(['dot', 'cosine'], {
      extension: true,
      description: 'The similarity measure; dot is suitable for unit vectors, cosine for those of any length.',
      default: 'dot',
    }),
    compareWith: Integer({
      minimum: 1,
      extension: true,
      description:
        'The number of nodes, the next older ones, that each node is compared with; limits the time for long lists.',
      default: 1000,
    }),
    ...dateOptions,
  },
)

export const TimeWeightedPostprocessor = nodePostprocessor(
  'TimeWeightedPostprocessor',
  'Raises the score of recently used nodes.',
  {
    timeDecay: Num({
      minimum: 0,
      maximum: 1,
      description: 'The share of the bonus that is lost per hour; 0 never reduces the bonus.',
      default: 0.99,
    }),
    lastAccessedKey: Text({
      description: 'The metadata key of the last access time, in seconds since 1970-01-01 UTC.',
      default: '__last_accessed__',
    }),
    timeAccessRefresh: Bool({
      description: 'Whether the returned nodes have now as their last access time.',
      default: true,
    }),
    now: nullable(Num(), {
      description: 'The current time in seconds since 1970-01-01 UTC; null reads the clock.',
    }),
    topK: Integer({ minimum: 0, description: 'The maximum number of nodes returned.', default: 1 }),
    hideAccessTime: Bool({
      extension: true,
      description: 'Whether the access time of the returned nodes is hidden from language and embedding models.',
      default: false,
    }),
    onAccess: live<AccessListener>({
      holds: 'function',
      description: 'Called with the returned nodes, for example to save their access time in a store.',
    }),
  },
)
