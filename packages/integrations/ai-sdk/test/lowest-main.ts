/**
 * A provider of the AI SDK as our model, and our model and run in its functions. Prints the version of `ai` and that of the specification.
 */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { FunctionCallingAgent, FunctionTool } from '@x/agents'
import { ChatMessage, LLMMetadata, toolCallsOf, usageOf } from '@x/core-model'
import { ScriptedLLM, TableEmbedding } from '@x/llm/testing'
import {
  embedMany,
  generateText,
  jsonSchema,
  readUIMessageStream,
  stepCountIs,
  streamText,
  tool,
  type UIMessageChunk,
} from 'ai'
import { chunk, eventText, json, LoopbackServer, pieces } from '../../../../tools/loopback-model-server.ts'
import { AiSdkEmbedding, AiSdkLLM, toAiSdkEmbeddingModel, toAiSdkModel, uiMessageStream } from '../src/index.ts'

const { version } = createRequire(import.meta.url)('ai/package.json') as { version: string }
const server = new LoopbackServer()
const baseURL = await server.start()
const provider = createOpenAICompatible({ name: 'local', baseURL, includeUsage: true })
const call = { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1,"b":2}' } }
const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 }
const schema = {
  type: 'object' as const,
  properties: { a: { type: 'number' as const }, b: { type: 'number' as const } },
  required: ['a' as const, 'b' as const],
}
const answer = (message: object, finish_reason: string) =>
  json({ id: 'x', created: 1, model: 'm', choices: [{ index: 0, message, finish_reason }], usage })

// A provider of the AI SDK as a model of `@x`.
const model = provider('m')
const llm = new AiSdkLLM({ model })
server.willAnswer(answer({ role: 'assistant', content: 'Let me see.', tool_calls: [call] }, 'tool_calls'))
const response = await llm.chat([new ChatMessage({ content: 'How much is 1 + 2?' })])
assert.equal(String(response), 'Let me see.')
assert.deepEqual(toolCallsOf(response.message), [{ id: 'c1', name: 'add', arguments: '{"a":1,"b":2}' }])
assert.equal(usageOf(response)?.totalTokens, 13)
const stream = (...chunks: object[]) => pieces([eventText(chunks)])
server.willAnswer(
  stream(
    chunk({ role: 'assistant', content: 'Let me see.' }),
    chunk({ tool_calls: [{ index: 0, ...call }] }),
    chunk({}, 'tool_calls', { usage }),
  ),
  stream(chunk({ role: 'assistant', content: 'It is ' }), chunk({ content: '3.' }, 'stop', { usage })),
)
const add = FunctionTool.fromDefaults({ name: 'add', description: 'Adds.', schema, fn: ({ a, b }) => a + b })
const agent = FunctionCallingAgent.fromTools({ llm: llm, tools: [add] })
const streamed = await agent.streamChat('How much is 1 + 2?')
let said = ''
for await (const delta of streamed) said += delta
assert.equal(said, 'It is 3.')
server.willAnswer(json({ error: { message: 'busy' } }, 429))
await assert.rejects(llm.chat([new ChatMessage({ content: 'Again?' })]), { code: 'model_call', kind: 'rate_limit' })
server.willAnswer(json({ data: [{ index: 0, embedding: [1, 0], object: 'embedding' }], usage }))
const vectors = new AiSdkEmbedding({ model: provider.textEmbeddingModel('e') })
assert.deepEqual(await vectors.getTextEmbedding('pear'), [1, 0])
await server.stop()

// A model of `@x` in the AI SDK.
const metadata = new LLMMetadata({ modelName: 'm', isChatModel: true, isFunctionCallingModel: true })
const callTurn = new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls: [call] } })
const scripted = () => new ScriptedLLM({ answers: [callTurn, 'It is 3.'], metadata })
const tools = {
  add: tool({
    description: 'Adds.',
    inputSchema: jsonSchema<{ a: number; b: number }>(schema),
    execute: ({ a, b }) => a + b,
  }),
}
const options = { prompt: 'How much is 1 + 2?', tools, stopWhen: stepCountIs(3) }
// `ai` 5 accepts only models of specification v2, which `toAiSdkModel` does not return.
const specificationVersion = ({ 6: 'v3', 7: 'v4' } as const)[Number(version.split('.')[0])]
if (specificationVersion) {
  const ours = () => toAiSdkModel(scripted(), { specificationVersion })
  const generated = await generateText({ model: ours(), ...options })
  assert.deepEqual([generated.text, generated.steps.length], ['It is 3.', 2])
  let text = ''
  for await (const piece of streamText({ model: ours(), ...options }).textStream) text += piece
  assert.equal(text, 'It is 3.')
  const table = new TableEmbedding({ texts: { pear: [1, 0] }, queries: {} })
  const model = toAiSdkEmbeddingModel(table, { specificationVersion })
  assert.deepEqual((await embedMany({ model, values: ['pear'] })).embeddings, [[1, 0]])
}
const events = FunctionCallingAgent.fromTools({ llm: scripted(), tools: [add] }).runEvents('How much is 1 + 2?')
const chunks: ReadableStream<UIMessageChunk> = uiMessageStream(events)
let parts: string[] = []
for await (const message of readUIMessageStream({ stream: chunks })) parts = message.parts.map(({ type }) => type)
assert.deepEqual(parts, ['step-start', 'dynamic-tool', 'step-start', 'text'])

console.log(version, model.specificationVersion)
process.exit()
