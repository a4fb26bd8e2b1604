import { readFile } from 'node:fs/promises'
import { toAiSdkRerankingModel } from '@x/ai-sdk'
import { Document, IndexNode, NodeWithScore, TextNode } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { fromContent, MarkdownElementNodeParser, tableRows } from '@x/node-parser'
import {
  fuseNodes,
  LLMRerank,
  PostprocessorPipeline,
  SentenceTransformerRerank,
  SimilarityPostprocessor,
} from '@x/postprocessors'
import { HybridRetriever, IndexNodeFollower, IngestionPipeline, RecursiveRetriever } from '@x/retrieval'
import { openDatabase, SqliteDocumentStore, SqliteKeywordRetriever, SqliteVectorRetriever } from '@x/sqlite'
import { LetterEmbedding } from '@x/testing/retrieval'
import { rerank } from 'ai'
import fc from 'fast-check'
import { expect, it } from 'vitest'

const view = (entries: readonly NodeWithScore[]) => entries.map(({ id, score }) => [id, score])

it('HybridRetriever returns the same as fuseNodes of the postprocessors', async () => {
  const entry = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.option(fc.integer({ min: -3, max: 3 })))
  const list = fc
    .array(entry, { maxLength: 8 })
    .map((found) => found.map(([id, score]) => new NodeWithScore({ node: new TextNode({ id }), score })))
  const mode = fc.constantFrom('reciprocal_rank' as const, 'relative_score' as const)
  const weights = fc.array(fc.nat(3), { maxLength: 2 })
  await fc.assert(
    fc.asyncProperty(list, list, mode, weights, fc.nat(6), async (one, other, mode, weights, similarityTopK) => {
      const retrievers = [one, other].map((nodes) => ({ retrieve: async () => nodes }))
      const found = await new HybridRetriever({ retrievers, mode, weights, similarityTopK }).retrieve('x')
      expect(view(found)).toEqual(view(fuseNodes([one, other], { mode, weights }).slice(0, similarityTopK)))
    }),
  )
})

it('a pipeline of postprocessors can contain an IndexNodeFollower', async () => {
  const target = new TextNode({ id: 't', text: 'text' })
  const pipeline = new PostprocessorPipeline({
    postprocessors: [
      new IndexNodeFollower({ targets: [target] }),
      new SimilarityPostprocessor({ similarityCutoff: 0.5 }),
    ],
  })
  const index = new IndexNode({ id: '1', text: 'about t', indexId: 't' })
  const entries = [
    new NodeWithScore({ node: index, score: 0.9 }),
    new NodeWithScore({ node: new TextNode({ id: 'a' }), score: 0.1 }),
  ]
  expect(view(await pipeline.postprocessNodes(entries))).toEqual([['t', 0.9]])
})

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

it('the rows of one table do not displace other documents in the program of the guide', async () => {
  const guide = await readFile(new URL('../../../docs/guides/answer-about-documents.md', import.meta.url), 'utf8')
  const [retrieval] = /( {2}.*(?:Hybrid|Recursive)Retriever\(.*\n)+/.exec(guide) ?? []
  const search = new Function(
    ...['HybridRetriever', 'RecursiveRetriever', 'indexes', 'store', 'question'],
    `return (async () => { ${retrieval}; return found })()`,
  )
  const database = await openDatabase(':memory:')
  const embedModel = new LetterEmbedding()
  const store = new SqliteDocumentStore(database)
  const indexes = [
    new SqliteKeywordRetriever(database, { similarityTopK: 50 }),
    new SqliteVectorRetriever(database, { embedModel, similarityTopK: 50 }),
  ]
  const transformations = [
    new MarkdownElementNodeParser({ summarizer: 'headers', rowNodes: tableRows(), idFunc: fromContent() }),
  ]
  const rows = Array.from({ length: 30 }, (_, i) => `| pear price ${i} | pear cost ${i} |`)
  const documents = [
    new Document({ id: 'table.md', text: `# Fruit\n\n| price | cost |\n|---|---|\n${rows.join('\n')}\n` }),
    new Document({ id: 'other.md', text: '# Notes\n\nOf all fruit, a pear is the one whose price is 4.' }),
  ]
  await new IngestionPipeline({ transformations, store, indexes, embedModel }).run(documents)
  const found = await search(HybridRetriever, RecursiveRetriever, indexes, store, 'What does a pear cost, its price?')
  expect(found.map(({ node }: NodeWithScore) => node.refDocId)).toContain('other.md')
  database.close()
})
