import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that a loopback server received. */
export interface ReceivedRequest {
  url: string
  headers: IncomingMessage['headers']
  // biome-ignore lint/suspicious/noExplicitAny: tests look at bodies of every form
  body: any
}

export type Answer = (response: ServerResponse, request: ReceivedRequest) => void | Promise<void>

/** A model server on the loopback address with the answers of a test, one per request. Used by the tests of model adapters. */
export class LoopbackServer {
  readonly requests: ReceivedRequest[] = []
  /** The number of requests that the client closed before the answer was complete. */
  left = 0
  private readonly answers: Answer[] = []
  private readonly http = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const received = { url: request.url ?? '', headers: request.headers, body: JSON.parse(text) }
    this.requests.push(received)
    response.on('close', () => {
      if (!response.writableFinished) this.left++
    })
    const answer = this.answers.shift()
    if (answer) await answer(response, received)
    else response.writeHead(500).end('no answer left')
  })

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.http.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}/v1`
  }

  willAnswer(...answers: Answer[]): this {
    this.answers.push(...answers)
    return this
  }

  async stop(): Promise<void> {
    this.http.closeAllConnections()
    await new Promise((resolve) => this.http.close(resolve))
  }
}

/** One JSON answer. */
export const json =
  (data: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(data))

/** A body in pieces, each sent by itself. */
export const pieces =
  (
    parts: readonly (string | Uint8Array)[],
    { type = 'text/event-stream', end = 'end' as 'end' | 'destroy' } = {},
  ): Answer =>
  async (response) => {
    response.writeHead(200, { 'content-type': type })
    for (const part of parts) {
      await new Promise((resolve) => response.write(part, resolve))
      await new Promise(setImmediate)
    }
    if (end === 'end') response.end()
    else response.destroy()
  }

/** The text of a stream of chat chunks. */
export function eventText(chunks: readonly unknown[], { done = true, lineEnd = '\n' } = {}): string {
  const events = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}${lineEnd}${lineEnd}`)
  return events.join('') + (done ? `data: [DONE]${lineEnd}${lineEnd}` : '')
}

/** A chunk with a delta. */
export const chunk = (delta: object, finish_reason: string | null = null, rest: object = {}) => ({
  choices: [{ index: 0, delta, finish_reason }],
  ...rest,
})
