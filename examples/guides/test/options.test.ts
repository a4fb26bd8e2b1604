/** Every kind of class and function refuses misspelt options, and those of a wrong type or range, in one way. */
import {
  AgentTool,
  ChatMemoryBuffer,
  FunctionTool,
  journal,
  ReActAgent,
  RetrieverTool,
  StoredChatMemory,
} from '@x/agents'
import { AgentFnComponent, AgentInputComponent, ToolRunnerComponent } from '@x/agents/pipeline'
import { JsonProtocol } from '@x/agents/protocol'
import { AiSdkEmbedding, AiSdkLLM, chatHandler } from '@x/ai-sdk'
import { agUiHandler } from '@x/ai-sdk/ag-ui'
import { chatRoute, storedChatStreams } from '@x/chats'
import { Document, isToolkitError, NodeWithScore, SimpleChatStore, TextNode } from '@x/core-model'
import { agentWorkflow, ingestionWorkflow } from '@x/dbos'
import { DbosTasks, IngestionRuns } from '@x/dbos/client'
import { LangChainEmbedding, LangChainLLM, langChainTool } from '@x/langchain'
import { BaseEmbedding, withFallback, withRetry } from '@x/llm'
import { ScriptedLLM, TableEmbedding } from '@x/llm/testing'
import { mcpDocuments, mcpPrompts, serveTools } from '@x/mcp'
import {
  extractMarkdownElements,
  MarkdownElementNodeParser,
  readSections,
  SentenceSplitter,
  streamMarkdownElements,
  streamNodes,
} from '@x/node-parser'
import { OpenAI, OpenAIEmbedding, OpenAIResponses } from '@x/openai'
import { OpenTelemetryHandler } from '@x/opentelemetry'
import { openDatabase, PostgresTaskStore } from '@x/postgres'
import { fuseNodes, LLMRerank, SimilarityPostprocessor } from '@x/postprocessors'
import { ChatPromptTemplate, PromptTemplate, SelectorPromptTemplate } from '@x/prompts'
import { Bm25Retriever, HybridRetriever, IngestionPipeline, ObjectIndex, VectorRetriever } from '@x/retrieval'
import { SimpleDocumentStore } from '@x/storage'
import { IndexedDBDocumentStore } from '@x/storage/indexeddb'
import { FileChatStore, StorageFolder, SimpleDocumentStore as StoreWithFile } from '@x/storage/node'
import { TransformersEmbedding } from '@x/transformers'
import { describe, expect, it } from 'vitest'

const llm = new ScriptedLLM()
const embedModel = new TableEmbedding({})
const retriever = { retrieve: async () => [] }
const schema = { type: 'object' } as const
const fn = () => 1
const dbos = { registerWorkflow: () => fn }
const tasks = { dbos, workflow: 'w', queue: 'q' }
/** A collaborator that nothing can be done with: only the options of its functions are looked at. */
const broken = {
  query: () => Promise.reject(new Error('broken')),
  connect: () => {},
  tables: {},
  all: () => [],
  transaction: () => {},
  get: () => null,
  put: () => {},
  setRequestHandler: () => {},
} as never
const mcpClient = { listResources: fn, readResource: fn, listPrompts: fn, getPrompt: fn } as never
const langChain = { name: 't', description: 'd', schema, invoke: fn, embedQuery: fn } as never
const aiSdkModel = { provider: 'p', modelId: 'm', doGenerate: fn, doEmbed: fn } as never

const document = new Document({ id: 'd', text: '# A' })
const node = new TextNode({ id: 'n', text: 'a' })
const scored = [new NodeWithScore({ node })]
const parser = new MarkdownElementNodeParser({ summarizer: 'headers' })
const mapping = { key: String, toNode: () => node }
const pipeline = () => new IngestionPipeline({ transformations: [parser], store: new SimpleDocumentStore() })
const first = (source: AsyncIterable<unknown>) => source[Symbol.asyncIterator]().next()
/** A path that cannot be written. */
const noFolder = `${import.meta.filename}/x`
const chats = { getMessages: fn, setMessages: fn, addMessage: fn }

/** What is made, its valid options, a misspelt one with the name that is meant, and one that is out of range or of a wrong type. */
type Row = [string, (options: never) => unknown, object, [wrong: string, meant: string], object?]

const rows: Row[] = [
  ['ReActAgent', (o) => ReActAgent.fromTools(o), { llm }, ['maxIteration', 'maxIterations'], { maxIterations: -1 }],
  ['withRetry', (o) => withRetry(llm, o), {}, ['maxAttempt', 'maxAttempts'], { maxAttempts: -1 }],
  ['withFallback', (o) => withFallback([llm], o), {}, ['shouldFallback', 'shouldFallBack'], { onFallback: 1 }],
  ['LLMRerank', (o) => new LLMRerank(o), { llm }, ['topM', 'topN'], { topN: -1 }],
  [
    'SimilarityPostprocessor',
    (o) => new SimilarityPostprocessor(o),
    {},
    ['similarityCutof', 'similarityCutoff'],
    { similarityCutoff: 'x' },
  ],
  ['SentenceSplitter', (o) => new SentenceSplitter(o), {}, ['chunkSiz', 'chunkSize'], { chunkSize: -1 }],
  ['Bm25Retriever', (o) => new Bm25Retriever(o), {}, ['similarityTopk', 'similarityTopK'], { similarityTopK: -1 }],
  [
    'VectorRetriever',
    (o) => new VectorRetriever(o),
    { embedModel },
    ['similarityTopk', 'similarityTopK'],
    { similarityTopK: -1 },
  ],
  ['HybridRetriever', (o) => new HybridRetriever(o), { retrievers: [retriever] }, ['weight', 'weights'], { k: -1 }],
  ['ChatMemoryBuffer', (o) => ChatMemoryBuffer.fromDefaults(o), {}, ['tokenLimits', 'tokenLimit'], { tokenLimit: -1 }],
  ['OpenAI', (o) => new OpenAI(o), { model: 'm' }, ['systemPromt', 'systemPrompt'], { maxTokens: -1 }],
  ['OpenAI', (o) => new OpenAI(o), { model: 'm' }, ['callbackManger', 'callbackManager'], { temperature: -1 }],
  [
    'OpenAIEmbedding',
    (o) => new OpenAIEmbedding(o),
    { modelName: 'm' },
    ['embedBatchsize', 'embedBatchSize'],
    { dimensions: 0 },
  ],
  [
    'TransformersEmbedding',
    (o) => new TransformersEmbedding(o),
    { modelName: 'm' },
    ['poolin', 'pooling'],
    { pooling: 'x' },
  ],
  [
    'FunctionTool',
    (o) => FunctionTool.fromDefaults(o),
    { fn, schema },
    ['retrunDirect', 'returnDirect'],
    { timeoutMs: -1 },
  ],
  ['RetrieverTool', (o) => new RetrieverTool(o), { retriever }, ['descripton', 'description'], { returnDirect: 1 }],
  ['AgentTool', (o) => new AgentTool(o), { agent: ReActAgent.fromTools({ llm }) }, ['nam', 'name'], { timeoutMs: -1 }],
  [
    'PromptTemplate',
    (o) => new PromptTemplate(o),
    { template: 'a' },
    ['templateVarMapping', 'templateVarMappings'],
    { template: 5 },
  ],
  [
    'ChatPromptTemplate',
    (o) => new ChatPromptTemplate(o),
    { messageTemplates: [] },
    ['templateVarMapping', 'templateVarMappings'],
  ],
  ['SimpleDocumentStore', (o) => new SimpleDocumentStore(o), {}, ['nodeClases', 'nodeClasses'], { namespace: 5 }],
  ['journal', (o) => journal(null, o), {}, ['registy', 'registry'], { openConversation: 5 }],
  ['JsonProtocol', (o) => new JsonProtocol(o), {}, ['systemPromt', 'systemPrompt'], { systemPrompt: 5 }],
  ['AgentInputComponent', (o) => new AgentInputComponent(o), { fn }, ['partials', 'partial'], { fn: 5 }],
  [
    'AgentFnComponent',
    (o) => new AgentFnComponent(o),
    { fn, params: {} },
    ['outputkey', 'outputKey'],
    { outputKey: 5 },
  ],
  ['ToolRunnerComponent', (o) => new ToolRunnerComponent(o), { tools: [] }, ['tool', 'tools'], { tools: 5 }],
  [
    'agentWorkflow',
    (o) => agentWorkflow(o),
    { dbos, name: 'w', agent: fn },
    ['maxRecoveryAttempt', 'maxRecoveryAttempts'],
    { maxRecoveryAttempts: -1 },
  ],
  ['ingestionWorkflow', (o) => ingestionWorkflow(o), { dbos, name: 'w', ingest: fn }, ['retr', 'retry'], { name: 5 }],
  ['DbosTasks', (o) => new DbosTasks(o), tasks, ['pollingInterval', 'pollingIntervalMs'], { queue: 5 }],
  ['IngestionRuns', (o) => new IngestionRuns(o), tasks, ['pollingInterval', 'pollingIntervalMs'], { workflow: 5 }],
  ['openDatabase', (o) => openDatabase(broken, o), {}, ['tableprefix', 'tablePrefix'], { pgvector: 5 }],
  ['claim', (o) => new PostgresTaskStore(broken).claim(o), {}, ['lease', 'leaseMs'], { leaseMs: -1 }],
  ['release', (o) => new PostgresTaskStore(broken).release('t', o), {}, ['pause', 'pauseMs'], { pauseMs: -1 }],
  [
    'IndexedDBDocumentStore',
    (o) => IndexedDBDocumentStore.open('d', o),
    { indexedDB: { open: fn } },
    ['durabilty', 'durability'],
    { durability: 'x' },
  ],
  [
    'IngestionPipeline.run',
    (o) => new IngestionPipeline({ transformations: [], store: new SimpleDocumentStore() }).run([], o),
    {},
    ['maxConcurency', 'maxConcurrency'],
    { maxConcurrency: 0 },
  ],
  ['langChainTool', (o) => langChainTool(langChain, o), {}, ['needApproval', 'needsApproval'], { timeoutMs: -1 }],
  ['serveTools', (o) => serveTools(broken, [], o), {}, ['withoutAproval', 'withoutApproval'], { withoutApproval: 5 }],
  [
    'chatHandler',
    (o) => chatHandler(o),
    { agent: fn, user: fn, chatStore: new SimpleChatStore() },
    ['maxBodyByte', 'maxBodyBytes'],
    { typedTools: 1 },
  ],
  [
    'chatRoute',
    (o) => chatRoute(o, { read: broken, lines: broken }),
    { agent: fn, user: fn, chatStore: new SimpleChatStore() },
    ['waitUntill', 'waitUntil'],
    { allowFile: true },
  ],
  [
    'agUiHandler',
    (o) => agUiHandler(o),
    { agent: fn, user: fn, chatStore: new SimpleChatStore() },
    ['chatStores', 'chatStore'],
    { user: 5 },
  ],
  ['OpenAI', (o) => new OpenAI(o), { model: 'm' }, ['streamUsag', 'streamUsage'], { streamUsage: 1 }],
  [
    'AiSdkLLM',
    (o) => new AiSdkLLM(o),
    { model: aiSdkModel },
    ['contextWindows', 'contextWindow'],
    { contextWindow: 0 },
  ],
  [
    'AiSdkEmbedding',
    (o) => new AiSdkEmbedding(o),
    { model: aiSdkModel },
    ['embedBatchsize', 'embedBatchSize'],
    { model: 5 },
  ],
  ['LangChainLLM', (o) => new LangChainLLM(o), { model: langChain }, ['contextWindows', 'contextWindow'], { model: 5 }],
  ['LangChainEmbedding', (o) => new LangChainEmbedding(o), { model: langChain }, ['modal', 'model'], { model: 5 }],
  ['storedChatStreams', (o) => storedChatStreams(broken, o), {}, ['poll', 'pollMs'], { pollMs: 1 }],
  ['mcpDocuments', (o) => mcpDocuments(mcpClient, o), {}, ['concurency', 'concurrency'], { concurrency: 0 }],
  ['mcpPrompts', (o) => mcpPrompts(mcpClient, o), {}, ['limit', 'limits'], { limits: 5 }],
  [
    'OpenAIResponses',
    (o) => new OpenAIResponses(o),
    { model: 'm' },
    ['providerTool', 'providerTools'],
    { maxTokens: 0 },
  ],
  ['OpenTelemetryHandler', (o) => new OpenTelemetryHandler(o), {}, ['agentNam', 'agentName'], { captureContent: 1 }],
]

const calls: Row[] = [
  [
    'postprocessNodes',
    (o) => new SimilarityPostprocessor().postprocessNodes(scored, o),
    {},
    ['queryString', 'queryStr'],
    { queryStr: 5 },
  ],
  ['fuseNodes', (o) => fuseNodes([scored], o), {}, ['weight', 'weights'], { k: -1 }],
  ['readSections', (o) => readSections('# A', o), {}, ['syntac', 'syntax'], { syntax: 'mdx' }],
  ['extractMarkdownElements', (o) => extractMarkdownElements('a', o), {}, ['nodeid', 'nodeId'], { htmlTables: true }],
  [
    'streamMarkdownElements',
    (o) => first(streamMarkdownElements(['a'], o)),
    {},
    ['textUnits', 'textUnit'],
    { textUnit: 'line' },
  ],
  ['streamNodes', (o) => first(streamNodes(parser, ['a'], o)), {}, ['units', 'unit'], { signal: 'x' }],
  [
    'getNodesFromDocuments',
    (o) => parser.getNodesFromDocuments([document], o),
    {},
    ['onProgres', 'onProgress'],
    { signal: 5 },
  ],
  [
    'getNodesFromElements',
    (o) => parser.getNodesFromElements([], o),
    {},
    ['showProgres', 'showProgress'],
    { node: 'x' },
  ],
  ['getNodesFromNode', (o) => parser.getNodesFromNode(document, o), {}, ['durabel', 'durable'], { durable: 5 }],
  ['extractTableSummaries', (o) => parser.extractTableSummaries([], o), {}, ['signl', 'signal'], { parentId: 5 }],
  ['retrieve', (o) => new Bm25Retriever().retrieve('q', o), {}, ['filter', 'filters'], { signal: 'x' }],
  ['add', (o) => new VectorRetriever({ embedModel }).add([], o), {}, ['signl', 'signal'], { signal: 'x' }],
  [
    'fromNodes',
    (o) => VectorRetriever.fromNodes([], o),
    { embedModel },
    ['similarityTopk', 'similarityTopK'],
    { similarityTopK: -1 },
  ],
  ['IngestionPipeline.ingest', (o) => pipeline().ingest(document, o), {}, ['durabel', 'durable'], { durable: 5 }],
  ['ObjectIndex', (o) => new ObjectIndex(mapping, o), { embedModel }, ['embedModl', 'embedModel'], { embedModel: 'x' }],
  ['fromObjects', (o) => ObjectIndex.fromObjects([], mapping, o), { embedModel }, ['embedModl', 'embedModel']],
  [
    'addDocuments',
    (o) => new SimpleDocumentStore().addDocuments([], o),
    {},
    ['storeTxt', 'storeText'],
    { storeText: 5 },
  ],
  ['getNodes', (o) => new SimpleDocumentStore().getNodes([], o), {}, ['raiseErrors', 'raiseError'], { raiseError: 1 }],
  [
    'deleteDocument',
    (o) => new SimpleDocumentStore().deleteDocument('x', { raiseError: false, ...(o as object) }),
    {},
    ['raiseErrors', 'raiseError'],
    { raiseError: 1 },
  ],
  ['persist', (o) => new StoreWithFile().persist(noFolder, o), {}, ['overwrit', 'overwrite'], { overwrite: 1 }],
  ['FileChatStore.persist', (o) => new FileChatStore().persist(noFolder, o), {}, ['formt', 'format'], { format: 'x' }],
  ['StorageFolder.write', (o) => new StorageFolder().write(noFolder, o), {}, ['overwrit', 'overwrite'], { line: 5 }],
  ['getQueryEmbedding', (o) => embedModel.getQueryEmbedding('q', o), {}, ['signl', 'signal'], { signal: 'x' }],
  [
    'getTextEmbeddingBatch',
    (o) => embedModel.getTextEmbeddingBatch([], o),
    {},
    ['maxConcurency', 'maxConcurrency'],
    { maxConcurrency: 0 },
  ],
  [
    'StoredChatMemory',
    (o) => new StoredChatMemory(o),
    { chatStore: chats, conversationId: 'c' },
    ['conversation', 'conversationId'],
    { length: -1 },
  ],
  [
    'SelectorPromptTemplate',
    (o) => new SelectorPromptTemplate(o),
    { defaultTemplate: new PromptTemplate({ template: 'a' }) },
    ['conditional', 'conditionals'],
  ],
]
rows.push(...calls)

async function issuesOf(make: () => unknown) {
  try {
    await make()
  } catch (error) {
    if (isToolkitError(error, 'model_validation')) return error.issues
    // Other errors come after the check of the options.
  }
  return []
}

describe('options', () => {
  it.each(rows)(
    '%s refuses a misspelt option, and names the one that is meant',
    async (_, make, valid, [wrong, meant]) => {
      expect(await issuesOf(() => make(valid as never))).toEqual([])
      expect(await issuesOf(() => make({ ...valid, [wrong]: undefined } as never))).toEqual([])
      expect(await issuesOf(() => make({ ...valid, [wrong]: 5 } as never))).toEqual([
        { path: wrong, message: `unknown option; did you mean ${meant}?`, code: 'unknown' },
      ])
    },
  )

  it.each(rows.filter(([, , , , invalid]) => invalid))(
    '%s refuses an invalid value',
    async (_, make, valid, __, invalid) => {
      const [issue] = await issuesOf(() => make({ ...valid, ...invalid } as never))
      expect(issue?.path).toBe(Object.keys(invalid!)[0])
      expect(issue?.message).toMatch(/^expected /)
    },
  )

  it.each(rows)('%s has an error with a code for what is no object of options', async (_, make) => {
    for (const options of [null, 'x', 5, []]) {
      const error = await Promise.resolve()
        .then(() => make(options as never))
        .then(
          () => null,
          (reason: unknown) => reason,
        )
      expect(error === null || isToolkitError(error), String((error as Error | null)?.stack)).toBe(true)
    }
  })

  it('classes of applications inherit the check', async () => {
    class Own extends BaseEmbedding {
      protected override async queryRequest() {
        return [1]
      }
      protected override async textRequest() {
        return [1]
      }
    }
    expect(await issuesOf(() => new Own({ modelNam: 'x' } as never))).toMatchObject([{ path: 'modelNam' }])
  })
})
