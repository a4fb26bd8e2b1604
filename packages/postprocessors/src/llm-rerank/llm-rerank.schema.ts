import { live, nested, oneOf } from '@x/core-model/schemas'
import { Boolean as Bool, Integer } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'

export const LLMRerank = nodePostprocessor(
  'LLMRerank',
  'Orders nodes by the relevance that a language model gives them for the query.',
  {
    topN: Integer({ minimum: 0, description: 'How many nodes are kept at most.' }),
    choiceSelectPrompt: nested({
      type: 'BasePromptTemplate',
      imports: { BasePromptTemplate: '@x/prompts' },
      holds: ['format', 'formatMessages'],
      description: 'Asks for the relevant documents; variables context_str and query_str.',
    }),
    choiceBatchSize: Integer({ minimum: 1, description: 'How many nodes are shown to the model at once.' }),
    llm: nested({ type: 'LLM', imports: { LLM: '@x/core-model' }, holds: ['predict'], description: 'The model.' }),
    formatNodeBatchFn: live({
      type: '(nodes: readonly TextNode[]) => string',
      imports: { TextNode: '@x/core-model' },
      holds: 'function',
      description: 'Writes the nodes of a batch; the default is defaultFormatNodeBatchFn.',
    }),
    parseChoiceSelectAnswerFn: live({
      type: 'ChoiceParser',
      imports: { ChoiceParser: './llm-rerank/llm-rerank.ts' },
      holds: 'function',
      description: 'Reads the answer; the default is defaultParseChoiceSelectAnswerFn.',
    }),
    onNoChoice: oneOf(['drop', 'keep', 'throw'], {
      extension: true,
      description:
        'What happens to a batch of which the model chose nothing: it is dropped, kept at the end without scores, or an error.',
      default: 'drop',
    }),
    keepRetrievalScore: Bool({
      extension: true,
      description: 'Whether the score that a node came with is kept as its metadata entry retrieval_score.',
      default: false,
    }),
    maxConcurrency: Integer({
      minimum: 1,
      extension: true,
      description: 'How many batches the model reads at once.',
      default: 1,
    }),
  },
)
