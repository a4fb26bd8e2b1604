// Generated from the schema of the model by x-codegen. Do not edit.
import { NodePostprocessor } from '../node-postprocessor.ts'
import type { MappingSink } from '../pii/masked-node.ts'
import type { NodePostprocessorFields, NodePostprocessorOptions } from './node-postprocessor.ts'
import { type PredictingLLM, modelOf } from '@x/core-model'

/** The fields of {@link PIINodePostprocessor}. */
export interface PIINodePostprocessorFields extends NodePostprocessorFields {
  /** The language model. It receives the unmasked data, so use a local one. */
  llm: PredictingLLM
  /** The prompt; variables context_str and query_str. @defaultValue a string of 797 characters, 'Below is a text that may conta…' */
  piiStrTmpl: string
  /** The metadata key of the mapping from tags to originals. @defaultValue '__pii_node_info__' */
  piiNodeInfoKey: string
  /** Receives the mapping of each node; the nodes then do not contain it. */
  mappingSink: MappingSink | null
  /** Whether a tag has the same original in all nodes of a call, so that an answer that quotes several nodes can be unmasked. @defaultValue false */
  distinctTags: boolean
  /** The maximum number of nodes masked at the same time. @defaultValue 1 */
  readonly maxConcurrency: number
}

/** Constructor options of {@link PIINodePostprocessor}. */
export interface PIINodePostprocessorOptions extends NodePostprocessorOptions {
  /** The language model. It receives the unmasked data, so use a local one. */
  llm: PredictingLLM
  /** The prompt; variables context_str and query_str. @defaultValue a string of 797 characters, 'Below is a text that may conta…' */
  piiStrTmpl?: string | undefined
  /** The metadata key of the mapping from tags to originals. @defaultValue '__pii_node_info__' */
  piiNodeInfoKey?: string | undefined
  /** Receives the mapping of each node; the nodes then do not contain it. */
  mappingSink?: MappingSink | null | undefined
  /** Whether a tag has the same original in all nodes of a call, so that an answer that quotes several nodes can be unmasked. @defaultValue false */
  distinctTags?: boolean | undefined
  /** The maximum number of nodes masked at the same time. @defaultValue 1 */
  maxConcurrency?: number | undefined
}

declare abstract class Declared extends NodePostprocessor {
  constructor(options: PIINodePostprocessorOptions)
}
interface Declared extends PIINodePostprocessorFields {}

/** The typed base class of {@link PIINodePostprocessor}. */
export const PIINodePostprocessorModel = /* @__PURE__ */ modelOf<typeof Declared>(NodePostprocessor, {
  name: 'PIINodePostprocessor',
  description: 'Masks personal data with a language model.',
  className: 'PIINodePostprocessor',
  fields: {
    llm: { schema: { 'x-nested': true, description: 'The language model. It receives the unmasked data, so use a local one.' }, required: true, holds: ['predict'] },
    piiStrTmpl: { schema: { type: 'string', description: 'The prompt; variables context_str and query_str.' }, default: `Below is a text that may contain personal data: names, addresses, telephone numbers, e-mail addresses, dates of birth, numbers of cards, accounts and documents.
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
` },
    piiNodeInfoKey: { schema: { type: 'string', description: 'The metadata key of the mapping from tags to originals.' }, default: '__pii_node_info__' },
    mappingSink: { schema: { description: 'Receives the mapping of each node; the nodes then do not contain it.' }, runtime: true, holds: 'function' },
    distinctTags: { schema: { type: 'boolean', description: 'Whether a tag has the same original in all nodes of a call, so that an answer that quotes several nodes can be unmasked.' }, default: false, extension: true },
    maxConcurrency: { schema: { type: 'integer', minimum: 1, description: 'The maximum number of nodes masked at the same time.' }, default: 1, bounded: true, extension: true },
  },
})
