import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { FunctionCallingAgent, FunctionTool, journal } from '@x/agents'
import { ChatMessage, messageParts, ToolOutput } from '@x/core-model'
import { generateText, isStepCount, jsonSchema, type LanguageModel, type ModelMessage, streamText, tool } from 'ai'
import { afterEach, describe, expect, it } from 'vitest'
import { type Answer, LoopbackServer } from '../../../../tools/loopback-model-server.ts'
import { anthropic, google, openaiResponse } from '../test/wire-answers.ts'
import { AiSdkLLM, type AiSdkLLMOptions } from './ai-sdk-llm.ts'

const questions = ['How much is 1 + 2?', 'And with 3?'] as const
const schema = {
  type: 'object' as const,
  properties: { a: { type: 'number' as const }, b: { type: 'number' as const } },
  required: ['a', 'b'],
}
const png = 'iVBORw0KGgo='

type Mode = 'whole' | 'streamed' | 'in saved steps'

interface Case {
  model: (baseURL: string) => Exclude<LanguageModel, string>
  answers: Answer[]
  /** Whether the tool returns an image. */
  draws?: boolean
  providerTools?: (baseURL: string) => NonNullable<AiSdkLLMOptions['providerTools']>
  providerOptions?: Record<string, Record<string, never>>
}

const servers: LoopbackServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
})

/** Runs a conversation against a server with these answers, and returns the bodies of the requests. */
async function bodies(answers: Answer[], run: (baseURL: string) => Promise<unknown>): Promise<string[]> {
  const server = new LoopbackServer().willAnswer(...answers)
  servers.push(server)
  await run(await server.start())
  return server.requests.map(({ body }) => JSON.stringify(body, null, 1))
}

/** The conversation with the AI SDK itself. */
async function theirs(
  { model, draws, providerTools, providerOptions = {} }: Case,
  baseURL: string,
  isStreamed: boolean,
) {
  const add = tool({
    description: 'Adds.',
    inputSchema: jsonSchema<{ a: number; b: number }>(schema),
    execute: ({ a, b }) => String(a + b),
    ...(draws && {
      toModelOutput: () => ({
        type: 'content' as const,
        value: [
          { type: 'text' as const, text: 'See:' },
          { type: 'file' as const, data: { type: 'data' as const, data: png }, mediaType: 'image/png' },
        ],
      }),
    }),
  })
  const messages: ModelMessage[] = []
  for (const question of questions) {
    messages.push({ role: 'user', content: question })
    const options = {
      model: model(baseURL),
      messages,
      providerOptions,
      tools: { add, ...(providerTools?.(baseURL) as object) },
      stopWhen: isStepCount(5),
      maxRetries: 0,
    }
    const result = isStreamed ? streamText(options) : await generateText(options)
    if ('consumeStream' in result) await result.consumeStream()
    messages.push(...(await result.responseMessages))
  }
}

/** The same conversation with an agent. */
async function ours(given: Case, baseURL: string, mode: Mode): Promise<ChatMessage[]> {
  const { model, draws, providerTools, providerOptions = {} } = given
  const llm = new AiSdkLLM({
    model: model(baseURL),
    modelOptions: { providerOptions },
    providerTools: providerTools?.(baseURL),
  })
  const image = [
    { type: 'text' as const, text: 'See:' },
    { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${png}` } },
  ]
  const add = FunctionTool.fromDefaults({
    name: 'add',
    description: 'Adds.',
    schema,
    fn: ({ a, b }: { a: number; b: number }) =>
      draws ? ToolOutput.fromParts({ toolName: 'add', parts: image }) : String(a + b),
  })
  const newAgent = (chatHistory: readonly ChatMessage[] = []): FunctionCallingAgent =>
    FunctionCallingAgent.fromTools({ llm, tools: [add], chatHistory, taskStore: journal() })
  let agent = newAgent()
  for (const question of questions) {
    if (mode === 'streamed') for await (const _ of await agent.streamChat(question));
    else if (mode === 'whole') await agent.chat(question)
    else agent = await inSavedSteps(agent, question, newAgent)
  }
  return agent.chatHistory as ChatMessage[]
}

/** Answers a question with a new agent for every step, which reads what the previous one saved as text. */
async function inSavedSteps(
  first: FunctionCallingAgent,
  question: string,
  newAgent: (history: readonly ChatMessage[]) => FunctionCallingAgent,
): Promise<FunctionCallingAgent> {
  let agent = first
  const { taskId } = await agent.createTask(question)
  for (;;) {
    const { isLast } = await agent.runStep(taskId)
    if (isLast) break
    const saved = JSON.stringify(agent.saveTask(taskId))
    agent = newAgent(agent.chatHistory.map((message) => ChatMessage.fromJson(message.toJson())))
    await agent.loadTask(JSON.parse(saved))
  }
  await agent.finalizeResponse(taskId)
  return agent
}

const createModels = {
  anthropic: (baseURL: string) => createAnthropic({ baseURL, apiKey: 'k' })('claude-sonnet-4-5'),
  google: (baseURL: string) => createGoogle({ baseURL, apiKey: 'k' })('gemini-3-pro-preview'),
  openai: (baseURL: string) => createOpenAI({ baseURL, apiKey: 'k' }).responses('gpt-5'),
}
const text = (value: string) => ({ type: 'text', text: value })
const call = { type: 'tool_use', id: 'c1', name: 'add', input: { a: 1, b: 2 } }
const thinking = (value: string, signature: string) => ({ type: 'thinking', thinking: value, signature })
const done = anthropic(text('It is 3.'))
const search = [
  { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'sums' } },
  {
    type: 'web_search_tool_result',
    tool_use_id: 'srv_1',
    content: [
      { type: 'web_search_result', url: 'https://a.example', title: 'Sums', encrypted_content: 'ENC', page_age: null },
    ],
  },
]
const cited = {
  ...text('Sums add.'),
  citations: [
    {
      type: 'web_search_result_location',
      url: 'https://a.example',
      title: 'Sums',
      encrypted_index: 'IDX',
      cited_text: 'Add',
    },
  ],
}
const webSearch = (baseURL: string) => ({
  web_search: createAnthropic({ baseURL, apiKey: 'k' }).tools.webSearch_20250305({ maxUses: 2 }),
})
const openaiOutput = [
  { type: 'reasoning', id: 'rs_1', encrypted_content: 'ENC', summary: [{ type: 'summary_text', text: 'Add them.' }] },
  {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    phase: 'commentary',
    status: 'completed',
    content: [{ type: 'output_text', text: 'I add.', annotations: [] }],
  },
  { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'add', arguments: '{"a":1,"b":2}', status: 'completed' },
]
const openaiDone = (id: string) =>
  openaiResponse({
    type: 'message',
    id,
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'It is 3.', annotations: [] }],
  })
const googleCall = { functionCall: { id: 'c1', name: 'add', args: { a: 1, b: 2 } }, thoughtSignature: 'FSIG' }

const cases: Record<string, Case> = {
  'Anthropic, interleaved and redacted thinking': {
    model: createModels.anthropic,
    answers: [
      anthropic(
        thinking('One.', 'S1'),
        text('A. '),
        thinking('Two.', 'S2'),
        { type: 'redacted_thinking', data: 'RED' },
        text('B.'),
        call,
      ),
      anthropic(thinking('Three.', 'S3'), text('It is 3.\n')),
      done,
    ],
  },
  'Anthropic, a search that the provider runs before a call of ours': {
    model: createModels.anthropic,
    providerTools: webSearch,
    answers: [anthropic(text('I search.'), ...search, cited, text(' So:'), call), done, done],
  },
  'Anthropic, a turn with a search that ends': {
    model: createModels.anthropic,
    providerTools: webSearch,
    answers: [anthropic(text('I search.'), ...search, cited), done],
  },
  'Anthropic, an image of a tool': {
    model: createModels.anthropic,
    draws: true,
    answers: [anthropic(text('I draw.'), call), done, done],
  },
  'OpenAI, items that the server stores': {
    model: createModels.openai,
    answers: [openaiResponse(...openaiOutput), openaiDone('msg_2'), openaiDone('msg_3')],
  },
  'OpenAI, items that the server does not store': {
    model: createModels.openai,
    providerOptions: { openai: { store: false, include: ['reasoning.encrypted_content'] } } as never,
    answers: [openaiResponse(...openaiOutput), openaiDone('msg_2'), openaiDone('msg_3')],
  },
  'Gemini, signatures of thoughts, texts and calls': {
    model: createModels.google,
    answers: [
      google([
        { text: 'Think.', thought: true, thoughtSignature: 'THOUGHT' },
        { text: 'I add.', thoughtSignature: 'TSIG' },
        googleCall,
      ]),
      google([{ text: 'It is 3.', thoughtSignature: 'LAST' }]),
      google([{ text: 'It is 6.' }]),
    ],
  },
  'Gemini, an image of the model and sources': {
    model: createModels.google,
    answers: [
      google([{ text: 'Look: ' }, { inlineData: { mimeType: 'image/png', data: png } }, { text: 'Done.' }], {
        groundingMetadata: { groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }] },
      }),
      google([{ text: 'It is 6.' }]),
    ],
  },
  'Gemini, an image of a tool': {
    model: createModels.google,
    draws: true,
    answers: [google([googleCall]), google([{ text: 'It is 3.' }]), google([{ text: 'It is 6.' }])],
  },
}

describe('requests equal those of the AI SDK', () => {
  for (const [name, given] of Object.entries(cases))
    it.each(['whole' as const, 'streamed' as const, 'in saved steps' as const])(`${name}: %s`, async (mode) => {
      const expected = await bodies(given.answers, (url) => theirs(given, url, mode === 'streamed'))
      const sent = await bodies(given.answers, (url) => ours(given, url, mode))
      expect(expected.length).toBe(given.answers.length)
      expect(sent).toEqual(expected)
    })
})

describe('the message of an answer', () => {
  it('contains sources and files of the model', async () => {
    let history: ChatMessage[] = []
    const given = cases['Gemini, an image of the model and sources']!
    await bodies(given.answers, async (url) => {
      history = await ours(given, url, 'streamed')
    })
    expect(history[1]?.content).toBe('Look: Done.')
    expect(messageParts(history[1]!)).toEqual([
      { type: 'text', text: 'Look: ' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
      { type: 'text', text: 'Done.' },
      { type: 'source', source: { id: expect.any(String), url: 'https://a.example', title: 'A' } },
    ])
  })
})
