// Generated from the schema of the model by x-codegen. Do not edit.
import { NodePostprocessor } from '../node-postprocessor.ts'
import type { NodePostprocessorFields, NodePostprocessorOptions } from './node-postprocessor.ts'
import { type PredictingLLM, modelOf } from '@x/core-model'
import type { BasePromptTemplate } from '@x/prompts'

/** The fields of {@link LLMCompression}. */
export interface LLMCompressionFields extends NodePostprocessorFields {
  /** The language model. */
  llm: PredictingLLM
  /** The prompt that asks for the numbers of sentences; variables context_str and query_str. */
  sentenceSelectPrompt: BasePromptTemplate
  /** The language tag of the nodes, for their sentences. @defaultValue 'en' */
  lang: string
  /** How to handle a node of which the model chooses no sentence: drop it, or keep it unchanged. @defaultValue 'drop' */
  onNone: 'drop' | 'keep'
  /** How to handle a node whose answer has no numbers: keep it unchanged, or drop it. @defaultValue 'keep' */
  onUnreadable: 'keep' | 'drop'
  /** How to handle a model that fails: throw its error, or keep the node unchanged. @defaultValue 'throw' */
  onError: 'throw' | 'keep'
  /** The maximum number of model calls at the same time. @defaultValue 1 */
  readonly maxConcurrency: number
}

/** Constructor options of {@link LLMCompression}. */
export interface LLMCompressionOptions extends NodePostprocessorOptions {
  /** The language model. */
  llm: PredictingLLM
  /** The prompt that asks for the numbers of sentences; variables context_str and query_str. */
  sentenceSelectPrompt: BasePromptTemplate
  /** The language tag of the nodes, for their sentences. @defaultValue 'en' */
  lang?: string | undefined
  /** How to handle a node of which the model chooses no sentence: drop it, or keep it unchanged. @defaultValue 'drop' */
  onNone?: 'drop' | 'keep' | undefined
  /** How to handle a node whose answer has no numbers: keep it unchanged, or drop it. @defaultValue 'keep' */
  onUnreadable?: 'keep' | 'drop' | undefined
  /** How to handle a model that fails: throw its error, or keep the node unchanged. @defaultValue 'throw' */
  onError?: 'throw' | 'keep' | undefined
  /** The maximum number of model calls at the same time. @defaultValue 1 */
  maxConcurrency?: number | undefined
}

declare abstract class Declared extends NodePostprocessor {
  constructor(options: LLMCompressionOptions)
}
interface Declared extends LLMCompressionFields {}

/** The typed base class of {@link LLMCompression}. */
export const LLMCompressionModel = /* @__PURE__ */ modelOf<typeof Declared>(NodePostprocessor, {
  name: 'LLMCompression',
  description: 'Shortens each node to the sentences that a language model chooses for the query.',
  className: 'LLMCompression',
  fields: {
    llm: { schema: { 'x-nested': true, description: 'The language model.' }, required: true, holds: ['predict'] },
    sentenceSelectPrompt: { schema: { 'x-nested': true, description: 'The prompt that asks for the numbers of sentences; variables context_str and query_str.' }, required: true, holds: ['format', 'formatMessages'] },
    lang: { schema: { type: 'string', description: 'The language tag of the nodes, for their sentences.' }, default: 'en' },
    onNone: { schema: { type: 'string', enum: ['drop', 'keep'], description: 'How to handle a node of which the model chooses no sentence: drop it, or keep it unchanged.' }, default: 'drop' },
    onUnreadable: { schema: { type: 'string', enum: ['keep', 'drop'], description: 'How to handle a node whose answer has no numbers: keep it unchanged, or drop it.' }, default: 'keep' },
    onError: { schema: { type: 'string', enum: ['throw', 'keep'], description: 'How to handle a model that fails: throw its error, or keep the node unchanged.' }, default: 'throw' },
    maxConcurrency: { schema: { type: 'integer', minimum: 1, description: 'The maximum number of model calls at the same time.' }, default: 1, bounded: true },
  },
})
