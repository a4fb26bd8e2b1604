import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AgentRunner, journal, ReActAgent } from '@x/agents'
import {
  ChatMessage,
  ClassRegistry,
  Document,
  isToolkitError,
  Model,
  NodeWithScore,
  TextNode,
  type ToolkitErrors,
} from '@x/core-model'
import { fields, string } from '@x/core-model/fields'
import { ScriptedLLM } from '@x/llm/testing'
import { ExplanationLedger, PostprocessorPipeline } from '@x/postprocessors'
import { SimpleDocumentStore } from '@x/storage'
import { CodeNode } from '../src/code-node.js'
import { CountdownWorker } from '../src/countdown-worker.js'
import { GreetTool } from '../src/greet-tool.js'
import { KeepLanguage } from '../src/keep-language.js'
import { LineParser } from '../src/line-parser.js'
import { LookupTool } from '../src/lookup-tool.js'
import { NewestRetriever } from '../src/newest-retriever.js'
import { NumberedPrompt } from '../src/numbered-prompt.js'
import { ReverseOrder } from '../src/reverse-order.js'
import { WindowMemory } from '../src/window-memory.js'

const python = new CodeNode({ id: 'p', text: 'print()', language: 'Python' })
const ruby = new CodeNode({ id: 'r', text: 'puts', language: 'Ruby', firstLine: 7 })
const prose = new TextNode({ id: 't', text: 'Read me.' })
const nodes = [python, ruby, prose].map((node) => new NodeWithScore({ node, score: 0.5 }))
const idsOf = (list: readonly NodeWithScore[]) => list.map(({ nodeId }) => nodeId)
const hasCode = (code: keyof ToolkitErrors) => (error: unknown) => isToolkitError(error, code)

test('a node class is validated, and is read back from JSON and from a store', async () => {
  assert.throws(() => new CodeNode({ language: '' }), hasCode('model_validation'))
  assert.ok(CodeNode.fromJson(ruby.toJson()).equals(ruby))
  assert.equal(ruby.lineCount, 1)
  const store = new SimpleDocumentStore({ nodeClasses: [CodeNode] })
  await store.upsert([python, ruby])
  const again = await store.getNode('r')
  assert.ok(again instanceof CodeNode)
  assert.equal(again.firstLine, 7)
  const { changed, unchanged } = await store.upsert([python, ruby.copy({ update: { firstLine: 8 } })])
  assert.deepEqual([changed, unchanged], [['r'], ['p']])
  await assert.rejects(new SimpleDocumentStore().addDocuments([ruby]), hasCode('unknown_node_type'))
})

test('postprocessors run in a pipeline, which is read back with a registry', async () => {
  const pipeline = new PostprocessorPipeline({
    postprocessors: [new KeepLanguage({ language: 'Ruby', keepTexts: true }), new ReverseOrder()],
  })
  const ledger = new ExplanationLedger()
  assert.deepEqual(idsOf(await pipeline.postprocessNodes(nodes, { ledger })), ['t', 'r'])
  assert.deepEqual([...new Set(ledger.entries.map(({ className }) => className))], ['KeepLanguage', 'ReverseOrder'])
  const registry = new ClassRegistry([KeepLanguage, ReverseOrder])
  const again = PostprocessorPipeline.fromJson(pipeline.toJson(), {}, { registry })
  assert.deepEqual(idsOf(await again.postprocessNodes(nodes)), ['t', 'r'])
})

test('a step of a pipeline may be any object with postprocessNodes', async () => {
  const pipeline = new PostprocessorPipeline({ postprocessors: [{ postprocessNodes: async (list) => list.slice(1) }] })
  assert.deepEqual(idsOf(await pipeline.postprocessNodes(nodes)), ['r', 't'])
})

test('a retriever answers queries', async () => {
  const texts = [2020, 2024].map((year) => new TextNode({ text: `Report of ${year}`, metadata: { year } }))
  const [first] = await new NewestRetriever(texts).retrieve('Report')
  assert.equal(first?.text, 'Report of 2024')
})

test('a node parser cuts documents; sources and neighbours are added', async () => {
  const parser = new LineParser({ language: 'Ruby', linesPerNode: 2 })
  const parsed = await parser.getNodesFromDocuments([new Document({ id: 'd', text: 'a\nb\nc' })])
  assert.deepEqual(
    parsed.map((node) => [node.text, node.refDocId, node.startCharIdx]),
    [
      ['a\nb', 'd', 0],
      ['c', 'd', 4],
    ],
  )
  assert.equal(parsed[0]?.nextNode?.nodeId, parsed[1]?.id)
  assert.ok(LineParser.fromJson(parser.toJson()).equals(parser))
  assert.equal(parser.toDict()['include_metadata'], true)
})

test('a prompt template fills its variables, keeps stored values, and is read back', () => {
  const prompt = new NumberedPrompt({
    template: 'Hello {name},\nwelcome to {place}.',
    firstNumber: 3,
    vars: { place: 'Rome' },
  })
  assert.equal(prompt.format({ name: 'Ann' }), '3. Hello Ann,\n4. welcome to Rome.')
  assert.equal(prompt.formatMessages({ name: 'Ann' })[0]?.content, prompt.format({ name: 'Ann' }))
  const again = NumberedPrompt.fromJson(prompt.toJson())
  assert.ok(again instanceof NumberedPrompt)
  assert.equal(again.format({ name: 'Ann' }), prompt.format({ name: 'Ann' }))
})

test('a tool and a memory serve an agent', async () => {
  const llm = new ScriptedLLM({
    answers: [
      'Thought: Look it up.\nAction: lookup\nAction Input: {"word": "node"}',
      'Thought: Done.\nAnswer: A piece of text.',
    ],
  })
  const memory = new WindowMemory({ size: 4 })
  const agent = ReActAgent.fromTools({ llm, tools: [new LookupTool({ node: 'a piece of text' })], memory })
  const response = await agent.chat('What is a node?')
  assert.equal(String(response), 'A piece of text.')
  assert.equal(response.sources[0]?.content, 'a piece of text')
  assert.deepEqual(
    memory.getAll().map(({ role }) => role),
    ['user', 'assistant'],
  )
  assert.ok(WindowMemory.fromJson(memory.toJson()).equals(memory))
  assert.deepEqual(memory.fresh().getAll(), [])
})

test('a tool states the context that it requires, and the compiler checks the names of tools', async () => {
  const answers = ['Thought: Greet.\nAction: greet\nAction Input: {}', 'Thought: Done.\nAnswer: Greeted.']
  const lookup = new LookupTool({})
  const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers }), tools: [new GreetTool(), lookup] })
  const response = await agent.chat('Hi!', { context: { user: 'Ann' }, toolChoice: 'greet' })
  assert.equal(response.sources[0]?.content, 'Hello Ann!')
  const wrong = [
    // @ts-expect-error: the context is missing
    () => agent.chat('Hi!'),
    // @ts-expect-error: the user is a string
    () => agent.chat('Hi!', { context: { user: 5 } }),
    // @ts-expect-error: no tool has this name
    () => agent.chat('Hi!', { context: { user: 'Ann' }, toolChoice: 'great' }),
  ]
  assert.equal(wrong.length, 3)
})

test('an agent accepts a question with an image', async () => {
  const llm = new ScriptedLLM({ answers: ['Answer: A cat.'] })
  const picture = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA' } }
  const agent = ReActAgent.fromTools({ llm })
  assert.equal(String(await agent.chat([{ type: 'text', text: 'What is it?' }, picture])), 'A cat.')
  assert.deepEqual(agent.chatHistory[0]?.content, [{ type: 'text', text: 'What is it?' }, picture])
})

test('a memory in the state of a task survives saving and loading', async () => {
  const llm = new ScriptedLLM({ answers: ['Answer: Hello.'] })
  const taskStore = journal(null, { registry: [WindowMemory] })
  const newAgent = () => ReActAgent.fromTools({ llm, memory: new WindowMemory({ size: 4 }), taskStore })
  const notes = new WindowMemory({ size: 2, messages: [{ role: 'user', content: 'Remember this.' }] })
  const agent = newAgent()
  agent.memory.put(new ChatMessage({ role: 'user', content: 'Before.' }))
  const { taskId } = await agent.createTask('Hello?', { extraState: { notes } })
  const text = JSON.stringify(agent.saveTask(taskId))

  const again = newAgent()
  const task = await again.loadTask(JSON.parse(text))
  assert.ok(task.extraState['notes'] instanceof WindowMemory)
  assert.ok(notes.equals(task.extraState['notes']))
  assert.equal(String(await again.runTask(taskId)), 'Hello.')
  assert.deepEqual(
    (await again.memory.getAll()).map(({ content }) => content),
    ['Before.', 'Hello?', 'Hello.'],
  )
  const unaware = ReActAgent.fromTools({ llm, taskStore: journal() })
  await assert.rejects(unaware.loadTask(JSON.parse(text)), hasCode('saved_task'))
  const { taskId: lost } = await unaware.createTask('Hello?', { extraState: { notes } })
  assert.throws(() => unaware.saveTask(lost), hasCode('serialization'))
})

test('an agent worker runs step by step', async () => {
  const agentWorker = CountdownWorker.fromTools({ llm: new ScriptedLLM() })
  const runner = new AgentRunner({ agentWorker })
  await assert.rejects(runner.runTask('lost'), hasCode('task_not_found'))
  assert.equal(String(await runner.chat('Count!')), '0 left')
})

test('metadata that is not JSON is refused with its place and what to use', () => {
  assert.throws(
    () => new CodeNode({ language: 'Ruby', metadata: { at: { day: new Date(0) } } }),
    /^ModelValidationError: CodeNode\.metadata\.at\.day: expected JSON data, .*Date; use an ISO string/,
  )
})

test('a class field that would overwrite a model field fails loudly', () => {
  class Wrong extends fields(Model, 'Wrong', { label: string() }) {
    override label!: string
  }
  assert.throws(() => new Wrong({ label: 'a' }), TypeError)
})

test('messages keep their class in a memory that was copied', () => {
  const memory = new WindowMemory({ messages: [{ role: 'user', content: 'Hello' }] })
  assert.ok(memory.clone().getAll()[0] instanceof ChatMessage)
})
