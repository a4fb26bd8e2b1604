/** Checks for every place in a browser. Plain JavaScript that uses the packages as an application does. */
import { FunctionTool, ReActAgent } from '@x/agents'
import { CallbackManager, Document, IndexNode, NodeWithScore, TextNode } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { MarkdownElementNodeParser, MarkdownNodeParser } from '@x/node-parser'
import { LongContextReorder, SimilarityPostprocessor } from '@x/postprocessors'
import { ChatPromptTemplate } from '@x/prompts'
import { FnComponent, QueryPipeline } from '@x/query-pipeline'
import { Bm25Retriever } from '@x/retrieval'
import { IndexedDBKeywordRetriever, IndexedDBVectorRetriever } from '@x/retrieval/indexeddb'
import { SimpleDocumentStore } from '@x/storage'
import { IndexedDBDocumentStore, IndexedDBKeyValueStore } from '@x/storage/indexeddb'
import { indexChecks, LetterEmbedding } from '@x/testing/retrieval'
import { documentStoreChecks, keyValueStoreChecks } from '@x/testing/storage'
import { expectedTraces, traceChecks } from '../../packages/integrations/opentelemetry/test/browser-traces.js'
import { report } from './run-checks.js'

/** @type {Record<string, () => unknown>} Each returns what must equal the value in `expected`. */
const checks = {
  async 'character references in headings'() {
    const parser = new MarkdownNodeParser()
    const nodes = await parser.getNodesFromDocuments([
      new Document({ text: '# A &copy; &NotEqualTilde; &Afr; &nope;\n\nb' }),
    ])
    return nodes[0]?.metadata
  },
  async 'a table of Markdown'() {
    const text = '| a | b |\n| - | - |\n| 1 | &lt; |\n| 2 | b |\n'
    const nodes = await new MarkdownElementNodeParser({ summarizer: 'headers' }).getNodesFromDocuments([
      new Document({ text }),
    ])
    return nodes.filter((node) => node instanceof IndexNode).length
  },
  'a chat prompt'() {
    const prompt = ChatPromptTemplate.fromMessages([['user', 'Hello {name}']])
    return prompt.formatMessages({ name: 'Ada' }).map(String)
  },
  async postprocessors() {
    const nodes = [0.9, 0.1, 0.8].map((score) => new NodeWithScore({ node: new TextNode({ text: `${score}` }), score }))
    const good = await new SimilarityPostprocessor({ similarityCutoff: 0.5 }).postprocessNodes(nodes)
    return (await new LongContextReorder().postprocessNodes(good)).map(({ text }) => text)
  },
  async 'a store, a search and a pipeline'() {
    const store = new SimpleDocumentStore()
    await store.addDocuments(['apples', 'pears'].map((text) => new TextNode({ id: text, text })))
    const nodes = Object.values(await store.docs())
    const found = await new Bm25Retriever({ nodes }).retrieve('pears')
    const double = new FnComponent({ fn: ({ x }) => 2 * x, params: { required: ['x'] } })
    return [found[0]?.text, await new QueryPipeline({ chain: [double, double] }).run(3)]
  },
  async 'an agent with a tool and a handler of events'() {
    const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }
    const tools = [FunctionTool.fromDefaults({ name: 'twice', schema, fn: ({ a }) => 2 * a })]
    const answers = ['Thought: double\nAction: twice\nAction Input: {"a": 21}', 'Thought: done\nAnswer: 42']
    const callbackManager = new CallbackManager()
    const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers }), tools, callbackManager })
    return String(await agent.chat('How much is 2 * 21?'))
  },
  ...traceChecks,
}

const expected = {
  'character references in headings': { Header_1: 'A © ≂̸ 𝔄 &nope;' },
  'a table of Markdown': 1,
  'a chat prompt': ['user: Hello Ada'],
  postprocessors: ['0.8', '0.9'],
  'a store, a search and a pipeline': ['pears', 12],
  'an agent with a tool and a handler of events': '42',
  ...expectedTraces,
}

/** The number of databases of this place, for unique names. */
let databases = 0
const nameOf = (place) => `${place}-${databases++}`

const embedModel = new LetterEmbedding()

/** The contract of stores and indexes over the browser's database, and what it keeps when it is opened again. */
function storeChecks(place) {
  return [
    ...keyValueStoreChecks(() => IndexedDBKeyValueStore.open(nameOf(place))),
    ...documentStoreChecks(() => IndexedDBDocumentStore.open(nameOf(place))),
    ...indexChecks((options) => IndexedDBKeywordRetriever.open(nameOf(place), options), {
      kind: 'words',
      hasBm25Scores: true,
    }).map(({ name, run }) => ({ name: `a keyword index ${name}`, run })),
    ...indexChecks(
      (options) => IndexedDBVectorRetriever.open(nameOf(place), { embedModel, similarityTopK: 10, ...options }),
      {
        kind: 'vectors',
      },
    ).map(({ name, run }) => ({ name: `a vector index ${name}`, run })),
    {
      name: 'keeps nodes for the next time it is opened',
      async run() {
        const name = nameOf(place)
        const store = await IndexedDBDocumentStore.open(name)
        await store.addDocuments([new TextNode({ id: 'a', text: 'Hello' })])
        store.close()
        const { text } = await (await IndexedDBDocumentStore.open(name)).getNode('a')
        if (text !== 'Hello') throw new Error(`expected Hello, received ${text}`)
      },
    },
    {
      name: 'loses nothing when two connections write at the same time',
      async run() {
        const name = nameOf(place)
        const stores = await Promise.all([1, 2].map(() => IndexedDBDocumentStore.open(name)))
        const ids = Array.from({ length: 40 }, (_, i) => `n${i}`)
        const nodes = ids.map((id) => new TextNode({ id, relationships: { 1: { nodeId: 'D' } } }))
        await Promise.all(nodes.map((node, i) => stores[i % 2].addDocuments([node])))
        const { nodeIds } = await stores[0].getRefDocInfo('D')
        if (nodeIds.length !== 40) throw new Error(`expected 40 nodes, received ${nodeIds.length}`)
      },
    },
  ].map(({ name, run }) => [`IndexedDB: ${name}`, run])
}

/**
 * Runs the checks and reports them.
 * @param {number} [third] - which third of the checks of stores a worker runs, without the longest; all have the same database. The page
 * runs all of them.
 */
export function runChecks(place, third) {
  const ofStores = storeChecks(place).filter(
    ([name], index) => third === undefined || (index % 3 === third && !name.endsWith('batches of any size')),
  )
  return report(place, checks, expected, ofStores)
}
