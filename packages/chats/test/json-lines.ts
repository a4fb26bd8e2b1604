/** A protocol of chats for tests: a line of JSON per event. */

import type { AgentEvent } from '@x/agents'
import type { ChatProtocol, ChatTurn } from '../src/index.ts'
import type { Route } from './chat-world.ts'

export const jsonLines: ChatProtocol = {
  read: (body) => body as ChatTurn & { id: string },
  async *lines(events) {
    for await (const event of events) yield `${JSON.stringify(event)}\n`
  },
  headers: { 'content-type': 'application/jsonl' },
}

export const post = (body: unknown, user = 'ann') =>
  new Request('https://chat.example/api/chat', {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'x-user': user },
  })

/** Sends a request without a body. */
export const at = (route: Route, method: string, id = 'chat', user = 'ann') =>
  route(new Request(`https://chat.example/api/chat/${id}/stream`, { method, headers: { 'x-user': user } }))

/** Returns the events of a response. */
export async function eventsOf(response: Response): Promise<AgentEvent[]> {
  const lines = (await response.text()).split('\n')
  return lines.slice(0, -1).map((line) => JSON.parse(line))
}

/** Returns the text of the events. */
export const textOf = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'text_delta' ? [event.delta] : [])).join('')

/** Returns the status and the code of a refusal. */
export const refusalOf = async (response: Response) => [response.status, (await response.json()).error.code]
