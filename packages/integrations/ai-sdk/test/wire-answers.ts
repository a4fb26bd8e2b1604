/** Answers in the wire formats of providers, whole or streamed as the request asks. Used by the tests of requests. */
import { type Answer, json, pieces } from '../../../../tools/loopback-model-server.ts'

// biome-ignore lint/suspicious/noExplicitAny: blocks of every form
type Block = any

const events = (list: readonly object[], named: boolean): Answer =>
  pieces(
    list.map((event) => {
      const name = named ? `event: ${(event as { type: string }).type}\n` : ''
      return `${name}data: ${JSON.stringify(event)}\n\n`
    }),
  )

/** A message of Anthropic. */
export function anthropic(...content: Block[]): Answer {
  const stop_reason = content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn'
  const usage = { input_tokens: 9, output_tokens: 4 }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null, usage }
  const stream = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    ...content.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: emptyBlock(block) },
      ...blockDeltas(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
  return (response, request) =>
    (request.body.stream ? events(stream, true) : json({ ...message, content, stop_reason }))(response, request)
}

function emptyBlock(block: Block): Block {
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' }
  if (block.type === 'text') return { type: 'text', text: '' }
  return /tool_use$/.test(block.type) ? { ...block, input: {} } : block
}

function blockDeltas({ type, thinking, signature, text, citations = [], input }: Block): Block[] {
  if (type === 'thinking')
    return [
      ...halves(thinking).map((half) => ({ type: 'thinking_delta', thinking: half })),
      { type: 'signature_delta', signature },
    ]
  if (type === 'text')
    return [
      ...halves(text).map((half) => ({ type: 'text_delta', text: half })),
      ...citations.map((citation: Block) => ({ type: 'citations_delta', citation })),
    ]
  if (!/tool_use$/.test(type)) return []
  return halves(JSON.stringify(input)).map((half) => ({ type: 'input_json_delta', partial_json: half }))
}

/** A response of OpenAI's Responses interface. */
export function openaiResponse(...output: Block[]): Answer {
  const usage = { input_tokens: 9, output_tokens: 4 }
  const response = { id: 'resp_1', created_at: 1, model: 'm', usage, output, incomplete_details: null }
  const stream = [
    { type: 'response.created', response: { ...response, output: [], usage: null } },
    ...output.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item: emptyItem(item) },
      ...itemDeltas(item).map((event) => ({ output_index, item_id: item.id, ...event })),
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: 'response.completed', response },
  ]
  return (answer, request) => (request.body.stream ? events(stream, true) : json(response))(answer, request)
}

function emptyItem(item: Block): Block {
  if (item.type === 'message') return { ...item, content: [] }
  return item.type === 'function_call' ? { ...item, arguments: '' } : item
}

function itemDeltas({ type, content = [], summary = [], arguments: args = '' }: Block): Block[] {
  if (type === 'message')
    return content.flatMap(({ text }: Block) =>
      halves(text).map((delta) => ({ type: 'response.output_text.delta', delta })),
    )
  if (type === 'reasoning')
    return summary.flatMap(({ text }: Block, summary_index: number) => [
      { type: 'response.reasoning_summary_part.added', summary_index },
      ...halves(text).map((delta) => ({ type: 'response.reasoning_summary_text.delta', summary_index, delta })),
      { type: 'response.reasoning_summary_part.done', summary_index },
    ])
  if (type !== 'function_call') return []
  return halves(args).map((delta) => ({ type: 'response.function_call_arguments.delta', delta }))
}

/** An answer of Gemini. */
export function google(parts: Block[], rest: object = {}): Answer {
  const usageMetadata = { promptTokenCount: 9, candidatesTokenCount: 4, totalTokenCount: 13 }
  const chunk = (list: Block[], finish: object = {}) => ({
    candidates: [{ content: { role: 'model', parts: list }, ...finish }],
    usageMetadata,
  })
  const last = { finishReason: 'STOP', ...rest }
  const stream = [...parts.map((part) => chunk([part])), chunk([], last)]
  return (response, request) =>
    (request.url.includes('streamGenerateContent') ? events(stream, false) : json(chunk(parts, last)))(
      response,
      request,
    )
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '')
}
