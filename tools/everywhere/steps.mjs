/**
 * A program of 20 steps over the packages that run everywhere, as an application uses them: plain JavaScript, web standards, no file, no
 * network. `runSteps` returns the number of steps that passed and what went wrong in the others.
 */
import { FunctionTool, journal, ReActAgent } from '@x/agents'
import { reactLoop } from '@x/agents/loop'
import { Model } from '@x/core'
import { fields, integer, string } from '@x/core/fields'
import {
  CallbackManager,
  ChatMessage,
  Document,
  IndexNode,
  isToolkitError,
  NodeWithScore,
  SimpleChatStore,
  TextNode,
} from '@x/core-model'
import { evaluateRetriever, readTestSet } from '@x/evaluate'
import { withRetry } from '@x/llm'
import { ScriptedLLM, TableEmbedding } from '@x/llm/testing'
import { MarkdownElementNodeParser, MarkdownNodeParser, SentenceSplitter } from '@x/node-parser'
import { OpenAI } from '@x/openai'
import { LLMRerank, LongContextReorder, SimilarityPostprocessor } from '@x/postprocessors'
import { ChatPromptTemplate, PromptTemplate } from '@x/prompts'
import { FnComponent, QueryPipeline } from '@x/query-pipeline'
import { Bm25Retriever, VectorRetriever } from '@x/retrieval'
import { answerWithSources } from '@x/retrieval/answer'
import { SimpleDocumentStore } from '@x/storage'

/** @param {unknown} received @param {unknown} expected */
function same(received, expected) {
  const [left, right] = [JSON.stringify(received), JSON.stringify(expected)]
  if (left !== right) throw new Error(`expected ${right}, received ${left}`)
}

/** @param {readonly string[]} texts */
const nodesOf = (texts) => texts.map((text) => new TextNode({ id: text, text }))
/** @param {readonly number[]} scores */
const scored = (scores) => scores.map((score) => new NodeWithScore({ node: new TextNode({ text: `${score}` }), score }))

class Shelf extends fields(Model, 'Shelf', { label: string({ pattern: '^[A-Z]' }), size: integer({ default: 4 }) }) {}

const twice = FunctionTool.fromDefaults({
  name: 'twice',
  schema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
  fn: ({ a }) => 2 * a,
})
const calls = 'Thought: double\nAction: twice\nAction Input: {"a": 21}'
const answers = 'Thought: done\nAnswer: 42'

/** A server with the interface of OpenAI, as far as a stream of one answer needs it. */
const server = async () => {
  const pieces = ['4', '2'].map((content) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }))
  const lines = [...pieces, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }].map((it) =>
    JSON.stringify(it),
  )
  const body = [...lines, '[DONE]'].map((line) => `data: ${line}\n\n`).join('')
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

/** @type {[name: string, run: () => unknown][]} */
const steps = [
  [
    'core: an own model refuses a wrong value by a code',
    () => {
      try {
        new Shelf({ label: 'a' })
      } catch (error) {
        return same(isToolkitError(error, 'model_validation'), true)
      }
      throw new Error('nothing was thrown')
    },
  ],
  ['core: JSON and back', () => same(Shelf.fromJson(new Shelf({ label: 'A' }).toJson()).toDict().size, 4)],
  [
    'core-model: a message as JSON',
    () => same(new ChatMessage({ role: 'system', content: 'Be brief.' }).toDict().role, 'system'),
  ],
  [
    'core-model: the hash of a node',
    () => same(new TextNode({ text: 'Paris', metadata: { page: 3 } }).hash.length, 64),
  ],
  [
    'core-model: events of a model',
    async () => {
      const events = []
      const handler = {
        onEventStart: (type) => void events.push(type),
        onEventEnd: (type) => void events.push(type),
      }
      const callbackManager = new CallbackManager([handler])
      await new ScriptedLLM({ answers: ['Paris'], callbackManager }).complete('Capital of France?')
      same(events, ['llm', 'llm'])
    },
  ],
  [
    'prompts: a template',
    () => same(new PromptTemplate({ template: 'Hello {name}' }).format({ name: 'Ada' }), 'Hello Ada'),
  ],
  [
    'prompts: a chat',
    () => {
      const prompt = ChatPromptTemplate.fromMessages([
        ['system', 'Speak {language}.'],
        ['user', '{question}'],
      ])
      const messages = prompt.partialFormat({ language: 'French' }).formatMessages({ question: 'Why?' })
      same(
        messages.map(({ content }) => content),
        ['Speak French.', 'Why?'],
      )
    },
  ],
  [
    'node-parser: a table',
    async () => {
      const text = 'Prices\n\n| a | b |\n| - | - |\n| 1 | &lt; |\n| 2 | b |\n'
      const parser = new MarkdownElementNodeParser({ summarizer: 'headers' })
      const nodes = await parser.getNodesFromDocuments([new Document({ text })])
      same(nodes.filter((node) => node instanceof IndexNode).length, 1)
    },
  ],
  [
    'node-parser: headings with references',
    async () => {
      const text = '[a]: /b\n===\n\n[A] *b* &amp; `c`\n---\n'
      const [, node] = await new MarkdownNodeParser().getNodesFromDocuments([new Document({ text })])
      same(node?.metadata, { Header_2: 'A b & c' })
    },
  ],
  [
    'node-parser: sentences',
    async () => {
      const text = 'Pears are green. Apples are red. Plums are blue.'
      const parser = new SentenceSplitter({ chunkSize: 5, chunkOverlap: 0 })
      const nodes = await parser.getNodesFromDocuments([new Document({ text })])
      same(nodes.map((node) => text.slice(node.startCharIdx, node.endCharIdx) === node.text).includes(false), false)
      if (nodes.length < 2) throw new Error(`expected several nodes, received ${nodes.length}`)
    },
  ],
  [
    'postprocessors: cut off and reorder',
    async () => {
      const good = await new SimilarityPostprocessor({ similarityCutoff: 0.5 }).postprocessNodes(
        scored([0.9, 0.1, 0.8]),
      )
      const ordered = await new LongContextReorder().postprocessNodes(good)
      same(ordered.map(({ text }) => text).sort(), ['0.8', '0.9'])
    },
  ],
  [
    'postprocessors: rerank by a model',
    async () => {
      const llm = new ScriptedLLM({ answers: ['Doc: 2, Relevance: 9\nDoc: 1, Relevance: 3'] })
      const best = await new LLMRerank({ llm, topN: 1 }).postprocessNodes(scored([1, 2]), { queryStr: 'Two?' })
      same(
        best.map(({ text, score }) => [text, score]),
        [['2', 9]],
      )
    },
  ],
  [
    'retrieval: words, and their quality',
    async () => {
      const nodes = nodesOf(['green tea', 'black coffee'])
      const testSet = readTestSet('{"question":"coffee","places":[{"source":"black coffee"}]}')
      const run = await evaluateRetriever({ retriever: new Bm25Retriever({ nodes }), testSet, nodes, k: 1 })
      same(run.measures.recall.mean, 1)
    },
  ],
  [
    'retrieval: embeddings',
    async () => {
      const embedModel = new TableEmbedding({ texts: { cat: [1, 0], car: [0, 1] }, queries: { kitten: [0.9, 0.1] } })
      const retriever = await VectorRetriever.fromNodes(nodesOf(['cat', 'car']), { embedModel, similarityTopK: 1 })
      same(
        (await retriever.retrieve('kitten')).map(({ id }) => id),
        ['cat'],
      )
    },
  ],
  [
    'retrieval: an answer with sources',
    async () => {
      const passages = await new Bm25Retriever({ nodes: nodesOf(['They keep 3 weeks.']) }).retrieve('weeks')
      const llm = new ScriptedLLM({ answers: [['3 weeks ', '[1].']] })
      const answer = answerWithSources({ llm, passages, question: 'How long?' })
      let text = ''
      for await (const piece of answer) text += piece
      same([text, (await answer.result()).sources.length], ['3 weeks [1].', 1])
    },
  ],
  [
    'storage: documents and a conversation',
    async () => {
      const store = new SimpleDocumentStore()
      await store.addDocuments(nodesOf(['pears']))
      const chats = new SimpleChatStore()
      await chats.addMessage('ann', new ChatMessage({ content: 'Hello' }))
      same([(await store.getNode('pears')).text, (await chats.getMessages('ann')).length], ['pears', 1])
    },
  ],
  [
    'query-pipeline: a chain',
    async () => {
      const add = () => new FnComponent({ fn: ({ x }) => x + 1, params: { required: ['x'] } })
      same(await new QueryPipeline({ chain: [add(), add()] }).run(1), 3)
    },
  ],
  [
    'agents: a task that is saved and continued',
    async () => {
      const agentOf = (reply) =>
        ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: [reply] }), tools: [twice], taskStore: journal() })
      const first = agentOf(calls)
      const { taskId } = await first.createTask('How much is 2 * 21?')
      await first.runStep(taskId)
      const second = agentOf(answers)
      await second.loadTask(JSON.parse(JSON.stringify(first.saveTask(taskId))))
      same(String(await second.runTask(taskId)), '42')
    },
  ],
  [
    'agents: events of a run, and a run that is aborted',
    async () => {
      const agentOf = () =>
        ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: [calls, answers] }), tools: [twice] })
      const types = []
      for await (const { type } of agentOf().runEvents('How much?', { signal: new AbortController().signal }))
        types.push(type)
      same([types.includes('tool_result'), types.at(-1)], [true, 'task_end'])
      const aborted = new AbortController()
      aborted.abort()
      const error = await agentOf()
        .chat('How much?', { signal: aborted.signal })
        .catch((reason) => reason)
      same(error.name, 'AbortError')
      same(typeof reactLoop, 'function')
    },
  ],
  [
    'openai: a stream of a server',
    async () => {
      const llm = withRetry(new OpenAI({ model: 'any', apiKey: 'key', fetch: server }), { timeoutMs: 10_000 })
      let text = ''
      for await (const { delta } of llm.streamChat([new ChatMessage({ content: 'How much?' })])) text += delta ?? ''
      same(text, '42')
    },
  ],
]

/** Runs all steps. */
export async function runSteps() {
  const failures = []
  for (const [name, run] of steps) {
    try {
      await run()
    } catch (error) {
      failures.push(`${name}: ${error?.message ?? error}`)
    }
  }
  return { passed: steps.length - failures.length, failures }
}
