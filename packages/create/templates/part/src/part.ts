/** One part in your framework: the rows of your search, filtered, ranked by a model, and explained. */
import { NodeWithScore, TextNode } from '@x/core-model'
import { ExplanationLedger, LLMRerank, PostprocessorPipeline, SimilarityPostprocessor } from '@x/postprocessors'
import { modelOr } from './model.ts'

const question = 'Which fruit is green?'
// The results of your own search.
const rows = [
  { id: 'plum', text: 'Plums are blue or yellow.', score: 0.8 },
  { id: 'pear', text: 'Pears are green.', score: 0.7 },
  { id: 'wine', text: 'Wine is made of grapes.', score: 0.1 },
]

const llm = modelOr(['Doc: 2, Relevance: 9'])
const chain = new PostprocessorPipeline({
  postprocessors: [new SimilarityPostprocessor({ similarityCutoff: 0.5 }), new LLMRerank({ llm, topN: 1 })],
})
const found = rows.map(({ id, text, score }) => new NodeWithScore({ node: new TextNode({ id, text }), score }))
const ledger = new ExplanationLedger()
const kept = await chain.postprocessNodes(found, { queryStr: question, ledger })

console.log(`\n${question}\nkept: ${kept.map(({ id }) => id).join(', ')}\n`)
for (const { id } of rows) for (const { reason } of ledger.of(id)) console.log(`${id}: ${reason}`)
