import { live, nested, nullable } from '@x/core-model/schemas'
import { Boolean as Bool, Integer, String as Text } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'
import { defaultPiiStrTmpl } from './default-prompt.ts'

/** Where the mapping goes. */
const infoKey = {
  piiNodeInfoKey: Text({
    description: 'Metadata key of the mapping from tags to the original data.',
    default: '__pii_node_info__',
  }),
}
const mappingFields = {
  mappingSink: live({
    type: 'MappingSink',
    imports: { MappingSink: './pii/masked-node.ts' },
    holds: 'function',
    description: 'Takes the mapping of each node; with it the nodes carry none.',
  }),
  distinctTags: Bool({
    extension: true,
    description:
      'Whether a tag means the same in all nodes of a call, so that an answer that draws on several nodes can be unmasked.',
    default: false,
  }),
  maxConcurrency: Integer({
    minimum: 1,
    extension: true,
    description: 'How many nodes are masked at once.',
    default: 1,
  }),
}

export const PIINodePostprocessor = nodePostprocessor(
  'PIINodePostprocessor',
  'Masks personal data with a language model.',
  {
    llm: nested({
      type: 'LLM',
      imports: { LLM: '@x/core-model' },
      holds: ['predict'],
      description: 'The model, which sees the data: a local one.',
    }),
    piiStrTmpl: Text({ description: 'The prompt; variables context_str and query_str.', default: defaultPiiStrTmpl }),
    ...infoKey,
    ...mappingFields,
  },
)

export const NERPIINodePostprocessor = nodePostprocessor(
  'NERPIINodePostprocessor',
  'Masks personal data with a named-entity model.',
  {
    ...infoKey,
    ner: live({
      type: 'EntityRecognizer',
      imports: { EntityRecognizer: './pii/mask-entities.ts' },
      holds: 'function',
      description: 'Finds the entities of a text; @x/transformers makes one from a model name.',
    }),
    windowSize: nullable(Integer({ minimum: 1 }), {
      extension: true,
      description:
        'A longer text is given to the model in windows of this many UTF-16 units, because models cut off what is too long; null gives it whole.',
      default: 1000,
    }),
    ...mappingFields,
  },
)
