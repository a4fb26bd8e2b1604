/** Classes and methods throw an error with a code for input of a wrong kind, also in JavaScript: never a bare `TypeError`. */
import * as agents from '@x/agents'
import * as core from '@x/core-model'
import { CallbackManager, ClassRegistry, isToolkitError, ToolOutput } from '@x/core-model'
import * as llm from '@x/llm'
import { TableEmbedding } from '@x/llm/testing'
import * as parsers from '@x/node-parser'
import * as openai from '@x/openai'
import * as postprocessors from '@x/postprocessors'
import * as prompts from '@x/prompts'
import * as retrieval from '@x/retrieval'
import * as storage from '@x/storage'
import { FileChatStore, SimpleDocumentStore, StorageFolder } from '@x/storage/node'
import * as transformers from '@x/transformers'
import { describe, expect, it } from 'vitest'

const packages = {
  agents,
  core,
  llm,
  openai,
  parsers,
  postprocessors,
  prompts,
  retrieval,
  storage,
  transformers,
}

/** Classes whose instances are made by others: values of a run. Their types are the check. */
const made = ['AgentChatResponse', 'StreamingAgentChatResponse', 'Task', 'TaskStep', 'TaskStepOutput', 'ToolMetadata']

const classes = Object.entries(packages)
  .flatMap(([, exported]) => Object.entries(exported))
  .filter(([name, value]) => /^class\b/.test(String(value)) && !/Error$/.test(name) && !made.includes(name))
  .map(([name, value]) => [name, value as new (...args: unknown[]) => unknown] as const)

const inputs: [string, unknown[]][] = [
  ['nothing', []],
  ['null', [null]],
  ['a number', [5]],
  ['a string', ['x']],
  ['an array', [[]]],
  ['an empty object', [{}]],
]

/** Returns the error of a call; null without one. */
async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    await call()
    return null
  } catch (error) {
    return error
  }
}

const { ChatPromptTemplate, PromptTemplate } = prompts
const prompt = new PromptTemplate({ template: '{a}' })
const parser = new parsers.SentenceSplitter()
const bm25 = new retrieval.Bm25Retriever()
const embedModel = new TableEmbedding({})
const vectors = new retrieval.VectorRetriever({ embedModel })
const pipeline = new retrieval.IngestionPipeline({ transformations: [], store: new SimpleDocumentStore() })
const store = new SimpleDocumentStore()
const cutoff = new postprocessors.SimilarityPostprocessor()

/** Calls whose first argument is of a wrong kind, and the place that their error names. */
const calls: [place: string, call: (input: never) => unknown, wrong?: unknown[]][] = [
  [
    'SimilarityPostprocessor.postprocessNodes.nodes',
    (x) => cutoff.postprocessNodes(x),
    [null, 5, {}, [new core.TextNode({})]],
  ],
  ['getNodesFromDocuments.documents', (x) => parser.getNodesFromDocuments(x)],
  ['readSections.text', (x) => parsers.readSections(x), [null, 5, {}, []]],
  ['extractMarkdownElements.text', (x) => parsers.extractMarkdownElements(x), [null, 5, {}, []]],
  ['format.vars', (x) => prompt.format(x), [null, 5, 'x', []]],
  ['format.vars', (x) => prompt.partialFormat(x), [null, 5, 'x', []]],
  ['ChatPromptTemplate.fromMessages', (x) => ChatPromptTemplate.fromMessages(x), [null, {}, 'x', [5]]],
  ['retrieve.query', (x) => bm25.retrieve(x), [null, 5, {}, []]],
  ['Bm25Retriever.add.nodes', (x) => bm25.add(x), [null, 5, {}, 'x']],
  ['remove.ids', (x) => bm25.remove(x), [null, 5, {}, 'x']],
  ['VectorRetriever.add.nodes', (x) => vectors.add(x), [null, 5, {}, 'x']],
  ['VectorRetriever.update.nodes', (x) => vectors.update(x), [null, 5, {}, 'x']],
  ['IngestionPipeline.run.documents', (x) => pipeline.run(x)],
  ['IngestionPipeline.ingest.document', (x) => pipeline.ingest(x), [null, 5, {}, 'x']],
  ['ObjectIndex.mapping', (x) => new retrieval.ObjectIndex(x, { embedModel }), [null, 5, {}, 'x']],
  ['addDocuments.nodes', (x) => store.addDocuments(x), [null, 5, {}, 'x']],
  ['upsert.nodes', (x) => store.upsert(x), [null, 5, {}, 'x']],
  ['getNodes.ids', (x) => store.getNodes(x), [null, 5, {}, 'x']],
  ['persist.path', (x) => store.persist(x), [null, 5, {}, []]],
  ['SimpleDocumentStore.fromPersistPath.path', (x) => SimpleDocumentStore.fromPersistPath(x), [null, 5, {}, []]],
  ['SimpleDocumentStore.fromPersistDir.directory', (x) => SimpleDocumentStore.fromPersistDir(x), [null, 5, {}, []]],
  ['StorageFolder.read.path', (x) => StorageFolder.read(x), [null, 5, {}, []]],
  ['StorageFolder.write.path', (x) => new StorageFolder().write(x), [null, 5, {}, []]],
  ['FileChatStore.fromPersistPath.path', (x) => FileChatStore.fromPersistPath(x), [null, 5, {}, []]],
  ['FileChatStore.persist.path', (x) => new FileChatStore().persist(x), [null, 5, {}, []]],
  ['getQueryEmbedding.query', (x) => embedModel.getQueryEmbedding(x), [null, 5, {}, []]],
  ['getTextEmbedding.text', (x) => embedModel.getTextEmbedding(x), [null, 5, {}, []]],
  ['getTextEmbeddingBatch.texts', (x) => embedModel.getTextEmbeddingBatch(x), [null, 5, {}, 'x']],
  ['transform.nodes', (x) => embedModel.transform(x), [null, 5, {}, 'x']],
  ['CallbackManager', (x) => new CallbackManager(x)],
  ['ClassRegistry', (x) => new ClassRegistry(x), [null, 5, {}, [5]]],
  ['ToolOutput', (x) => ToolOutput.fromParts({ toolName: 't', parts: x }), [5, {}, 'x']],
]

describe('bad input', () => {
  it.each(classes)('new %s() has an error with a code, or none', async (_, Made) => {
    for (const [input, args] of inputs) {
      const error = await errorOf(() => new Made(...args))
      expect(error === null || isToolkitError(error), `${input}: ${(error as Error | null)?.stack}`).toBe(true)
    }
  })

  it.each(calls)('%s is named by the error', async (place, call, wrong = [null, 5, {}]) => {
    for (const input of wrong) {
      const error = await errorOf(() => call(input as never))
      expect(isToolkitError(error, 'model_validation'), String((error as Error | null)?.stack)).toBe(true)
      expect((error as Error).message).toMatch(/: expected .*, received /)
      expect((error as Error).message.startsWith(place), (error as Error).message).toBe(true)
    }
  })
})
