/** A chat whose process ends at a call of its stores, and a page that is loaded afterwards. */
import { pause } from '@x/core-model/async'
import { type Any, clientOf, clients } from '../chat-clients.ts'
import { ChatServer, ChatWorld } from './server.ts'
import { shapeOf } from './shown.ts'

export interface Crash {
  /** What the user says; see `ChatWorld.answer`. */
  words: string
  isDurable: boolean
  /** What is interrupted: the answer to the message, or what follows the approval. */
  during: 'message' | 'approval'
  /** The number of calls of the stores before the end. */
  after: number
}

/** Returns what is wrong after a crash: pages that do not show what is stored. */
export async function faultsAfter({ words, isDurable, during, after }: Crash): Promise<string[]> {
  const world = new ChatWorld()
  let server = await new ChatServer(world).start(isDurable)
  const client: Any = clientOf(clients.at(-1)!, () => (request) => server.request(request))
  const say = (text: string, id: string) => client.sendMessage({ id, role: 'user', parts: [{ type: 'text', text }] })
  if (during === 'approval') await say(words, 'm1')
  server.end(after)
  await (during === 'approval' ? approve(client) : say(words, 'm1'))
  server.end()
  server = await new ChatServer(world).start(isDurable)
  const faults: string[] = []
  const compare = async (what: string) => {
    while (!(await server.isQuiet())) await pause(1)
    const shown = JSON.stringify(client.messages.map(shapeOf))
    const stored = JSON.stringify((await server.load()).map(shapeOf))
    if (shown !== stored) faults.push(`${what}: the page shows\n${shown}\nand the store has\n${stored}`)
  }
  while (!(await server.isQuiet())) await pause(1)
  client.messages = await server.load()
  await compare('loaded')
  if (client.messages.length > 0) await client.regenerate()
  await compare('continued')
  await approve(client)
  await compare('approved')
  await say('say 2', 'm2')
  await compare('the next message')
  server.end()
  return faults
}

/** Approves the calls that wait, and waits for what follows. */
async function approve(client: Any): Promise<void> {
  const parts = () => client.messages.at(-1)?.parts ?? []
  const waiting = parts().filter(({ state }: Any) => state === 'approval-requested')
  for (const { approval } of waiting) await client.addToolApprovalResponse({ id: approval.id, approved: true })
  const goesOn = () => parts().some(({ state }: Any) => state === 'approval-responded')
  while (client.status !== 'error' && (client.status !== 'ready' || goesOn())) await pause(1)
}
