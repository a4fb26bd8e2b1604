import type { PredictingLLM } from '@x/core-model'
import { live, nested, nullable } from '@x/core-model/schemas'
import { Boolean as Bool, Integer, String as Text } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'
import type { TagName } from './keyed-tags.ts'
import type { EntityRecognizer } from './mask-entities.ts'
import type { MappingSink } from './masked-node.ts'

/** The default prompt of the masking model; variables `context_str` and `query_str`. */
const defaultPiiStrTmpl = `Below is a text that may contain personal data: names, addresses, telephone numbers, e-mail addresses, dates of birth, numbers of cards, accounts and documents.
Write the text again, word for word, with each such item replaced by a tag in square brackets: upper case, numbered, the same tag for the same item, as in [NAME1].
Then write a line with "Output Mapping:" and, after it, one JSON object that maps each tag, without its brackets, to the original. If there is nothing to mask, the object is empty. Write nothing else.

Example
Text: Hello, I am Mia Berg and my card number is 4000 1234 5678 9010.
Answer:
Hello, I am [NAME1] and my card number is [CARD_NUMBER1].
Output Mapping:
{{"NAME1": "Mia Berg", "CARD_NUMBER1": "4000 1234 5678 9010"}}

Task: {query_str}
Text: {context_str}
Answer:
`

/** Where the mapping is stored. */
const infoKey = {
  piiNodeInfoKey: Text({
    description: 'The metadata key of the mapping from tags to originals.',
    default: '__pii_node_info__',
  }),
}
const mappingFields = {
  mappingSink: live<MappingSink>({
    holds: 'function',
    description: 'Receives the mapping of each node; the nodes then do not contain it.',
  }),
  distinctTags: Bool({
    extension: true,
    description:
      'Whether a tag has the same original in all nodes of a call, so that an answer that quotes several nodes can be unmasked.',
    default: false,
  }),
  tagName: live<TagName>({
    holds: 'function',
    extension: true,
    description:
      'Returns the name of the tag of an original, such as keyedTags(secret), which is the same in all nodes, documents and runs; null names tags by their offset or by the answer of the model.',
  }),
  maxConcurrency: Integer({
    minimum: 1,
    extension: true,
    description: 'The maximum number of nodes masked at the same time.',
    default: 1,
  }),
}

export const PIINodePostprocessor = nodePostprocessor(
  'PIINodePostprocessor',
  'Masks personal data with a language model.',
  {
    llm: nested<PredictingLLM>({
      holds: ['predict'],
      description: 'The language model. It receives the unmasked data, so use a local one.',
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
    ner: live<EntityRecognizer>({
      holds: 'function',
      description: 'Finds the entities in a string: a function around a named-entity model, or findPatterns.',
    }),
    windowSize: nullable(Integer({ minimum: 1 }), {
      extension: true,
      description:
        'The size of the windows in which a longer node is passed to the model, in UTF-16 code units, because models truncate long input; null passes the whole node.',
      default: 1000,
    }),
    ...mappingFields,
  },
)
