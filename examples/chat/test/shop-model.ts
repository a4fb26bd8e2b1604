import type { IncomingMessage, ServerResponse } from 'node:http'

/** A model that buys a pear when the last message is a question, and then says what happened. */
export async function answerAsShop(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = ''
  for await (const chunk of request) text += chunk
  const { messages } = JSON.parse(text) as { messages: { role: string; content: string }[] }
  const last = messages.at(-1)!
  const call = { index: 0, id: 'c1', type: 'function', function: { name: 'buy', arguments: '{"fruit":"pear"}' } }
  const delta = last.role === 'tool' ? { content: `Result: ${last.content}` } : { tool_calls: [call] }
  const chunk = (given: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: given, finish_reason }] })}\n\n`
  response.setHeader('content-type', 'text/event-stream')
  response.end(`${chunk(delta, null)}${chunk({}, last.role === 'tool' ? 'stop' : 'tool_calls')}data: [DONE]\n\n`)
}
