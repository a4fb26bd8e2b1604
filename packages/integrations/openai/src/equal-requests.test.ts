import Client from 'openai'
import { describe, it } from 'vitest'
import { converse, expectEqualRequests, modes, questions, schema } from '../test/wire/conversation.ts'
import { pdf, png, type Turns, turns } from '../test/wire/turns.ts'
import { OpenAI } from './openai.ts'
import { OpenAIResponses } from './openai-responses.ts'

// biome-ignore lint/suspicious/noExplicitAny: the client's own types differ between whole answers and streams
type Any = any

const clientOf = (baseURL: string): Any => new Client({ apiKey: 'k', baseURL, maxRetries: 0 })
const definition = { name: 'add', description: 'Adds.', parameters: schema }
const sum = (json: string): string => {
  const { a, b } = JSON.parse(json)
  return String(a + b)
}

/** The conversation with the chat interface of OpenAI's client. Messages go back as they came. */
async function chatOfClient(baseURL: string, isStreamed: boolean): Promise<void> {
  const messages: Any[] = []
  for (const question of questions) {
    messages.push({ role: 'user', content: question })
    for (let calls: Any[] | undefined; calls === undefined || calls.length > 0; ) {
      const message = await chatMessage(clientOf(baseURL), messages, isStreamed)
      messages.push(message)
      calls = (message.tool_calls ?? []) as Any[]
      for (const { id, function: call } of calls)
        messages.push({ role: 'tool', tool_call_id: id, content: sum(call.arguments) })
    }
  }
}

async function chatMessage(client: Any, messages: Any[], isStreamed: boolean): Promise<Any> {
  const tools = [{ type: 'function', function: definition }]
  const request = { model: 'm', messages, tools, tool_choice: 'auto' }
  if (!isStreamed) return (await client.chat.completions.create(request)).choices[0].message
  const message: Any = {}
  const stream = { stream: true, stream_options: { include_usage: true } }
  for await (const { choices } of await client.chat.completions.create({ ...request, ...stream })) {
    const { tool_calls = [], ...texts } = choices[0]?.delta ?? {}
    for (const [name, text] of Object.entries(texts)) message[name] = (message[name] ?? '') + text
    message.content ??= null
    for (const { index, ...piece } of tool_calls) {
      message.tool_calls ??= []
      const call = message.tool_calls[index]
      if (call) call.function.arguments += piece.function.arguments
      else message.tool_calls[index] = piece
    }
  }
  return message
}

/** The conversation with the Responses interface of OpenAI's client. Items go back as they came. */
async function responsesOfClient(given: Turns, baseURL: string, isStreamed: boolean): Promise<void> {
  const client = clientOf(baseURL)
  const input: Any[] = []
  for (const question of questions) {
    input.push({ role: 'user', content: question })
    for (let calls: Any[] | undefined; calls === undefined || calls.length > 0; ) {
      const request = {
        model: 'm',
        input,
        ...storage(given),
        tools: [...tools, ...searches(given)],
        tool_choice: 'auto',
      }
      const answer = isStreamed
        ? await finalResponse(await client.responses.create({ ...request, stream: true }))
        : await client.responses.create(request)
      input.push(...answer.output)
      calls = answer.output.filter(({ type }: Any) => type === 'function_call') as Any[]
      for (const { call_id, arguments: json } of calls)
        input.push({ type: 'function_call_output', call_id, output: given.output ? outputs[given.output] : sum(json) })
    }
  }
}

async function finalResponse(stream: AsyncIterable<Any>): Promise<Any> {
  let last: Any
  for await (const event of stream) last = event.response ?? last
  return last
}

const tools = [{ type: 'function', ...definition, strict: false }]
const searches = ({ search }: Turns) => (search ? [{ type: 'web_search' }] : [])
const storage = ({ stateless }: Turns) => (stateless ? { store: false, include: ['reasoning.encrypted_content'] } : {})
const see = { type: 'input_text', text: 'See:' }
const outputs = {
  image: [see, { type: 'input_image', image_url: `data:image/png;base64,${png}` }],
  file: [see, { type: 'input_file', filename: 'sum.pdf', file_data: `data:application/pdf;base64,${pdf}` }],
}

describe('requests equal those of the client of OpenAI', () => {
  for (const [name, list] of Object.entries({ chat: turns.chat, DeepSeek: turns.deepSeek }))
    for (const given of list)
      it.each(modes)(`${name}: ${given.name}: %s`, async (mode) => {
        await expectEqualRequests(
          given,
          (url) => chatOfClient(url, mode === 'streamed'),
          (baseUrl) => converse(new OpenAI({ baseUrl, model: 'm' }), given, mode),
        )
      })
  for (const given of turns.responses)
    it.each(modes)(`responses: ${given.name}: %s`, async (mode) => {
      await expectEqualRequests(
        given,
        (url) => responsesOfClient(given, url, mode === 'streamed'),
        (baseUrl) => {
          const options = { baseUrl, model: 'm', body: storage(given), providerTools: searches(given) }
          return converse(new OpenAIResponses(options), given, mode)
        },
      )
    })
})
