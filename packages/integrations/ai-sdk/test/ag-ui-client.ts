/** The client of AG-UI for tests of chats, and what it shows. */
import { HttpAgent } from '@ag-ui/client'
import type { Interrupt } from '@ag-ui/core'
import type { Route } from '../../../chats/test/chat-world.ts'
import { fetchOf } from './chat-clients.ts'

export interface Client {
  agent: HttpAgent
  /** The events of all runs. */
  events: string[]
  say(text: string): Promise<void>
  /** The calls that wait. */
  interrupts: Interrupt[]
}

/** The client of AG-UI. It refuses events in a wrong order. `route` may change between its requests. */
export function clientOf(route: () => Route, { threadId = 'chat', user = 'ann' } = {}): Client {
  const agent = new HttpAgent({
    url: 'https://chat.example/agent',
    threadId,
    headers: { 'x-user': user },
    fetch: fetchOf(route),
  })
  const client: Client = {
    agent,
    events: [],
    interrupts: [],
    async say(text) {
      agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: text })
      await agent.runAgent()
    },
  }
  agent.subscribe({
    onEvent: ({ event }) => void client.events.push(event.type),
    onRunFinishedEvent: ({ event }) => {
      client.interrupts = event.outcome?.type === 'interrupt' ? event.outcome.interrupts : []
    },
  })
  return client
}

export const texts = ({ agent }: Client) =>
  agent.messages.flatMap(({ role, content }) =>
    typeof content === 'string' && role !== 'reasoning' ? [`${role}: ${content}`] : [],
  )
