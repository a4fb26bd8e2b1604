/**
 * Answers the requests of examples to `api.openai.com`, so that documents show a real model and their examples run without a key and without
 * a network. The model calls the first tool once, with arguments from its schema and the question, and then repeats the result.
 */

interface ChatRequest {
  messages: { role: string; content: unknown }[]
  tools?: { function: { name: string; parameters?: { properties?: Record<string, { type?: string }> } } }[]
  stream?: boolean
}

const textOf = (content: unknown): string => (typeof content === 'string' ? content : JSON.stringify(content ?? ''))

/** Arguments for a schema: the first number of a question, and the last word with a capital letter. */
function argumentsFor(properties: Record<string, { type?: string }>, question: string): object {
  const number = Number(/\d+/.exec(question)?.[0] ?? 1)
  const word = question.match(/\b[A-Z]\w+/g)?.at(-1) ?? question
  const valueOf = ({ type }: { type?: string }) => (type === 'number' || type === 'integer' ? number : word)
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valueOf(schema)]))
}

/** The message of the model. */
function reply({ messages, tools }: ChatRequest): { message: object; reason: string } {
  const last = messages.at(-1)
  const tool = tools?.[0]?.function
  if (last?.role === 'tool' || tool === undefined)
    return { message: { role: 'assistant', content: `It is ${textOf(last?.content)}.` }, reason: 'stop' }
  const args = argumentsFor(tool.parameters?.properties ?? {}, textOf(last?.content))
  const call = { id: 'call_1', type: 'function', function: { name: tool.name, arguments: JSON.stringify(args) } }
  return { message: { role: 'assistant', content: null, tool_calls: [call] }, reason: 'tool_calls' }
}

function answer(request: ChatRequest): Response {
  const { message, reason } = reply(request)
  const usage = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 }
  const head = { id: 'chatcmpl-1', created: 0, model: 'gpt-5-mini' }
  if (request.stream !== true) {
    const choices = [{ index: 0, message, finish_reason: reason }]
    return Response.json({ ...head, object: 'chat.completion', choices, usage })
  }
  const { tool_calls: calls = [] } = message as { tool_calls?: object[] }
  const delta = {
    ...message,
    ...(calls.length > 0 && { tool_calls: calls.map((call, index) => ({ ...call, index })) }),
  }
  const chunks = [
    { choices: [{ index: 0, delta, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: reason }] },
    { choices: [], usage },
  ]
  const lines = chunks.map(
    (chunk) => `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...chunk })}\n\n`,
  )
  return new Response(`${lines.join('')}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } })
}

const ADDRESS = 'https://api.openai.com/v1/chat/completions'
const { fetch: platform } = globalThis
globalThis.fetch = async (input, init) => {
  const address = input instanceof Request ? input.url : String(input)
  if (address !== ADDRESS) return platform(input, init)
  return answer((await new Request(input, init).json()) as ChatRequest)
}
