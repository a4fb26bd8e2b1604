/**
 * Restate: a server that calls the workers, which are behind one address.
 */
import { fileURLToPath } from 'node:url'
import type { Document } from '@x/core-model'
import type { IngestionState } from '@x/dbos/client'
import { Fleet } from '../../../packages/integrations/restate/test/fleet.ts'
import { type RestateServer, registerServices, startRestate } from '../../../tools/restate-server.ts'
import type { Addresses, Engine } from './engine.ts'

export class RestateEngine implements Engine {
  /** The server does not report which documents are taken over. */
  readonly takenOver = null
  private readonly concurrency: number
  private readonly fleet = new Fleet(fileURLToPath(new URL('./restate-worker.ts', import.meta.url)))
  private readonly alive: number[] = []
  private server!: RestateServer
  private addresses!: Addresses
  private started = 0

  /** @param concurrency - the number of documents that are ingested at the same time. */
  constructor(concurrency: number) {
    this.concurrency = concurrency
  }

  get workers(): readonly string[] {
    return this.alive.map((index) => `worker-${index}`)
  }

  get kills(): number {
    return this.fleet.kills
  }

  async start(addresses: Addresses): Promise<void> {
    this.addresses = addresses
    this.server = await startRestate()
    await this.fleet.balancer.listen()
    await this.startWorker()
    await registerServices(this.server, this.fleet.uri)
  }

  async startWorker(): Promise<void> {
    const index = ++this.started
    await this.fleet.start(index, [JSON.stringify(this.addresses)])
    this.alive.push(index)
  }

  async killWorker(): Promise<void> {
    const index = this.alive.shift()
    if (index !== undefined) await this.fleet.kill(index)
  }

  async ingest(
    run: string,
    documents: Iterable<Document>,
    onState: (state: IngestionState) => void,
  ): Promise<IngestionState> {
    const waiting = [...documents]
    const state: IngestionState = {
      total: waiting.length,
      queued: waiting.length,
      running: 0,
      finished: {},
      failed: [],
    }
    const work = async () => {
      for (let document = waiting.shift(); document; document = waiting.shift()) {
        state.queued--
        state.running++
        try {
          const outcome = await this.attach(`${run}:${document.id}`, document)
          state.finished[outcome] = (state.finished[outcome] ?? 0) + 1
        } catch (error) {
          state.failed.push({ documentId: document.id, code: null, message: String(error) })
        }
        state.running--
      }
    }
    const timer = setInterval(() => onState(structuredClone(state)), 500)
    // The server has at most this number of documents; the others wait here.
    await Promise.all(Array.from({ length: this.concurrency }, work))
    clearInterval(timer)
    onState(state)
    return state
  }

  async stop(): Promise<void> {
    this.fleet.stop()
    await this.server?.stop()
  }

  /** Submits a document, or attaches to its workflow, and returns the outcome. */
  private async attach(key: string, document: Document): Promise<string> {
    const response = await fetch(`${this.server.ingress}/ingest/${encodeURIComponent(key)}/run`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(document.toDict()),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return JSON.parse(text) as string
  }
}
