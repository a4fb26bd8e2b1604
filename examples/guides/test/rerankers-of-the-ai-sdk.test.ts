import { toAiSdkRerankingModel } from '@x/ai-sdk'
import { ScriptedLLM } from '@x/llm/testing'
import { LLMRerank, SentenceTransformerRerank } from '@x/postprocessors'
import { rerank } from 'ai'
import { expect, it } from 'vitest'

const documents = ['fig', 'banana', 'pear']

it('the AI SDK ranks by postprocessors, which receive the documents in order and the query', async () => {
  const llm = new ScriptedLLM({ answers: ['Doc: 3, Relevance: 9\nDoc: 1, Relevance: 4'] })
  const model = toAiSdkRerankingModel(new LLMRerank({ llm, topN: 10 }))
  const { ranking } = await rerank({ model, query: 'Which is green?', documents })
  // A document that the model leaves out is not in the ranking.
  expect(ranking).toEqual([
    { originalIndex: 2, score: 9, document: 'pear' },
    { originalIndex: 0, score: 4, document: 'fig' },
  ])
  expect(JSON.stringify(llm.calls)).toMatch(/fig.*banana.*pear.*Which is green/)
})

it('the AI SDK ranks by a postprocessor with a cross-encoder', async () => {
  const crossEncoder = {
    predict: async (pairs: readonly (readonly [string, string])[]) => pairs.map(([, text]) => text.length),
  }
  const model = toAiSdkRerankingModel(new SentenceTransformerRerank({ crossEncoder, topN: 2 }))
  expect((await rerank({ model, query: 'fruit', documents })).rerankedDocuments).toEqual(['banana', 'pear'])
})
