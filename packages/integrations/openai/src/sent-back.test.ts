import { FunctionCallingAgent, FunctionTool } from '@x/agents'
import { ChatMessage, messageParts, reasoningOf, ToolOutput } from '@x/core-model'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, chunk, eventText, json, LoopbackServer, pieces } from '../../../../tools/loopback-model-server.ts'
import { OpenAI } from './openai.ts'

const png = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA' } }
const call = { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }

let server: LoopbackServer
let llm: OpenAI
beforeEach(async () => {
  server = new LoopbackServer()
  llm = new OpenAI({ baseUrl: await server.start(), model: 'm' })
})
afterEach(() => server.stop())

/** An answer, whole or in these deltas. */
function answer(message: object, deltas: object[] = [message]): Answer {
  const reason = 'tool_calls' in message ? 'tool_calls' : 'stop'
  const stream = eventText([...deltas.map((delta) => chunk(delta)), chunk({}, reason)])
  return (response, request) =>
    request.body.stream
      ? pieces([stream])(response, request)
      : json({ choices: [{ index: 0, message, finish_reason: reason }], usage })(response, request)
}

const add = FunctionTool.fromDefaults({
  name: 'add',
  schema: { type: 'object', properties: { a: { type: 'number' } } },
  fn: () => '3',
})

/** Asks an agent twice, and returns the messages of the last request. */
async function conversation(isStreamed: boolean, tool = add): Promise<Record<string, unknown>[]> {
  const agent = FunctionCallingAgent.fromTools({ llm, tools: [tool] })
  for (const question of ['One?', 'Two?'])
    if (isStreamed) for await (const _ of await agent.streamChat(question));
    else await agent.chat(question)
  return server.requests.at(-1)?.body.messages
}

const detail = { type: 'reasoning.text', index: 0, format: 'anthropic', signature: null }
const turns: Record<string, { message: object; deltas?: object[]; sent?: object }> = {
  'reasoning_content of DeepSeek and Kimi': {
    message: { reasoning_content: 'Add them.', content: '', tool_calls: [call] },
    deltas: [{ reasoning_content: 'Add ' }, { reasoning_content: 'them.' }, { tool_calls: [{ index: 0, ...call }] }],
    sent: { reasoning_content: 'Add them.', content: null, tool_calls: [call] },
  },
  'reasoning of Ollama and vLLM': {
    message: { reasoning: 'Add them.', content: 'So:', tool_calls: [call] },
    deltas: [{ reasoning: 'Add them.' }, { tool_calls: [{ index: 0, ...call }] }, { content: 'So:' }],
  },
  'reasoning details of OpenRouter': {
    message: {
      reasoning: 'Add them.',
      reasoning_details: [{ ...detail, text: 'Add them.', signature: 'SIG' }],
      content: 'So:',
      tool_calls: [call],
    },
    deltas: [
      { reasoning: 'Add ', reasoning_details: [{ ...detail, text: 'Add ' }] },
      { reasoning: 'them.', reasoning_details: [{ ...detail, text: 'them.' }] },
      { reasoning_details: [{ type: 'reasoning.text', index: 0, signature: 'SIG' }] },
      { content: 'So:', tool_calls: [{ index: 0, ...call }] },
    ],
  },
  'signatures of the calls of Gemini': {
    message: { content: 'So:', tool_calls: [{ ...call, extra_content: { google: { thought_signature: 'SIG' } } }] },
    deltas: [
      { content: 'So:' },
      { tool_calls: [{ index: 0, ...call, extra_content: { google: { thought_signature: 'SIG' } } }] },
    ],
  },
  'images that the model made': {
    message: { content: 'Look:', images: [png], tool_calls: [call] },
    deltas: [{ content: 'Look:', images: [] }, { images: [png] }, { tool_calls: [{ index: 0, ...call }] }],
  },
}

describe('what a server wrote goes back in the fields in which it came', () => {
  for (const [name, { message, deltas, sent = message }] of Object.entries(turns))
    it.each([
      ['whole', false],
      ['streamed', true],
    ])(`${name}: %s`, async (_, isStreamed) => {
      server.willAnswer(answer(message, deltas), answer({ content: 'Three.' }), answer({ content: 'Six.' }))
      expect(await conversation(isStreamed)).toEqual([
        { role: 'user', content: 'One?' },
        { role: 'assistant', ...sent },
        { role: 'tool', tool_call_id: 'c1', content: '3' },
        { role: 'assistant', content: 'Three.' },
        { role: 'user', content: 'Two?' },
      ])
    })

  it('is not sent if another provider wrote it', async () => {
    server.willAnswer(answer({ content: 'ok' }))
    const reasoning = { type: 'reasoning', text: 'Hm.', provider_metadata: { anthropic: { signature: 's' } } }
    const own = { type: 'reasoning', text: 'Hm.', provider_metadata: { openai_chat: { field: 'content' } } }
    await llm.chat([
      new ChatMessage({ role: 'assistant', content: 'A', additionalKwargs: { reasoning: [reasoning] } }),
      new ChatMessage({ role: 'assistant', content: 'B', additionalKwargs: { reasoning: [own] } }),
      new ChatMessage({ role: 'assistant', content: 'C', additionalKwargs: { reasoning_content: 'So.' } }),
    ])
    expect(server.requests[0]?.body.messages).toEqual([
      { role: 'assistant', content: 'A' },
      { role: 'assistant', content: 'B', reasoning_content: 'Hm.' },
      { role: 'assistant', content: 'C', reasoning_content: 'So.' },
    ])
  })
})

describe('sources and images of an answer', () => {
  it.each([false, true])('are parts of the message: streamed %s', async (isStreamed) => {
    const url_citation = { url: 'https://a.example', title: 'A', start_index: 0, end_index: 1 }
    const annotations = [{ type: 'url_citation', url_citation }, { type: 'other' }]
    const message = { content: 'Look.', images: [png], annotations }
    server.willAnswer(answer(message, [{ content: 'Look.' }, { images: [png], annotations }, { annotations }]))
    let last = new ChatMessage()
    if (isStreamed) for await (const piece of llm.streamChat([new ChatMessage()])) last = piece.message
    else last = (await llm.chat([new ChatMessage()])).message
    expect(messageParts(ChatMessage.fromJson(last.toJson()))).toMatchObject([
      { type: 'text', text: 'Look.' },
      png,
      { type: 'source', source: { url: 'https://a.example', title: 'A' } },
    ])
    expect(reasoningOf(last)).toEqual([])
  })
})

describe('images and files in the outputs of tools', () => {
  const pdf = {
    type: 'file' as const,
    file: { url: 'data:application/pdf;base64,AA==', media_type: 'application/pdf' },
  }
  const draw = FunctionTool.fromDefaults({
    name: 'add',
    schema: { type: 'object', properties: { a: { type: 'number' } } },
    fn: () => ToolOutput.fromParts({ toolName: 'add', parts: [{ type: 'text', text: 'See:' }, png, pdf] }),
  })

  it.each([false, true])('follow the outputs in a message of the user: streamed %s', async (isStreamed) => {
    const calls = [call, { ...call, id: 'c2' }]
    const deltas = [{ tool_calls: calls.map((one, index) => ({ ...one, index })) }]
    server.willAnswer(answer({ content: null, tool_calls: calls }, deltas), answer({ content: 'A dot.' }))
    server.willAnswer(answer({ content: 'Yes.' }))
    const output = { role: 'tool', content: 'See:\n[image image/png]\n[file application/pdf]' }
    const label = (id: string) => ({ type: 'text', text: `Images and files in the output of the tool add (${id}):` })
    const file = { type: 'file', file: { filename: 'file.pdf', file_data: pdf.file.url } }
    expect((await conversation(isStreamed, draw)).slice(1)).toEqual([
      { role: 'assistant', content: null, tool_calls: calls },
      { ...output, tool_call_id: 'c1' },
      { ...output, tool_call_id: 'c2' },
      { role: 'user', content: [label('c1'), png, file, label('c2'), png, file] },
      { role: 'assistant', content: 'A dot.' },
      { role: 'user', content: 'Two?' },
    ])
    // The request that follows the outputs ends with the images.
    expect(server.requests[1]?.body.messages.at(-1).role).toBe('user')
  })
})
