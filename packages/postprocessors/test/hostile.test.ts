/// <reference types="node" />
/** For any nodes and any model answers: the result is a list of entries or an error of this package, and the inputs do not change. */
import { inspect } from 'node:util'
import { isModel, isToolkitError, NodeWithScore, TextNode } from '@x/core-model'
import { MapDocumentStore } from '@x/core-model/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../tools/extent.ts'
import { character } from '../../core-model/test/arbitrary-model.ts'
import {
  AutoPrevNextNodePostprocessor,
  Deduplicate,
  DocumentGrouping,
  EmbeddingRecencyPostprocessor,
  ExplanationLedger,
  FixedRecencyPostprocessor,
  findPatterns,
  getForwardNodes,
  getTopKEmbeddings,
  KeywordNodePostprocessor,
  keywordMatcher,
  LLMRerank,
  LongContextReorder,
  MaximalMarginalRelevance,
  MetadataReplacementPostProcessor,
  NERPIINodePostprocessor,
  type NodePostprocessor,
  PIINodePostprocessor,
  PrevNextNodePostprocessor,
  RankFusion,
  SentenceEmbeddingOptimizer,
  SentenceTransformerRerank,
  SimilarityPostprocessor,
  TimeWeightedPostprocessor,
  TokenBudget,
  textWindows,
} from '../src/index.ts'
import { FunctionLLM } from './stand-ins.ts'

const text = fc.oneof(
  fc.constantFrom('', ' ', '\ud83d', '😀\udc00', 'Bob. Ann!', '[PER_0]', '{context_str}', '京都', 'a\u0301', '$&'),
  fc.string({ unit: character, maxLength: 30 }),
  fc.constant('word. '.repeat(300)),
)
const key = fc.constantFrom('__proto__', 'constructor', 'date', 'window', '__last_accessed__', '__pii_node_info__', 'a')
const value = fc.oneof(
  text,
  fc.constantFrom<unknown>(null, true, -1, 1e21, 2020, '2020-01-01', [], { a: [] }, Number.NaN),
)
const metadata = fc.array(fc.tuple(key, value), { maxLength: 4 }).map((entries) => Object.fromEntries(entries))
const score = fc.constantFrom(null, 0, -0, 1, -1, 0.5, Number.NaN, Infinity, -Infinity, 1e308, -1e308)
const id = fc.constantFrom('a', 'b', 'c', '__proto__', '')
const link = fc.option(id).map((nodeId) => nodeId ?? 'gone')
const node = fc
  .record({ id, text, metadata, next: fc.option(link), previous: fc.option(link), vector: fc.boolean() })
  .map(({ next, previous, vector, ...fields }) =>
    TextNode.construct({
      ...fields,
      embedding: vector ? [1, 0] : null,
      excludedLlmMetadataKeys: ['a'],
      relationships: {
        ...(next !== null && { '3': { nodeId: next } }),
        ...(previous !== null && { '2': { nodeId: previous } }),
      },
    }),
  )
// Some entries occur several times, as the same object or as another entry of the same node.
const entries = fc
  .array(
    fc.record({ node, score }).map((fields) => NodeWithScore.construct(fields)),
    { maxLength: 5 },
  )
  .chain((nodes) => fc.tuple(fc.constant(nodes), fc.array(fc.nat(4), { maxLength: 3 })))
  .map(([nodes, repeated]) => [...nodes, ...repeated.flatMap((index) => nodes[index] ?? [])])

const answer = fc.oneof(
  text,
  fc.constantFrom(
    'Doc: 1, Relevance: 9\nDoc: 1, Relevance: 2\nDoc: 99, Relevance: 1\nDoc: -1, Relevance: 3',
    'x\nOutput Mapping: {"__proto__": "Bob", "N": 5, "[M]": "word"}',
    'Output Mapping: {"a": "',
    'PREVIOUS and NEXT',
  ),
)
const vectors = fc.constantFrom<(texts: readonly string[]) => unknown>(
  (texts) => texts.map(() => [1, 0]),
  (texts) => texts.map(() => [Number.NaN, 1]),
  (texts) => texts.map(() => []),
  (texts) => texts.map((_, i) => (i ? [1, 0, 0] : [1, 0])),
  () => [],
  () => undefined,
)
const scores = fc.constantFrom<(count: number) => unknown>(
  (count) => new Float32Array(count),
  (count) => Array.from({ length: count }, (_, i) => -i),
  () => [1, 2, 3],
  () => ({}),
  (count) => new Array(count).fill('1'),
)
const entities = fc.oneof(
  fc.constantFrom<unknown>(undefined, {}, 'Bob', [{}], [{ word: 'Bob', start: -5, end: 1e9 }], [{ word: '' }]),
  fc.array(
    fc.record(
      {
        entity_group: fc.constantFrom('PER', '[X', '__proto__', ''),
        word: fc.constantFrom('Bob', 'word', '', '\ud83d', '.', ' '),
        start: fc.constantFrom(0, 1, 3, Number.NaN, -1, null),
        end: fc.constantFrom(0, 2, 4, 1e9, null),
      },
      { requiredKeys: [] },
    ),
    { maxLength: 4 },
  ),
)

const model = fc.record({ answer, vectors, scores, entities })
type Answers = typeof model extends fc.Arbitrary<infer T> ? T : never
const llm = (answers: Answers) => new FunctionLLM({ answer: () => answers.answer })
const embedModel = (answers: Answers) => ({
  getQueryEmbedding: async () => [1, 0],
  getTextEmbedding: async () => [1, 0],
  getTextEmbeddingBatch: async (texts: readonly string[]) => answers.vectors(texts) as number[][],
})
const docstore = new MapDocumentStore(
  ['a', 'b', 'c'].map((id, i) => new TextNode({ id, relationships: { '3': { nodeId: 'bca'[i]! } } })),
)

const makers: Record<string, (answers: Answers) => NodePostprocessor> = {
  similarity: () => new SimilarityPostprocessor({ similarityCutoff: 0 }),
  keywords: () => new KeywordNodePostprocessor({ requiredKeywords: ['word', '京都'], excludeKeywords: ['$&'] }),
  reorder: () => new LongContextReorder(),
  replacement: () => new MetadataReplacementPostProcessor({ targetMetadataKey: '__proto__' }),
  neighbours: () => new PrevNextNodePostprocessor({ docstore, mode: 'both', numNodes: 5, onMissing: 'stop' }),
  'neighbours chosen by a model': (answers) =>
    new AutoPrevNextNodePostprocessor({ docstore, llm: llm(answers), onInvalidPrediction: 'none' }),
  newest: () => new FixedRecencyPostprocessor({ topK: 3, onMissingDate: 'last' }),
  'no old versions': (answers) =>
    new EmbeddingRecencyPostprocessor({ embedModel: embedModel(answers), onMissingDate: 'drop' }),
  'lately used': () => new TimeWeightedPostprocessor({ now: 5, topK: 3, hideAccessTime: true }),
  sentences: (answers) => new SentenceEmbeddingOptimizer({ embedModel: embedModel(answers), percentileCutoff: 0.5 }),
  'language model': (answers) => new LLMRerank({ llm: llm(answers), choiceBatchSize: 2, onNoChoice: 'keep' }),
  'cross-encoder': (answers) =>
    new SentenceTransformerRerank({
      crossEncoder: { predict: async (pairs) => answers.scores(pairs.length) as number[] },
      keepRetrievalScore: true,
    }),
  'masked by a language model': (answers) => new PIINodePostprocessor({ llm: llm(answers), distinctTags: true }),
  'masked by entities': (answers) =>
    new NERPIINodePostprocessor({ ner: () => answers.entities as never, distinctTags: true }),
  'masked by patterns': () => new NERPIINodePostprocessor({ ner: findPatterns, windowSize: 7 }),
  diverse: (answers) => new MaximalMarginalRelevance({ embedModel: embedModel(answers), topN: 3 }),
  fused: () => new RankFusion({ rankers: [new LongContextReorder(), new Deduplicate()], mode: 'relative_score' }),
  once: () => new Deduplicate({ by: 'id' }),
  budget: () => new TokenBudget({ maxTokens: 10, overflow: 'cut' }),
  grouped: () => new DocumentGrouping({ groupKey: '__proto__', maxPerGroup: 1, groupOrder: 'best' }),
}

describe.each(Object.entries(makers))('%s', (_, make) => {
  it('returns entries or throws an error of this package, and does not change its inputs', async () => {
    await fc.assert(
      fc.asyncProperty(entries, model, async (nodes, answers) => {
        const view = () => inspect(nodes, { depth: 9, maxStringLength: null })
        const before = view()
        const ledger = new ExplanationLedger()
        try {
          const result = await make(answers).postprocessNodes(nodes, { queryStr: 'word', ledger })
          expect(result.every((entry) => isModel(entry) && typeof entry.node.text === 'string')).toBe(true)
          expect(String(ledger)).not.toContain('undefined')
        } catch (error) {
          if (!isToolkitError(error)) throw error
        }
        expect(view()).toBe(before)
        expect(({} as Record<string, unknown>)['a']).toBeUndefined()
      }),
      { numRuns: rounds(50, 150) },
    )
  })
})

const entry = new NodeWithScore({ node: new TextNode({ text: 'a' }) })
it.each<[string, () => unknown]>([
  [
    'keywordMatcher.caseSensitve: unknown option; did you mean caseSensitive?',
    () => keywordMatcher(['a'], { caseSensitve: false } as never),
  ],
  ['keywordMatcher.match: expected "any" or "all"', () => keywordMatcher(['a'], { match: 'every' as never })],
  [
    'textWindows.overlp: unknown option; did you mean overlap?',
    () => textWindows('a', { size: 1, overlp: 1 } as never),
  ],
  [
    'getTopKEmbeddings.topk: unknown option; did you mean topK?',
    () => getTopKEmbeddings([1], [[1]], { topk: 1 } as never),
  ],
  ['getTopKEmbeddings.topK: expected a number or null', () => getTopKEmbeddings([1], [[1]], { topK: Number.NaN })],
  [
    'getForwardNodes.onMising: unknown option; did you mean onMissing?',
    () => getForwardNodes(entry, 1, new MapDocumentStore([]), { onMising: 'stop' } as never),
  ],
])('options are refused: %s', async (message, call) => {
  await expect(async () => call()).rejects.toMatchObject({
    code: 'model_validation',
    message: expect.stringContaining(message),
  })
})
