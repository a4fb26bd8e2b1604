/** Parts of LangChain.js as ours and back. Prints the version of `@langchain/core`. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { type AIMessageChunk, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { StringOutputParser } from '@langchain/core/output_parsers'
import { tool } from '@langchain/core/tools'
import { FakeEmbeddings, FakeListChatModel, FakeRetriever } from '@langchain/core/utils/testing'
import { FunctionTool, ReActAgent } from '@x/agents'
import { ChatMessage, TextNode } from '@x/core-model'
import { ScriptedLLM, TableEmbedding } from '@x/llm/testing'
import { SimilarityPostprocessor } from '@x/postprocessors'
import { ChatPromptTemplate } from '@x/prompts'
import { Bm25Retriever } from '@x/retrieval'
import { z } from 'zod'
import {
  LangChainChatModelOfLLM,
  LangChainCompressorOf,
  LangChainEmbeddingsOfModel,
  LangChainRetrieverOf,
  toLangChainPrompt,
  toLangChainTool,
} from '../src/for-langchain.ts'
import { LangChainEmbedding, LangChainLLM, LangChainRetriever, langChainTool } from '../src/index.ts'

const callOf = (name: string, args: object) =>
  new ChatMessage({
    role: 'assistant',
    content: null,
    additionalKwargs: {
      tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: JSON.stringify(args) } }],
    },
  })

// Components of LangChain in this family.
const add = langChainTool(
  tool(({ a, b }) => a + b, { name: 'add', description: 'Adds.', schema: z.object({ a: z.number(), b: z.number() }) }),
)
assert.equal((await add.call({ a: 1, b: 2 })).content, '3')
await assert.rejects(async () => add.call({ a: 'x' }), { code: 'tool_input' })
const action = 'Thought: I add.\nAction: add\nAction Input: {"a": 1, "b": 2}'
const llm = new LangChainLLM({ model: new FakeListChatModel({ responses: [action, 'Thought: I know.\nAnswer: 3'] }) })
assert.equal(String(await ReActAgent.fromTools({ llm, tools: [add] }).chat('How much is 1 + 2?')), '3')
let streamed = ''
for await (const { delta } of new LangChainLLM({ model: new FakeListChatModel({ responses: ['Paris'] }) }).streamChat([
  new ChatMessage({ content: 'Capital?' }),
]))
  streamed += delta
assert.equal(streamed, 'Paris')
const embedModel = new LangChainEmbedding({ model: new FakeEmbeddings() })
assert.equal((await embedModel.getTextEmbeddingBatch(['a', 'b'])).length, 2)
const output = [{ id: 'a', pageContent: 'A pear.', metadata: { page: 3 } }]
const [found] = await new LangChainRetriever({ retriever: new FakeRetriever({ output }) }).retrieve('fruit')
assert.deepEqual([found?.id, found?.text], ['a', 'A pear.'])

// Components of `@x` in LangChain.
const chain = new LangChainChatModelOfLLM(new ScriptedLLM({ answers: ['Paris'] })).pipe(new StringOutputParser())
assert.equal(await chain.invoke('Capital of France?'), 'Paris')
const echo = toLangChainTool(
  FunctionTool.fromDefaults({
    name: 'echo',
    description: 'Repeats the text.',
    schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    fn: ({ text }) => text,
  }),
)
const caller = new LangChainChatModelOfLLM(new ScriptedLLM({ answers: [callOf('echo', { text: 'hi' })] }))
let whole: AIMessageChunk | undefined
for await (const piece of await caller.bindTools([echo]).stream([new HumanMessage('Say hi.')]))
  whole = whole ? whole.concat(piece) : piece
const [call] = whole?.tool_calls ?? []
assert.deepEqual([call?.name, call?.args], ['echo', { text: 'hi' }])
const message: unknown = await echo.invoke({ type: 'tool_call', id: 'c1', name: 'echo', args: { text: 'hi' } })
assert.ok(message instanceof ToolMessage)
assert.equal(message.content, 'hi')
const structured = new LangChainChatModelOfLLM(new ScriptedLLM({ answers: [callOf('City', { city: 'Paris' })] }))
assert.deepEqual(
  await structured.withStructuredOutput(z.object({ city: z.string() }), { name: 'City' }).invoke('Capital of France?'),
  { city: 'Paris' },
)
const prompt = ChatPromptTemplate.fromMessages([
  ['system', 'Be short.'],
  ['user', '{q}'],
])
assert.deepEqual(
  (await toLangChainPrompt(prompt).invoke({ q: 'Why?' })).map((each) => each.getType()),
  ['system', 'human'],
)
const table = new TableEmbedding({ texts: { pear: [1, 0] }, queries: { fruit: [0, 1] } })
assert.deepEqual(await new LangChainEmbeddingsOfModel(table).embedQuery('fruit'), [0, 1])
const nodes = [new TextNode({ id: 'a', text: 'A pear tree.' }), new TextNode({ text: 'Wine.' })]
const documents = await new LangChainRetrieverOf(new Bm25Retriever({ nodes })).invoke('pear')
assert.deepEqual(
  documents.map(({ id }) => id),
  ['a'],
)
const compressor = new LangChainCompressorOf(new SimilarityPostprocessor({ similarityCutoff: 2 }))
assert.deepEqual(await compressor.compressDocuments(documents, 'pear'), [])

const { version } = createRequire(import.meta.url)('@langchain/core/package.json') as { version: string }
console.log(version)
