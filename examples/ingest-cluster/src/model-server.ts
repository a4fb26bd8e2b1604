/**
 * A model server with the OpenAI interface that summarizes tables, is slow, and refuses requests above its rate.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A model server that counts its requests. */
export class ModelServer {
  /** The number of summaries of each table. */
  readonly answers = new Map<string, number>()
  /** The number of requests that were refused because of the rate. */
  refused = 0
  private readonly perSecond: number
  private readonly latencyMs: number
  private second = 0
  private inSecond = 0
  private readonly http = createServer((request, response) => {
    let body = ''
    request.on('data', (data) => {
      body += data
    })
    request.on('end', async () => {
      const wait = this.waitMs()
      if (wait > 0) {
        this.refused++
        response.writeHead(429, { 'retry-after-ms': String(wait) }).end('{"error":{"message":"too many requests"}}')
        return
      }
      await new Promise((resolve) => setTimeout(resolve, this.latencyMs * (0.5 + Math.random())))
      const table = tableIn(JSON.parse(body).messages[0].content)
      this.answers.set(table, (this.answers.get(table) ?? 0) + 1)
      const content = JSON.stringify({ summary: summaryOf(table), columns: [] })
      const message = { role: 'assistant', content }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }))
    })
  })

  /** @param options.perSecond - the number of requests that are answered in a second. */
  constructor({ perSecond, latencyMs }: { perSecond: number; latencyMs: number }) {
    this.perSecond = perSecond
    this.latencyMs = latencyMs
  }

  /** The number of summaries so far. */
  get calls(): number {
    return [...this.answers.values()].reduce((sum, times) => sum + times, 0)
  }

  /** Starts the server and returns its address. */
  async start(): Promise<string> {
    this.http.listen(0, '127.0.0.1')
    await once(this.http, 'listening')
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}/v1`
  }

  async stop(): Promise<void> {
    this.http.closeAllConnections()
    this.http.close()
    await once(this.http, 'close')
  }

  /** Returns how long a request must wait; 0 if it is answered. */
  private waitMs(): number {
    const now = Date.now()
    const second = Math.floor(now / 1000)
    if (second !== this.second) {
      // The first one counts as used up: workers on a slow machine never reach the rate.
      this.inSecond = this.second === 0 ? this.perSecond : 0
      this.second = second
    }
    return ++this.inSecond <= this.perSecond ? 0 : (second + 1) * 1000 - now
  }
}

/** Returns the rows of the table in a prompt. */
function tableIn(prompt: string): string {
  return prompt
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.endsWith(' |'))
    .join('\n')
}

/** Returns the summary of a table: its columns and its first row. */
export function summaryOf(table: string): string {
  const [header = '', , first = ''] = table.split('\n')
  return `${header.replaceAll('|', '').trim()} beginning with ${first.replaceAll('|', '').trim()}`
}
