/** Answers in the wire formats of providers, whole or streamed as the request asks. Used by the tests of requests. */
import { type Answer, json, pieces } from '../../../../../tools/loopback-model-server.ts'

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
export function anthropic(content: Block[], stop?: string): Answer {
  const stop_reason = stop ?? (content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn')
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
export function openaiResponse(output: Block[], cut?: string): Answer {
  const usage = { input_tokens: 9, output_tokens: 4 }
  const response = {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status: cut ? 'incomplete' : 'completed',
    model: 'm',
    usage,
    output,
    incomplete_details: cut ? { reason: cut } : null,
  }
  const stream = [
    { type: 'response.created', response: { ...response, output: [], usage: null } },
    ...output.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item: emptyItem(item) },
      ...itemDeltas(item).map((event) => ({ output_index, item_id: item.id, ...event })),
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: cut ? 'response.incomplete' : 'response.completed', response },
  ]
  return (answer, request) => (request.body.stream ? events(stream, true) : json(response))(answer, request)
}

function emptyItem(item: Block): Block {
  if (item.type === 'message') return { ...item, content: [] }
  return item.type === 'function_call' ? { ...item, arguments: '' } : item
}

function itemDeltas({ type, content = [], summary = [], arguments: args = '' }: Block): Block[] {
  if (type === 'message')
    return content.flatMap((part: Block, content_index: number) => [
      { type: 'response.content_part.added', content_index, part: { ...part, text: '', refusal: '' } },
      ...halves(part.text ?? part.refusal).map((delta) => ({
        type: part.type === 'refusal' ? 'response.refusal.delta' : 'response.output_text.delta',
        content_index,
        delta,
      })),
      { type: 'response.content_part.done', content_index, part },
    ])
  if (type === 'reasoning')
    return summary.flatMap(({ text }: Block, summary_index: number) => [
      { type: 'response.reasoning_summary_part.added', summary_index, part: { type: 'summary_text', text: '' } },
      ...halves(text).map((delta) => ({ type: 'response.reasoning_summary_text.delta', summary_index, delta })),
      { type: 'response.reasoning_summary_part.done', summary_index, part: { type: 'summary_text', text } },
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

/** An answer of OpenAI's chat interface. */
export function chat(message: Block, stop?: string): Answer {
  const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 }
  const finish_reason = stop ?? (message.tool_calls ? 'tool_calls' : 'stop')
  const rest = { id: 'chatcmpl_1', object: 'chat.completion', created: 1, model: 'm' }
  const { content, tool_calls = [], ...marks } = message
  const deltas = [
    { role: 'assistant' },
    ...Object.entries(marks).flatMap(([name, value]) => halves(String(value)).map((half) => ({ [name]: half }))),
    ...halves(content ?? '').map((half) => ({ content: half })),
    ...tool_calls.flatMap(({ function: { arguments: args, name }, ...call }: Block, index: number) => [
      { tool_calls: [{ index, ...call, function: { name, arguments: '' } }] },
      ...halves(args).map((half) => ({ tool_calls: [{ index, function: { arguments: half } }] })),
    ]),
  ]
  const chunk = (delta: Block, reason: string | null = null) => ({
    ...rest,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: reason }],
  })
  const stream = [...deltas.map((delta) => chunk(delta)), chunk({}, finish_reason), { ...rest, choices: [], usage }]
  return (response, request) =>
    request.body.stream
      ? pieces([...stream.map((event) => `data: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n'])(response, request)
      : json({ ...rest, choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }], usage })(
          response,
          request,
        )
}

/** An answer of Ollama's own interface. */
export function ollama(message: Block): Answer {
  const rest = { model: 'm', created_at: '2026-01-01T00:00:00Z' }
  const end = { done: true, done_reason: 'stop', prompt_eval_count: 9, eval_count: 4 }
  const { content, thinking = '', tool_calls } = message
  const deltas = [
    ...halves(thinking).map((half) => ({ role: 'assistant', content: '', thinking: half })),
    ...halves(content).map((half) => ({ role: 'assistant', content: half })),
    ...(tool_calls ? [{ role: 'assistant', content: '', tool_calls }] : []),
  ]
  const lines = [
    ...deltas.map((delta) => ({ ...rest, message: delta, done: false })),
    { ...rest, message: { role: 'assistant', content: '' }, ...end },
  ]
  return (response, request) =>
    request.body.stream
      ? pieces(
          lines.map((line) => `${JSON.stringify(line)}\n`),
          { type: 'application/x-ndjson' },
        )(response, request)
      : json({ ...rest, message: { role: 'assistant', ...message }, ...end })(response, request)
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '')
}
