import type { PredictingLLM, TextNode } from '@x/core-model'
import { live, nested, oneOf } from '@x/core-model/schemas'
import type { BasePromptTemplate } from '@x/prompts'
import { Boolean as Bool, Integer } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'
import type { ChoiceParser } from './llm-rerank.ts'

export const LLMRerank = nodePostprocessor(
  'LLMRerank',
  'Reranks nodes by the relevance that a language model assigns to them for the query.',
  {
    topN: Integer({ minimum: 0, description: 'The maximum number of nodes returned.' }),
    choiceSelectPrompt: nested<BasePromptTemplate>({
      holds: ['format', 'formatMessages'],
      description: 'The prompt that asks for the relevant documents; variables context_str and query_str.',
    }),
    choiceBatchSize: Integer({ minimum: 1, description: 'The maximum number of nodes per model call.' }),
    llm: nested<PredictingLLM>({
      holds: ['predict'],
      description: 'The language model.',
    }),
    formatNodeBatchFn: live<(nodes: readonly TextNode[]) => string>({
      holds: 'function',
      description: 'Formats the nodes of a batch for the prompt; default defaultFormatNodeBatchFn.',
    }),
    parseChoiceSelectAnswerFn: live<ChoiceParser>({
      holds: 'function',
      description: 'Parses the answer of the model; default defaultParseChoiceSelectAnswerFn.',
    }),
    answerFormat: oneOf(['text', 'schema'], {
      extension: true,
      description: 'How the model answers: text; or JSON by a schema, and text where the provider does not support it.',
      default: 'text',
    }),
    onNoChoice: oneOf(['drop', 'keep', 'throw'], {
      extension: true,
      description:
        'How to handle a batch from which the model chooses no node: drop it, keep it at the end without scores, or throw.',
      default: 'drop',
    }),
    onUnreadable: oneOf(['keep', 'drop', 'throw'], {
      extension: true,
      description:
        'How to handle a batch whose answer cannot be parsed: keep its nodes after the chosen nodes, in their order and with their scores, drop them, or throw.',
      default: 'keep',
    }),
    onError: oneOf(['throw', 'keep'], {
      extension: true,
      description:
        'How to handle a model that fails: throw its error, or return the first topN nodes in the order of retrieval.',
      default: 'throw',
    }),
    keepRetrievalScore: Bool({
      extension: true,
      description: 'Whether the previous score of a node is stored as its metadata entry retrieval_score.',
      default: false,
    }),
    maxConcurrency: Integer({
      minimum: 1,
      extension: true,
      description: 'The maximum number of model calls at the same time.',
      default: 1,
    }),
  },
)
