/** A model server that answers by what the last message of the user says, and waits where a test wants it to. */
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A message of a request. */
export interface SentMessage {
  role: string
  content: unknown
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
  tool_call_id?: string
}

/** Returns the text of a message. */
export const saidBy = ({ content }: Pick<SentMessage, 'content'>): string =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((part) => part.text ?? `[${part.type}]`).join(' ')
      : ''

/**
 * The words of the user that it knows: `buy` and `mail` call the tools of these names, `slow-NAME` is an answer that waits until `NAME` is
 * released, and `fails` one that is refused behind a call, once.
 */
export class ScenarioModel {
  readonly requests: SentMessage[][] = []
  private readonly server: Server
  private readonly released = new Map<string, { promise: Promise<void>; release: () => void }>()
  private readonly failed = new Set<string>()
  private calls = 0

  constructor() {
    this.server = createServer(async (request, response) => {
      const { messages } = JSON.parse(await text(request)) as { messages: SentMessage[] }
      this.requests.push(messages)
      await this.answer(messages, response)
    })
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  /** Lets the answers of a name continue, also later ones. */
  release(name: string): void {
    this.gate(name).release()
  }

  /** The requests whose last message of the user contains a word. */
  requestsFor(word: string): SentMessage[][] {
    return this.requests.filter((messages) => saidBy(messages.findLast(({ role }) => role === 'user')!).includes(word))
  }

  private gate(name: string) {
    const known = this.released.get(name)
    if (known) return known
    let release = () => {}
    const promise = new Promise<void>((resolve) => {
      release = resolve
    })
    const gate = { promise, release }
    this.released.set(name, gate)
    return gate
  }

  private async answer(messages: readonly SentMessage[], response: ServerResponse): Promise<void> {
    const at = messages.findLastIndex(({ role }) => role === 'user')
    const said = saidBy(messages[at]!)
    const results = messages.slice(at + 1).filter(({ role }) => role === 'tool')
    if (results.length > 0 && said.includes('fails') && !this.failed.has(said)) {
      this.failed.add(said)
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end('{"error":{"message":"refused"}}')
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const write = (delta: object, finish_reason: string | null = null) =>
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`)
    const names = results.length > 0 ? [] : ['buy', 'mail'].filter((name) => said.includes(name))
    const words = results.length > 0 ? `Result ${saidBy(results.at(-1)!)}` : `To "${said}" ${names.join(' and ')}`
    write({ role: 'assistant', content: `${words} ` })
    const gate = /slow-(\w+)/.exec(said)?.[1]
    if (gate && (results.length > 0 || names.length === 0)) {
      await this.gate(gate).promise
      write({ content: 'and so on. ' })
    }
    const tool_calls = names.map((name, index) => {
      const call = { name, arguments: JSON.stringify({ fruit: 'pear' }) }
      return { index, id: `call_${++this.calls}`, type: 'function', function: call }
    })
    if (names.length > 0) write({ tool_calls })
    write({}, names.length > 0 ? 'tool_calls' : 'stop')
    response.end('data: [DONE]\n\n')
  }
}
