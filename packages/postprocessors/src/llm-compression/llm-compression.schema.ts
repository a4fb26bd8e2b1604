import type { PredictingLLM } from '@x/core-model'
import { nested, oneOf } from '@x/core-model/schemas'
import type { BasePromptTemplate } from '@x/prompts'
import { Integer, String as Text } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'

export const LLMCompression = nodePostprocessor(
  'LLMCompression',
  'Shortens each node to the sentences that a language model chooses for the query.',
  {
    llm: nested<PredictingLLM>({ holds: ['predict'], description: 'The language model.' }),
    sentenceSelectPrompt: nested<BasePromptTemplate>({
      holds: ['format', 'formatMessages'],
      description: 'The prompt that asks for the numbers of sentences; variables context_str and query_str.',
    }),
    lang: Text({ description: 'The language tag of the nodes, for their sentences.', default: 'en' }),
    onNone: oneOf(['drop', 'keep'], {
      description: 'How to handle a node of which the model chooses no sentence: drop it, or keep it unchanged.',
      default: 'drop',
    }),
    onUnreadable: oneOf(['keep', 'drop'], {
      description: 'How to handle a node whose answer has no numbers: keep it unchanged, or drop it.',
      default: 'keep',
    }),
    onError: oneOf(['throw', 'keep'], {
      description: 'How to handle a model that fails: throw its error, or keep the node unchanged.',
      default: 'throw',
    }),
    maxConcurrency: Integer({
      minimum: 1,
      description: 'The maximum number of model calls at the same time.',
      default: 1,
    }),
  },
)
