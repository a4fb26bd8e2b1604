import { CallbackManager, type Dict } from '@x/core-model'
import { MapDocumentStore } from '@x/core-model/testing'
import { ScriptedLLM, TableEmbedding } from '@x/llm/testing'
import { describeRoundTrips } from '../../core-model/test/arbitrary-model.ts'
import * as postprocessors from '../src/index.ts'

const { SimilarityPostprocessor, TimeWeightedPostprocessor } = postprocessors
const steps = [new SimilarityPostprocessor({ similarityCutoff: 0.5 }), new TimeWeightedPostprocessor()]

const llm = new ScriptedLLM()

describeRoundTrips(postprocessors, {
  '': {
    live: {
      callbackManager: new CallbackManager(),
      docstore: new MapDocumentStore(),
      llm,
      embedModel: new TableEmbedding(),
    },
  },
  // Keywords must not be blank, and the language must be valid.
  KeywordNodePostprocessor: {
    adjust: ({ requiredKeywords = [], excludeKeywords = [], ...options }: Dict) => ({
      ...options,
      requiredKeywords: (requiredKeywords as string[]).map((keyword) => `a${keyword}`),
      excludeKeywords: (excludeKeywords as string[]).map((keyword) => `a${keyword}`),
      lang: 'de',
    }),
  },
  LLMCompression: { adjust: (options) => ({ ...options, lang: 'de' }) },
  SentenceEmbeddingOptimizer: { adjust: (options) => ({ ...options, lang: 'de' }) },
  AutoPrevNextNodePostprocessor: { adjust: (options) => ({ ...options, llm }) },
  PostprocessorPipeline: { adjust: (options) => ({ ...options, postprocessors: steps }) },
  RankFusion: { adjust: (options) => ({ ...options, rankers: steps, weights: [1, 2] }) },
})
