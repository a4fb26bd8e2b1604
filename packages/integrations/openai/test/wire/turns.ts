/**
 * Turns of models in the wire formats of their providers, for the tests that compare the next request of an adapter with that of the
 * provider's own client. Texts are halved in streams.
 */
import type { Answer } from '../../../../../tools/loopback-model-server.ts'
import { anthropic, chat, google, ollama, openaiResponse } from './answers.ts'

/** A conversation of two questions: what the server answers, request by request. */
export interface Turns {
  name: string
  answers: Answer[]
  /** What the tool returns. @defaultValue text */
  output?: 'image' | 'file'
  /** Whether the provider's own search is offered. */
  search?: boolean
  /** Whether the server stores nothing, so that reasoning goes back encrypted. */
  stateless?: boolean
  /** Whether a system prompt is marked for the provider's cache. */
  cached?: boolean
}

/** A picture of one pixel, and a document. */
export const png = 'iVBORw0KGgo='
export const pdf = 'JVBERi0='

const text = (value: string) => ({ type: 'text', text: value })
const use = (id: string, input: object) => ({ type: 'tool_use', id, name: 'add', input })
const thinking = (value: string, signature: string) => ({ type: 'thinking', thinking: value, signature })
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
const one = use('c1', { a: 1, b: 2 })
const done = anthropic([text('It is 3.')])

const anthropicTurns: Turns[] = [
  {
    name: 'interleaved and redacted thinking',
    answers: [
      anthropic([
        thinking('One.', 'S1'),
        text('A. '),
        thinking('Two.', 'S2'),
        { type: 'redacted_thinking', data: 'RED' },
        text('B.'),
        one,
      ]),
      anthropic([thinking('Three.', 'S3'), text('It is 3.\n')]),
      done,
    ],
  },
  {
    name: 'a search that the provider runs before a call of ours',
    search: true,
    answers: [anthropic([text('I search.'), ...search, cited, text(' So:'), one]), done, done],
  },
  {
    name: 'a turn with a search that ends',
    search: true,
    answers: [anthropic([text('I search.'), ...search, cited]), done],
  },
  { name: 'an image of a tool', output: 'image', answers: [anthropic([text('I draw.'), one]), done, done] },
  { name: 'a file of a tool', output: 'file', answers: [anthropic([text('I print.'), one]), done, done] },
  {
    name: 'parallel calls',
    answers: [anthropic([text('Both.'), one, use('c2', { a: 3, b: 4 })]), done, done],
  },
  { name: 'a call without text', answers: [anthropic([one]), done, done] },
  { name: 'a cut answer', answers: [anthropic([text('It is')], 'max_tokens'), done] },
  { name: 'a refusal', answers: [anthropic([text('I cannot.')], 'refusal'), done] },
  { name: 'a cached prompt', cached: true, answers: [anthropic([one]), done, done] },
]

const call = (id: string, args: object) => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name: 'add',
  arguments: JSON.stringify(args),
  status: 'completed',
})
const message = (id: string, ...content: object[]) => ({
  type: 'message',
  id,
  role: 'assistant',
  status: 'completed',
  content,
})
const says = (id: string, value: string) =>
  openaiResponse([message(id, { type: 'output_text', text: value, annotations: [] })])
const reasoning = (id: string, ...summary: string[]) => ({
  type: 'reasoning',
  id,
  encrypted_content: 'ENC',
  summary: summary.map((value) => ({ type: 'summary_text', text: value })),
})
const citation = { type: 'url_citation', start_index: 0, end_index: 4, url: 'https://a.example', title: 'Sums' }
const planned = [
  reasoning('rs_1', 'Add them.'),
  { ...message('msg_1', { type: 'output_text', text: 'I add.', annotations: [] }), phase: 'commentary' },
  call('c1', { a: 1, b: 2 }),
]
const [second, third] = [says('msg_2', 'It is 3.'), says('msg_3', 'It is 6.')]

const responseTurns: Turns[] = [
  { name: 'items that the server stores', answers: [openaiResponse(planned), second, third] },
  { name: 'items that the server does not store', stateless: true, answers: [openaiResponse(planned), second, third] },
  {
    name: 'parallel calls after two summaries',
    stateless: true,
    answers: [
      openaiResponse([reasoning('rs_1', 'One.', 'Two.'), call('c1', { a: 1, b: 2 }), call('c2', { a: 3, b: 4 })]),
      second,
      third,
    ],
  },
  {
    name: 'reasoning without a summary',
    stateless: true,
    answers: [openaiResponse([reasoning('rs_1'), call('c1', { a: 1, b: 2 })]), second, third],
  },
  {
    name: 'a search that the provider runs, with sources',
    search: true,
    answers: [
      openaiResponse([
        { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'sums' } },
        message('msg_1', { type: 'output_text', text: 'Sums add.', annotations: [citation] }),
      ]),
      third,
    ],
  },
  { name: 'an image of a tool', output: 'image', answers: [openaiResponse([planned[2]]), second, third] },
  { name: 'a file of a tool', output: 'file', answers: [openaiResponse([planned[2]]), second, third] },
  {
    name: 'a refusal',
    answers: [openaiResponse([message('msg_1', { type: 'refusal', refusal: 'I cannot.' })]), third],
  },
  {
    name: 'a cut answer',
    answers: [
      openaiResponse(
        [{ ...message('msg_1', { type: 'output_text', text: 'It is', annotations: [] }), status: 'incomplete' }],
        'max_output_tokens',
      ),
      third,
    ],
  },
]

const googleCall = (id: string, args: object) => ({ functionCall: { id, name: 'add', args }, thoughtSignature: 'FSIG' })
const googleDone = google([{ text: 'It is 6.' }])

const googleTurns: Turns[] = [
  {
    name: 'signatures of thoughts, texts and calls',
    answers: [
      google([
        { text: 'Think.', thought: true, thoughtSignature: 'THOUGHT' },
        { text: 'I add.', thoughtSignature: 'TSIG' },
        googleCall('c1', { a: 1, b: 2 }),
      ]),
      google([{ text: 'It is 3.', thoughtSignature: 'LAST' }]),
      googleDone,
    ],
  },
  {
    name: 'an image of the model and sources',
    answers: [
      google([{ text: 'Look: ' }, { inlineData: { mimeType: 'image/png', data: png } }, { text: 'Done.' }], {
        groundingMetadata: { groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }] },
      }),
      googleDone,
    ],
  },
  {
    name: 'an image of a tool',
    output: 'image',
    answers: [google([googleCall('c1', { a: 1, b: 2 })]), google([{ text: 'It is 3.' }]), googleDone],
  },
  {
    name: 'parallel calls',
    answers: [
      google([googleCall('c1', { a: 1, b: 2 }), { functionCall: { id: 'c2', name: 'add', args: { a: 3, b: 4 } } }]),
      google([{ text: 'It is 3 and 7.' }]),
      googleDone,
    ],
  },
  { name: 'a cut answer', answers: [google([{ text: 'It is' }], { finishReason: 'MAX_TOKENS' }), googleDone] },
]

const chatCall = (id: string, args: object) => ({
  id,
  type: 'function',
  function: { name: 'add', arguments: JSON.stringify(args) },
})
const chatDone = chat({ content: 'It is 3.' })

const chatTurns: Turns[] = [
  {
    name: 'text and a call',
    answers: [chat({ content: 'I add.', tool_calls: [chatCall('c1', { a: 1, b: 2 })] }), chatDone, chatDone],
  },
  {
    name: 'parallel calls without text',
    answers: [
      chat({ content: null, tool_calls: [chatCall('c1', { a: 1, b: 2 }), chatCall('c2', { a: 3, b: 4 })] }),
      chatDone,
      chatDone,
    ],
  },
  { name: 'a cut answer', answers: [chat({ content: 'It is' }, 'length'), chatDone] },
]

const deepSeekTurns: Turns[] = [
  {
    name: 'reasoning before a call',
    answers: [
      chat({ content: 'I add.', reasoning_content: 'Add them.', tool_calls: [chatCall('c1', { a: 1, b: 2 })] }),
      chat({ content: 'It is 3.', reasoning_content: 'So.' }),
      chatDone,
    ],
  },
]

const ollamaTurns: Turns[] = [
  {
    name: 'thinking before a call',
    answers: [
      ollama({
        content: 'I add.',
        thinking: 'Add them.',
        tool_calls: [{ function: { name: 'add', arguments: { a: 1, b: 2 } } }],
      }),
      ollama({ content: 'It is 3.', thinking: 'So.' }),
      ollama({ content: 'It is 6.' }),
    ],
  },
]

/** The turns of each wire format: Anthropic's messages, Gemini, OpenAI's responses and chat, DeepSeek's chat, Ollama's own. */
export const turns = {
  anthropic: anthropicTurns,
  google: googleTurns,
  responses: responseTurns,
  chat: chatTurns,
  deepSeek: deepSeekTurns,
  ollama: ollamaTurns,
} satisfies Record<string, Turns[]>
