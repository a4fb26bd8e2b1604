import { live, nested, nullable, oneOf } from '@x/core-model/schemas'
import { Boolean as Bool, Integer, Number as Num, String as Text } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'
import { defaultQueryEmbeddingTmpl } from './default-template.ts'

/** Where the date of a node stands and how it is read. */
const dateFields = {
  dateKey: Text({ description: 'Metadata key of the date.', default: 'date' }),
}
const dateOptions = {
  dayFirst: Bool({ extension: true, description: 'Whether 1/2/2020 is the first of February.', default: false }),
  onMissingDate: oneOf(['throw', 'last', 'drop'], {
    extension: true,
    description: 'What happens to a node without a date: an error, the last place, or it is dropped.',
    default: 'throw',
  }),
}

export const FixedRecencyPostprocessor = nodePostprocessor(
  'FixedRecencyPostprocessor',
  'Orders nodes by date, newest first, and keeps the first ones.',
  {
    topK: Integer({ minimum: 0, description: 'How many nodes are kept at most.', default: 1 }),
    ...dateFields,
    ...dateOptions,
  },
)

export const EmbeddingRecencyPostprocessor = nodePostprocessor(
  'EmbeddingRecencyPostprocessor',
  'Drops older nodes that resemble a newer one.',
  {
    embedModel: nested({
      type: 'EmbeddingModel',
      imports: { EmbeddingModel: '@x/core-model' },
      required: false,
      holds: ['getQueryEmbedding', 'getTextEmbeddingBatch'],
      description: 'Embeds the nodes and the questions for similar ones.',
    }),
    ...dateFields,
    similarityCutoff: Num({
      description: 'An older node is dropped when its similarity to a newer one is greater than this.',
      default: 0.7,
    }),
    queryEmbeddingTmpl: Text({
      description: 'What is embedded to find older versions of a node; variable context_str.',
      default: defaultQueryEmbeddingTmpl,
    }),
    similarity: oneOf(['dot', 'cosine'], {
      extension: true,
      description: 'How vectors are compared; dot suits unit vectors.',
      default: 'dot',
    }),
    ...dateOptions,
  },
)

export const TimeWeightedPostprocessor = nodePostprocessor(
  'TimeWeightedPostprocessor',
  'Adds a bonus to the score of nodes that were used lately.',
  {
    timeDecay: Num({
      minimum: 0,
      maximum: 1,
      description: 'Share of the bonus that is lost per hour; 0 loses nothing.',
      default: 0.99,
    }),
    lastAccessedKey: Text({
      description: 'Metadata key of the last access, in seconds since 1970-01-01 UTC.',
      default: '__last_accessed__',
    }),
    timeAccessRefresh: Bool({
      description: 'Whether the nodes returned carry now as their last access.',
      default: true,
    }),
    now: nullable(Num(), {
      description: 'The time of the call in seconds since 1970-01-01 UTC; null reads the clock.',
    }),
    topK: Integer({ minimum: 0, description: 'How many nodes are kept at most.', default: 1 }),
    hideAccessTime: Bool({
      extension: true,
      description: 'Whether the time of access is kept from models and embeddings on the nodes returned.',
      default: false,
    }),
    onAccess: live({
      type: 'AccessListener',
      imports: { AccessListener: './recency/time-weighted-postprocessor.ts' },
      holds: 'function',
      description: 'Called with the nodes returned, to write the new time of access to a store.',
    }),
  },
)
