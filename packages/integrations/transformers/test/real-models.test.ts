// @module-tag system
/**
 * The 14 postprocessors and all agents on real models: embeddings, a cross-encoder and named entities by the adapters of this package,
 * language models behind a server with the OpenAI interface. The models are tiny, everything around them is as in production.
 */
import {
  AgentChatResponse,
  AgentRunner,
  agentFromLlm,
  FunctionCallingAgent,
  FunctionTool,
  MultimodalReActAgentWorker,
  ParallelAgentRunner,
  ReActAgent,
  RetrieverTool,
  type Task,
} from '@x/agents'
import { AgentFnComponent, AgentInputComponent, QueryPipelineAgentWorker } from '@x/agents/pipeline'
import { CustomSimpleAgentWorker, type CustomStepResult, JsonProtocol, ToolLoopWorker } from '@x/agents/protocol'
import { type NodeWithScore, TextNode } from '@x/core-model'
import { OpenAI } from '@x/openai'
import {
  AutoPrevNextNodePostprocessor,
  EmbeddingRecencyPostprocessor,
  FixedRecencyPostprocessor,
  KeywordNodePostprocessor,
  LLMRerank,
  LongContextReorder,
  MetadataReplacementPostProcessor,
  NERPIINodePostprocessor,
  type NodePostprocessor,
  PIINodePostprocessor,
  PrevNextNodePostprocessor,
  SentenceEmbeddingOptimizer,
  SentenceTransformerRerank,
  SimilarityPostprocessor,
  TimeWeightedPostprocessor,
  unmask,
} from '@x/postprocessors'
import { PromptTemplate } from '@x/prompts'
import { QueryPipeline } from '@x/query-pipeline'
import { VectorRetriever } from '@x/retrieval'
import { SimpleDocumentStore } from '@x/storage'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import './model-folder.ts'
import { TransformersCrossEncoder, TransformersEmbedding, TransformersNer } from '../src/index.ts'
import { LanguageModelServer } from './language-model-server.ts'
import { ModelFolder } from './model-folder.ts'
import { writeLanguageModel } from './tiny-models/language-model.ts'
import { writeCrossEncoderModel, writeEmbeddingModel, writeEntityModel } from './tiny-models/tiny-models.ts'
import { wordPiece } from './tiny-models/tokenizers.ts'

const folder = new ModelFolder()

const embedModel = new TransformersEmbedding({
  modelName: 'tiny/fruit-embedding',
  path: writeEmbeddingModel(folder.next(), {
    vectors: { pear: [8, 1], pears: [8, 1], green: [6, 2], price: [4, 4], sea: [0, 9], blue: [1, 8], ship: [0, 7] },
  }),
})
const crossEncoder = new TransformersCrossEncoder({
  modelName: 'tiny/fruit-reranker',
  path: writeCrossEncoderModel(folder.next(), { words: ['pears', 'green', 'price', 'sea'] }),
})
const people = { Ann: 'B-PER', Lee: 'I-PER', Paris: 'B-LOC' }
const names = new TransformersNer({
  modelName: 'tiny/names',
  path: writeEntityModel(folder.next(), {
    labels: people,
    tokenizer: wordPiece([...Object.keys(people), 'Pears', 'from', 'are', '.']),
  }),
})

let server: LanguageModelServer
const llmOf = (isFunctionCallingModel: boolean) =>
  new OpenAI({ model: 'tiny/talker', baseUrl: server.baseUrl, isFunctionCallingModel })

beforeAll(async () => {
  server = await LanguageModelServer.start(
    writeLanguageModel(folder.next(), [
      { when: "'Output Mapping' in text", text: 'Masked by [NAME1].\nOutput Mapping:\n{"NAME1": "Ann Lee"}' },
      { when: "'Document 1:' in text", text: 'Doc: 2, Relevance: 9\nDoc: 1, Relevance: 3' },
      { when: "'PREVIOUS when' in text", text: 'NEXT' },
      {
        when: "'Observation:' in text and '3 euros' in text",
        text: 'Thought: It is known.\nAnswer: A pear costs 3 euros.',
      },
      { when: "role == 'tool'", text: 'It costs 3 euros, says the tool.' },
      { when: "'tool_json' in text and '3 euros' in text", text: '{"answer": "It is 3 euros."}' },
      { when: "'json' in text", text: '{"thought": "ask", "tool": "price", "arguments": {"item": "json pear"}}' },
      {
        when: "'native' in text",
        text: '<tool_call>{"name": "price", "arguments": {"item": "native pear"}}</tool_call>',
      },
      { when: "'picture' in text", text: 'Thought: I see it.\nAnswer: A green pear.' },
      { when: "'briefly' in text", text: 'Green, mostly.' },
      {
        when: "'Where' in text",
        text: 'Thought: I look it up.\nAction: search\nAction Input: {"input": "green pears"}',
      },
      {
        when: "'pear' in text",
        text: 'Thought: I need the price.\nAction: price\nAction Input: {"item": "pear"}',
      },
    ]),
  )
})
afterAll(async () => {
  await Promise.all([server.stop(), embedModel.dispose(), crossEncoder.dispose(), names.dispose()])
  folder.remove()
})

const texts = [
  'Pears are green.',
  'The sea is blue. A ship.',
  'Pears from Ann Lee are green. The price is 3.',
  'A ship.',
]
const nodes = texts.map(
  (text, index) =>
    new TextNode({
      id: `n${index}`,
      text,
      metadata: { date: `2024-01-0${index + 1}`, window: `Around: ${text}` },
      excludedEmbedMetadataKeys: ['date', 'window'],
      excludedLlmMetadataKeys: ['date', 'window'],
      relationships: {
        ...(index > 0 && { 2: { nodeId: `n${index - 1}` } }),
        ...(index < 3 && { 3: { nodeId: `n${index + 1}` } }),
      },
    }),
)
const docstore = new SimpleDocumentStore()
let found: NodeWithScore[]

beforeAll(async () => {
  await docstore.addDocuments(nodes)
  const retriever = new VectorRetriever({ embedModel, similarityTopK: 3 })
  await retriever.add(nodes)
  found = await retriever.retrieve('green pears')
})

const ids = (entries: readonly NodeWithScore[]) => entries.map(({ id }) => id)
const run = (postprocessor: NodePostprocessor, entries = found) =>
  postprocessor.postprocessNodes(entries, { queryStr: 'pears price' })

describe('the postprocessors, on nodes that a real embedding model found', () => {
  it('retrieval finds the nodes about pears first', () => {
    expect(ids(found)).toEqual(['n0', 'n2', 'n1'])
    expect(found[0]!.score).toBeGreaterThan(0.95)
  })

  it('SimilarityPostprocessor', async () => {
    expect(ids(await run(new SimilarityPostprocessor({ similarityCutoff: 0.8 })))).toEqual(['n0', 'n2'])
  })

  it('KeywordNodePostprocessor', async () => {
    expect(ids(await run(new KeywordNodePostprocessor({ requiredKeywords: ['green'] })))).toEqual(['n0', 'n2'])
  })

  it('LongContextReorder', async () => {
    expect(ids(await run(new LongContextReorder()))).toEqual(['n0', 'n1', 'n2'])
  })

  it('MetadataReplacementPostProcessor', async () => {
    const [first] = await run(new MetadataReplacementPostProcessor({ targetMetadataKey: 'window' }))
    expect(first!.text).toBe('Around: Pears are green.')
  })

  it('PrevNextNodePostprocessor', async () => {
    const neighbours = new PrevNextNodePostprocessor({ docstore, mode: 'next', numNodes: 1 })
    expect(ids(await run(neighbours, [found[1]!]))).toEqual(['n2', 'n3'])
  })

  it('AutoPrevNextNodePostprocessor', async () => {
    const neighbours = new AutoPrevNextNodePostprocessor({ docstore, llm: llmOf(false), numNodes: 1 })
    expect(ids(await run(neighbours, [found[0]!]))).toEqual(['n0', 'n1'])
  })

  it('FixedRecencyPostprocessor', async () => {
    expect(ids(await run(new FixedRecencyPostprocessor({ topK: 2 })))).toEqual(['n2', 'n1'])
  })

  it('EmbeddingRecencyPostprocessor', async () => {
    const recent = new EmbeddingRecencyPostprocessor({ embedModel, similarityCutoff: 0.9 })
    expect(ids(await run(recent))).toEqual(['n2', 'n1'])
  })

  it('TimeWeightedPostprocessor', async () => {
    const weighted = new TimeWeightedPostprocessor({
      topK: 2,
      timeAccessRefresh: false,
      now: Date.UTC(2024, 0, 5) / 1000,
    })
    expect(await run(weighted)).toHaveLength(2)
  })

  it('SentenceEmbeddingOptimizer', async () => {
    const optimizer = new SentenceEmbeddingOptimizer({
      embedModel,
      percentileCutoff: 0.5,
      contextBefore: 0,
      contextAfter: 0,
    })
    const [short] = await run(optimizer, [found[1]!])
    expect(short!.text).toBe('Pears from Ann Lee are green.')
  })

  it('LLMRerank', async () => {
    expect(ids(await run(new LLMRerank({ llm: llmOf(false) })))).toEqual(['n2', 'n0'])
  })

  it('SentenceTransformerRerank', async () => {
    const rerank = new SentenceTransformerRerank({ crossEncoder, topN: 2 })
    expect(ids(await run(rerank))).toEqual(['n2', 'n0'])
    expect(rerank.toDict()).toMatchObject({ model: 'tiny/fruit-reranker' })
  })

  it('PIINodePostprocessor', async () => {
    const [masked] = await run(new PIINodePostprocessor({ llm: llmOf(false) }), [found[1]!])
    expect(masked!.text).toBe('Pears from [NAME1] are green. The price is 3.')
    expect(unmask(masked!.text, masked!.metadata['__pii_node_info__'] as Record<string, unknown>)).toBe(texts[2])
  })

  it('NERPIINodePostprocessor', async () => {
    const mask = new NERPIINodePostprocessor({ ner: names.recognize, windowSize: null })
    const [masked] = await run(mask, [found[1]!])
    expect(masked!.text).toMatch(/^Pears from \[PER_\d+\] are green\. The price is 3\.$/)
    expect(unmask(masked!.text, masked!.metadata['__pii_node_info__'] as Record<string, unknown>)).toBe(texts[2])
  })
})

describe('the agents, on a real language model', () => {
  let asked: string[]
  const price = FunctionTool.fromDefaults({
    name: 'price',
    description: 'The price of an item.',
    schema: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] },
    fn: ({ item }) => {
      asked.push(item)
      return `3 euros${item.startsWith('json') ? ' (tool_json)' : ''}`
    },
  })
  beforeEach(() => {
    asked = []
    server.requests = 0
  })

  it.each([false, true])('ReActAgent, with stream: %s', async (stream) => {
    const agent = ReActAgent.fromTools({ llm: llmOf(false), tools: [price] })
    let text = ''
    if (stream) for await (const piece of await agent.streamChat('What does a pear cost?')) text += piece
    else text = (await agent.chat('What does a pear cost?')).response
    expect([text, asked, server.requests]).toEqual(['A pear costs 3 euros.', ['pear'], 2])
  })

  it.each([false, true])('FunctionCallingAgent, with stream: %s', async (stream) => {
    const agent = FunctionCallingAgent.fromTools({ llm: llmOf(true), tools: [price] })
    let text = ''
    if (stream) for await (const piece of await agent.streamChat('native: the price?')) text += piece
    else text = (await agent.chat('native: the price?')).response
    expect([text, asked, server.requests]).toEqual(['It costs 3 euros, says the tool.', ['native pear'], 2])
  })

  it('an agent that replies in JSON', async () => {
    const agentWorker = new ToolLoopWorker({ llm: llmOf(false), tools: [price], protocol: new JsonProtocol() })
    const answer = await new AgentRunner({ agentWorker }).chat('json: the price?')
    expect([answer.response, asked]).toEqual(['It is 3 euros.', ['json pear']])
  })

  it('agentFromLlm chooses by the model', async () => {
    for (const [isNative, kind] of [
      [true, FunctionCallingAgent],
      [false, ReActAgent],
    ] as const)
      expect(agentFromLlm({ llm: llmOf(isNative), tools: [price] })).toBeInstanceOf(kind)
  })

  it('ParallelAgentRunner', async () => {
    const agentWorker = ReActAgent.fromTools({ llm: llmOf(false), tools: [price] }).agentWorker
    const answer = await new ParallelAgentRunner({ agentWorker }).chat('What does a pear cost?')
    expect([answer.response, asked]).toEqual(['A pear costs 3 euros.', ['pear']])
  })

  it('CustomSimpleAgentWorker', async () => {
    class Once extends CustomSimpleAgentWorker {
      protected override _initializeState() {
        return {}
      }
      protected override async _runStep(_: unknown, task: Task): Promise<CustomStepResult> {
        const { text } = await this.llm.complete(task.input)
        return [new AgentChatResponse({ response: text }), true]
      }
    }
    const agentWorker = Once.fromTools({ llm: llmOf(false) })
    expect(String(await new AgentRunner({ agentWorker }).chat('Say it briefly.'))).toBe('Green, mostly.')
  })

  it('QueryPipelineAgentWorker', async () => {
    const pipeline = new QueryPipeline({
      chain: [
        new AgentInputComponent({ fn: (task: Task) => ({ question: task.input }) }),
        new PromptTemplate({ template: 'Answer briefly: {question}' }),
        llmOf(false),
        new AgentFnComponent({
          fn: (_task, _state, { answer }) => [new AgentChatResponse({ response: String(answer) }), true],
          params: { required: ['answer'] },
        }),
      ],
    })
    const agent = new AgentRunner({ agentWorker: new QueryPipelineAgentWorker({ pipeline }) })
    expect(String(await agent.chat('What is green?'))).toBe('Green, mostly.')
  })

  it('MultimodalReActAgentWorker', async () => {
    const agentWorker = new MultimodalReActAgentWorker({ multiModalLlm: llmOf(false) })
    const runner = new AgentRunner({ agentWorker })
    const extraState = { image_docs: [{ imageUrl: 'https://example.org/pear.png' }] }
    const { taskId } = await runner.createTask('What is in the picture?', { extraState })
    expect(String(await runner.runTask(taskId))).toBe('A green pear.')
  })

  it('an agent that searches with real embeddings', async () => {
    const retriever = new VectorRetriever({ embedModel, similarityTopK: 1 })
    await retriever.add([new TextNode({ text: 'A pear: 3 euros.' }), new TextNode({ text: 'A ship on the sea.' })])
    const tool = new RetrieverTool({ retriever, name: 'search', description: 'Finds prices.' })
    const answer = await ReActAgent.fromTools({ llm: llmOf(false), tools: [tool] }).chat('Where is the cheapest?')
    expect(answer.response).toBe('A pear costs 3 euros.')
    expect(answer.sources[0]?.content).toContain('3 euros')
  })
})
