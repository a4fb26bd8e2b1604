/** A chat whose process ends at a call of its stores, and a page that is loaded afterwards. */
import { type Any, clientOf, clients } from '../chat-clients.ts'
import { until } from './program-tools.ts'
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

/** The process ends after a decision, and then the user says something else. */
export interface NextMessage extends Omit<Crash, 'during'> {
  /** Whether the tasks of an agent survive the process. */
  hasJournal: boolean
  approves: boolean
}

/** Two tabs show a call that waits; the process ends after one has decided, and then the other one decides. */
export interface OtherDecision extends Omit<Crash, 'during'> {
  approves: boolean
  thenApproves: boolean
}

/** Returns what is wrong when two tabs decide: the call runs more than once, unasked, or a page does not show what is stored. */
export async function faultsOfDecisions({ words, isDurable, after, approves, thenApproves }: OtherDecision) {
  const world = new ChatWorld()
  let server = await new ChatServer(world).start(isDurable)
  const faults: string[] = []
  const clientHere = (): Any => clientOf(clients.at(-1)!, () => (request) => server.request(request))
  const [one, other] = [clientHere(), clientHere()]
  await one.sendMessage({ id: 'm1', role: 'user', parts: [{ type: 'text', text: words }] })
  other.messages = await server.load()
  server.end(after)
  await decide(one, approves)
  const told = one.messages.at(-1).parts.find(({ toolName }: Any) => toolName === 'buy').state
  server.end()
  server = await new ChatServer(world).start(isDurable)
  await quiet(server)
  await decide(other, thenApproves)
  await quiet(server)
  const shown = JSON.stringify(other.messages.map(shapeOf))
  const stored = JSON.stringify((await server.load()).map(shapeOf))
  // A failure that was planned is not what is looked for.
  if (other.status === 'error' && words.includes('fails')) await other.regenerate()
  if (other.status === 'error') faults.push(`the other tab: ${other.error?.message}`)
  else if (shown !== stored) faults.push(`the other tab shows\n${shown}\nand the store has\n${stored}`)
  const bought = world.effects.filter(({ name }) => name === 'buy')
  if (new Set(bought.map(({ key }) => key)).size > 1) faults.push('bought under two keys')
  if (bought.length > 0 && !approves && !thenApproves) faults.push('bought without an approval')
  // A result that one tab was shown is true for all.
  if (told === 'output-available' && bought.length === 0) faults.push('said to be bought')
  if (told === 'output-error' && bought.length > 0) faults.push('bought after it was rejected')
  if (world.faults.length > 0) faults.push(...world.faults)
  const state = (await world.turns()).at(-1)!.state
  if (state !== 'done' && state !== 'failed') faults.push(`the turn is ${state}`)
  server.end()
  return faults
}

/** Returns what is wrong when a page, whose server has ended behind the question, approves a call with other arguments. */
export async function faultsOfEdit({ words, isDurable, after }: Omit<Crash, 'during'>): Promise<string[]> {
  const world = new ChatWorld()
  let server = await new ChatServer(world).start(isDurable)
  const client: Any = clientOf(clients.at(-1)!, () => (request) => server.request(request))
  server.end(after)
  await client.sendMessage({ id: 'm1', role: 'user', parts: [{ type: 'text', text: words }] })
  server.end()
  server = await new ChatServer(world).start(isDurable)
  await quiet(server)
  for (const { state, input } of client.messages.at(-1)?.parts ?? [])
    if (state === 'approval-requested') input.message = 1001
  const asked = JSON.stringify(client.messages).includes('approval-requested')
  await approve(client)
  await quiet(server)
  const shown = JSON.stringify(client.messages.map(shapeOf))
  const stored = JSON.stringify((await server.load()).map(shapeOf))
  server.end()
  // A page that was not asked shows less.
  return !asked || shown === stored ? [] : [`the page shows\n${shown}\nand the store has\n${stored}`]
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
    await quiet(server)
    const shown = JSON.stringify(client.messages.map(shapeOf))
    const stored = JSON.stringify((await server.load()).map(shapeOf))
    if (shown !== stored) faults.push(`${what}: the page shows\n${shown}\nand the store has\n${stored}`)
  }
  await quiet(server)
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

/**
 * Returns what is wrong when a process ends after a decision: a call that neither waits nor has ended, and what the next message makes of
 * it.
 */
export async function faultsOfNext({ words, isDurable, hasJournal, after, approves }: NextMessage): Promise<string[]> {
  const world = new ChatWorld()
  let server = await new ChatServer(world).start(isDurable, hasJournal)
  const client: Any = clientOf(clients.at(-1)!, () => (request) => server.request(request))
  const say = (text: string, id: string) => client.sendMessage({ id, role: 'user', parts: [{ type: 'text', text }] })
  await say(words, 'm1')
  server.end(after)
  await decide(client, approves)
  server.end()
  server = await new ChatServer(world).start(isDurable, hasJournal)
  await quiet(server)
  client.messages = await server.load()
  const faults: string[] = []
  const answer = () => client.messages.at(1)
  const waits = () => answer().parts.some(({ state }: Any) => state === 'approval-requested')
  const compare = async (what: string) => {
    await quiet(server)
    const shown = JSON.stringify(client.messages.map(shapeOf))
    const stored = JSON.stringify((await server.load()).map(shapeOf))
    if (shown !== stored) faults.push(`${what}: the page shows\n${shown}\nand the store has\n${stored}`)
    if (waits() !== (answer().metadata.state === 'waiting')) faults.push(`${what}: ${JSON.stringify(answer())}`)
    if (/input-available|approval-responded/.test(shown)) faults.push(`${what}: the page shows\n${shown}`)
  }
  await compare('loaded')
  await say('say 2', 'm2')
  await compare('the next message')
  const told = world.told.join()
  if (told.includes('waits for a decision') && !waits()) faults.push(`the model was told ${told}`)
  if (waits()) return faults
  await client.regenerate({ messageId: answer().id })
  await compare('continued')
  const bought = world.effects.filter(({ name }) => name === 'buy')
  if (hasJournal && bought.length > 0 !== approves) faults.push(`bought ${bought.length} times`)
  if (new Set(bought.map(({ key }) => key)).size > 1) faults.push('bought under two keys')
  server.end()
  return faults
}

const quiet = (server: ChatServer): Promise<void> => until('the tasks are quiet', () => server.isQuiet())

const approve = (client: Any): Promise<void> => decide(client, true)

/** Decides about the calls that wait, and waits for what follows. */
async function decide(client: Any, approved: boolean): Promise<void> {
  const parts = () => client.messages.at(-1)?.parts ?? []
  const waiting = parts().filter(({ state }: Any) => state === 'approval-requested')
  for (const { approval } of waiting) await client.addToolApprovalResponse({ id: approval.id, approved })
  const goesOn = () => parts().some(({ state }: Any) => state === 'approval-responded')
  await until('the decision is answered', () => client.status === 'error' || (client.status === 'ready' && !goesOn()))
}
