import { ChatMessage, finishReasonOf, messageText, toolCallsOf } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { OpenAI } from './openai.ts'
import { OpenAIResponses } from './openai-responses.ts'

const question = [new ChatMessage({ content: 'Q' })]

/** Returns a model whose server answers with this JSON, or these events. */
function answering(Model: typeof OpenAI | typeof OpenAIResponses, body: object | readonly object[]) {
  const isStream = Array.isArray(body)
  const text = isStream ? body.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') : JSON.stringify(body)
  const headers = { 'content-type': isStream ? 'text/event-stream' : 'application/json' }
  return new Model({ model: 'm', baseUrl: 'http://localhost/v1', fetch: async () => new Response(text, { headers }) })
}

async function streamed(Model: typeof OpenAI | typeof OpenAIResponses, events: readonly object[]) {
  let last: Awaited<ReturnType<OpenAI['chat']>> | undefined
  for await (const response of await answering(Model, events).streamChat(question)) last = response
  return last!
}

const pay = { type: 'function_call', call_id: 'a', name: 'pay' }
const callsOf = ({ message }: { message: ChatMessage }) => toolCallsOf(message).map((call) => call.arguments)

describe('the Responses interface of a server that differs', () => {
  it('keeps arguments that are an object, or no object at all', async () => {
    const whole = await answering(OpenAIResponses, {
      output: [
        { ...pay, arguments: { amount: 5 } },
        { ...pay, call_id: 'b', arguments: 5 },
      ],
    }).chat(question)
    expect(callsOf(whole)).toEqual(['{"amount":5}', '5'])
  })

  const begun = { type: 'response.output_item.added', output_index: 0, item: pay }
  const delta = { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"amount":5}' }
  const whole = { ...pay, arguments: '{"amount":5}' }
  const completed = { type: 'response.completed', response: { output: [] } }
  it.each<[string, object[]]>([
    [
      'not repeated at the end of the call',
      [
        begun,
        delta,
        { type: 'response.output_item.done', output_index: 0, item: { ...pay, arguments: '' } },
        completed,
      ],
    ],
    [
      'sent at the end of the call alone',
      [begun, { type: 'response.function_call_arguments.done', output_index: 0, arguments: '{"amount":5}' }, completed],
    ],
    ['sent in the item alone', [begun, { type: 'response.output_item.done', output_index: 0, item: whole }, completed]],
    ['sent in the response alone', [begun, { ...completed, response: { output: [whole] } }]],
    ['of a call that is in the response alone', [{ ...completed, response: { output: [whole] } }]],
    [
      'of a call with another position at the end',
      [begun, delta, { ...completed, response: { output: [{ type: 'reasoning', summary: [] }, whole] } }],
    ],
    [
      'repeated everywhere',
      [
        begun,
        delta,
        { type: 'response.function_call_arguments.done', output_index: 0, arguments: '{"amount":5}' },
        { type: 'response.output_item.done', output_index: 0, item: whole },
        { ...completed, response: { output: [whole] } },
      ],
    ],
  ])('reads arguments that are %s', async (_where, events) => {
    expect(callsOf(await streamed(OpenAIResponses, events))).toEqual(['{"amount":5}'])
  })

  it('reads two calls of items that are not numbered', async () => {
    const other = { ...pay, call_id: 'b' }
    const text = (item_id: string, delta: string) => ({
      type: 'response.function_call_arguments.delta',
      item_id,
      delta,
    })
    const last = await streamed(OpenAIResponses, [
      { type: 'response.output_item.added', item: { ...pay, id: 'i1' } },
      { type: 'response.output_item.added', item: { ...other, id: 'i2' } },
      text('i1', '{"amount":1}'),
      text('i2', '{"amount":2}'),
      { type: 'response.output_item.done', item: { ...pay, id: 'i1', arguments: '{"amount":1}' } },
      { type: 'response.output_item.done', item: { ...other, id: 'i2', arguments: '{"amount":2}' } },
      completed,
    ])
    expect(callsOf(last)).toEqual(['{"amount":1}', '{"amount":2}'])
  })

  const at = { output_index: 0, content_index: 0 }
  it.each<[string, object[], string, string]>([
    ['once, at its end', [{ type: 'response.output_text.done', ...at, text: 'Hi' }, completed], 'Hi', 'stop'],
    [
      'in pieces without positions',
      [
        { type: 'response.output_text.delta', output_index: 0, delta: 'Hi' },
        { ...at, type: 'response.output_text.done', text: 'Hi' },
        completed,
      ],
      'Hi',
      'stop',
    ],
    ['as a refusal', [{ type: 'response.refusal.delta', ...at, delta: 'No.' }, completed], 'No.', 'content_filter'],
    [
      'before the end of OpenRouter',
      [
        { type: 'response.output_text.delta', ...at, delta: 'Hi' },
        { ...completed, type: 'response.done' },
      ],
      'Hi',
      'stop',
    ],
  ])('reads a text that is sent %s', async (_how, events, text, reason) => {
    const last = await streamed(OpenAIResponses, events)
    expect([messageText(last.message), finishReasonOf(last)]).toEqual([text, reason])
  })

  it.each(['cancelled', 'failed'])('refuses a stream that ends with a response that is %s', async (status) => {
    const events = [{ ...completed, response: { status, error: null, output: [] } }]
    await expect(streamed(OpenAIResponses, events)).rejects.toMatchObject({ kind: 'bad_response' })
  })

  it.each(['queued', 'in_progress', 'cancelled', 'failed'])('refuses a response that is %s', async (status) => {
    const answer = answering(OpenAIResponses, { status, error: null, output: [] }).chat(question)
    await expect(answer).rejects.toMatchObject({ code: 'model_call', kind: 'bad_response' })
  })

  it('reports a cut answer without a reason as cut', async () => {
    const output = [{ type: 'message', content: [{ type: 'output_text', text: 'Hal' }] }]
    const response = { status: 'incomplete', incomplete_details: null, output }
    const whole = await answering(OpenAIResponses, response).chat(question)
    const last = await streamed(OpenAIResponses, [{ type: 'response.incomplete', response }])
    expect([finishReasonOf(whole), finishReasonOf(last), messageText(last.message)]).toEqual([
      'length',
      'length',
      'Hal',
    ])
  })

  it('reads a content that is a string', async () => {
    const answer = await answering(OpenAIResponses, { output: [{ type: 'message', content: 'Hello' }] }).chat(question)
    expect(messageText(answer.message)).toBe('Hello')
  })
})

describe('the chat interface of a server that differs', () => {
  const message = (given: object) => ({ choices: [{ message: given, finish_reason: 'stop' }] })

  it('reads a content of parts', async () => {
    const content = [
      { type: 'thinking', thinking: [] },
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
    ]
    const whole = await answering(OpenAI, message({ content })).chat(question)
    const last = await streamed(OpenAI, [{ choices: [{ delta: { content }, finish_reason: 'stop' }] }])
    expect([whole, last].map((response) => messageText(response.message))).toEqual(['Hello', 'Hello'])
  })

  it('reads the deltas of a server that repeats the message so far, and its whole answers', async () => {
    const choice = (content: string, delta: string) => ({
      choices: [
        { message: { content }, delta: { content: delta }, finish_reason: content === 'The tea' ? 'stop' : null },
      ],
    })
    const events = [choice('The', 'The'), choice('The t', ' t'), choice('The tea', 'ea')]
    const last = await streamed(OpenAI, events)
    const whole = await answering(OpenAI, choice('The tea', '')).chat(question)
    expect([last, whole].map((response) => messageText(response.message))).toEqual(['The tea', 'The tea'])
  })

  it('keeps arguments that are no object, so that they are refused instead of read as none', async () => {
    const call = (args: unknown) => ({ id: 'a', function: { name: 'pay', arguments: args } })
    const answer = await answering(OpenAI, message({ tool_calls: [call(5), call(null), call({ a: 1 })] })).chat(
      question,
    )
    expect(callsOf(answer)).toEqual(['5', '', '{"a":1}'])
  })
})
