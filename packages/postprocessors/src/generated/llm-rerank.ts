// Generated from the schema of the model by x-codegen. Do not edit.
import type { ChoiceParser } from '../llm-rerank/llm-rerank.ts'
import { NodePostprocessor } from '../node-postprocessor.ts'
import type { NodePostprocessorFields, NodePostprocessorOptions } from './node-postprocessor.ts'
import { type PredictingLLM, type TextNode, modelOf } from '@x/core-model'
import type { BasePromptTemplate } from '@x/prompts'

/** The fields of {@link LLMRerank}. */
export interface LLMRerankFields extends NodePostprocessorFields {
  /** The maximum number of nodes returned. */
  readonly topN: number
  /** The prompt that asks for the relevant documents; variables context_str and query_str. */
  choiceSelectPrompt: BasePromptTemplate
  /** The maximum number of nodes per model call. */
  readonly choiceBatchSize: number
  /** The language model. */
  llm: PredictingLLM
  /** Formats the nodes of a batch for the prompt; default defaultFormatNodeBatchFn. */
  formatNodeBatchFn: ((nodes: readonly TextNode[]) => string) | null
  /** Parses the answer of the model; default defaultParseChoiceSelectAnswerFn. */
  parseChoiceSelectAnswerFn: ChoiceParser | null
  /** How the model answers: text; or JSON by a schema, and text where the provider does not support it. @defaultValue 'text' */
  answerFormat: 'text' | 'schema'
  /** How to handle a batch from which the model chooses no node: drop it, keep it at the end without scores, or throw. @defaultValue 'drop' */
  onNoChoice: 'drop' | 'keep' | 'throw'
  /** How to handle a batch whose answer cannot be parsed: keep its nodes after the chosen nodes, in their order and with their scores, drop them, or throw. @defaultValue 'keep' */
  onUnreadable: 'keep' | 'drop' | 'throw'
  /** How to handle a model that fails: throw its error, or return the first topN nodes in the order of retrieval. @defaultValue 'throw' */
  onError: 'throw' | 'keep'
  /** Whether the previous score of a node is stored as its metadata entry retrieval_score. @defaultValue false */
  keepRetrievalScore: boolean
  /** The maximum number of model calls at the same time. @defaultValue 1 */
  readonly maxConcurrency: number
}

/** Constructor options of {@link LLMRerank}. */
export interface LLMRerankOptions extends NodePostprocessorOptions {
  /** The maximum number of nodes returned. */
  topN: number
  /** The prompt that asks for the relevant documents; variables context_str and query_str. */
  choiceSelectPrompt: BasePromptTemplate
  /** The maximum number of nodes per model call. */
  choiceBatchSize: number
  /** The language model. */
  llm: PredictingLLM
  /** Formats the nodes of a batch for the prompt; default defaultFormatNodeBatchFn. */
  formatNodeBatchFn?: ((nodes: readonly TextNode[]) => string) | null | undefined
  /** Parses the answer of the model; default defaultParseChoiceSelectAnswerFn. */
  parseChoiceSelectAnswerFn?: ChoiceParser | null | undefined
  /** How the model answers: text; or JSON by a schema, and text where the provider does not support it. @defaultValue 'text' */
  answerFormat?: 'text' | 'schema' | undefined
  /** How to handle a batch from which the model chooses no node: drop it, keep it at the end without scores, or throw. @defaultValue 'drop' */
  onNoChoice?: 'drop' | 'keep' | 'throw' | undefined
  /** How to handle a batch whose answer cannot be parsed: keep its nodes after the chosen nodes, in their order and with their scores, drop them, or throw. @defaultValue 'keep' */
  onUnreadable?: 'keep' | 'drop' | 'throw' | undefined
  /** How to handle a model that fails: throw its error, or return the first topN nodes in the order of retrieval. @defaultValue 'throw' */
  onError?: 'throw' | 'keep' | undefined
  /** Whether the previous score of a node is stored as its metadata entry retrieval_score. @defaultValue false */
  keepRetrievalScore?: boolean | undefined
  /** The maximum number of model calls at the same time. @defaultValue 1 */
  maxConcurrency?: number | undefined
}

declare abstract class Declared extends NodePostprocessor {
  constructor(options: LLMRerankOptions)
}
interface Declared extends LLMRerankFields {}

/** The typed base class of {@link LLMRerank}. */
export const LLMRerankModel = /* @__PURE__ */ modelOf<typeof Declared>(NodePostprocessor, {
  name: 'LLMRerank',
  description: 'Reranks nodes by the relevance that a language model assigns to them for the query.',
  className: 'LLMRerank',
  fields: {
    topN: { schema: { type: 'integer', minimum: 0, description: 'The maximum number of nodes returned.' }, required: true, bounded: true },
    choiceSelectPrompt: { schema: { 'x-nested': true, description: 'The prompt that asks for the relevant documents; variables context_str and query_str.' }, required: true, holds: ['format', 'formatMessages'] },
    choiceBatchSize: { schema: { type: 'integer', minimum: 1, description: 'The maximum number of nodes per model call.' }, required: true, bounded: true },
    llm: { schema: { 'x-nested': true, description: 'The language model.' }, required: true, holds: ['predict'] },
    formatNodeBatchFn: { schema: { description: 'Formats the nodes of a batch for the prompt; default defaultFormatNodeBatchFn.' }, runtime: true, holds: 'function' },
    parseChoiceSelectAnswerFn: { schema: { description: 'Parses the answer of the model; default defaultParseChoiceSelectAnswerFn.' }, runtime: true, holds: 'function' },
    answerFormat: { schema: { type: 'string', enum: ['text', 'schema'], description: 'How the model answers: text; or JSON by a schema, and text where the provider does not support it.' }, default: 'text', extension: true },
    onNoChoice: { schema: { type: 'string', enum: ['drop', 'keep', 'throw'], description: 'How to handle a batch from which the model chooses no node: drop it, keep it at the end without scores, or throw.' }, default: 'drop', extension: true },
    onUnreadable: { schema: { type: 'string', enum: ['keep', 'drop', 'throw'], description: 'How to handle a batch whose answer cannot be parsed: keep its nodes after the chosen nodes, in their order and with their scores, drop them, or throw.' }, default: 'keep', extension: true },
    onError: { schema: { type: 'string', enum: ['throw', 'keep'], description: 'How to handle a model that fails: throw its error, or return the first topN nodes in the order of retrieval.' }, default: 'throw', extension: true },
    keepRetrievalScore: { schema: { type: 'boolean', description: 'Whether the previous score of a node is stored as its metadata entry retrieval_score.' }, default: false, extension: true },
    maxConcurrency: { schema: { type: 'integer', minimum: 1, description: 'The maximum number of model calls at the same time.' }, default: 1, bounded: true, extension: true },
  },
})
