/**
 * @module
 * The whole example: starts the engine and workers, submits orders, kills workers while they work, and reports the result.
 */

import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { AgentEvent } from '@x/agents'
import { type DurableTasks, localOnly, type TaskEvents, tasksHandler, validEvents } from '@x/durable'
import { Fleet } from '../../../packages/integrations/restate/test/fleet.ts'
import { type EngineName, startEngine } from './engines.ts'
import { orderText } from './order-agent.ts'
import { type Deed, Shop } from './shop.ts'

/** The options of a run. */
export interface RunOptions {
  engine: EngineName
  orders: number
  /** The number of workers. A task store has one. */
  workers: number
  /** The number of workers that are killed, one after the other. */
  kills: number
  /** Seconds that a call waits for a decision on the page, before it is approved without one. */
  patience: number
  /** The time of a turn of the model, in milliseconds. */
  slowMs: number
  /** The port of the page; 0 for a free one. */
  port: number
  /** Called with the address of the page, when everything runs. */
  onReady?: ((url: string) => void | Promise<void>) | undefined
  print: (line: string) => void
}

/** The result of a run. */
export interface RunReport {
  answers: string[]
  deeds: Deed[]
  kills: number
}

/** Runs orders until they are finished. */
export async function run(options: RunOptions): Promise<RunReport> {
  const { orders: count, slowMs, print } = options
  const folder = mkdtempSync(join(tmpdir(), 'durable-agent-'))
  const path = join(folder, 'shop.db')
  const shop = new Shop(path)
  const fleet = new Fleet(fileURLToPath(new URL('./worker.ts', import.meta.url)))
  // At any end of this process, except by SIGKILL.
  const clean = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', clean)
  const engine = await startEngine(options.engine, shop, folder)
  const workers = Math.min(options.workers, engine.maxWorkers)
  const args = [options.engine, engine.place, path, `${slowMs}`]
  const stop = new AbortController()
  try {
    await fleet.balancer.listen()
    // One after the other: the first one makes the tables.
    for (let index = 0; index < workers; index++) await fleet.start(index, [...args, `${index}`])
    await engine.connect(fleet.uri)
    const { tasks } = engine
    const orders = Array.from({ length: count }, (_, i) => ({
      taskId: `order-${i + 1}`,
      input: orderText(i + 1, 60 + 30 * (i % 4)),
    }))
    const troubles = new Troubles(fleet, args, { ...options, workers })
    const events = new ShownEvents(tasks, stop.signal)
    const page = await servePage(pageSource(orders, tasks, events, shop, troubles), options.port)
    try {
      print(`${workers} workers on ${options.engine}, ${count} orders; watch and approve at ${page.url}`)
      for (const { taskId, input } of orders) await tasks.submit(input, { taskId })
      const following = orders.map(({ taskId }) => events.follow(taskId))
      await options.onReady?.(page.url)
      const working = orders.map(async ({ taskId }) => {
        const { response } = await tasks.answer(taskId)
        print(`${taskId}: ${response}`)
        return response
      })
      const troubled = [troubles.make(stop.signal), approveLate(orders, tasks, options, stop.signal)]
      const answers = await Promise.all(working)
      stop.abort()
      await Promise.all([...troubled, ...following])
      const deeds = shop.deeds()
      print(summary(deeds, troubles.count))
      return { answers, deeds, kills: troubles.count }
    } finally {
      page.close()
    }
  } finally {
    stop.abort()
    fleet.stop()
    await engine.stop()
    shop.close()
    clean()
    process.off('exit', clean)
  }
}

/** An order that was submitted. */
interface SubmittedTask {
  taskId: string
  input: string
}

/** Returns the data of the page. */
function pageSource(
  orders: readonly SubmittedTask[],
  tasks: DurableTasks,
  events: ShownEvents,
  shop: Shop,
  troubles: Troubles,
): PageSource {
  const shown = async (order: SubmittedTask) => {
    const { taskId } = order
    const [status, calls] = await Promise.all([tasks.status(taskId), tasks.waiting(taskId)])
    const version = status === 'queued' ? await tasks.version?.(taskId) : undefined
    return { ...order, status, calls, version, events: events.lines(taskId) }
  }
  return {
    tasks,
    state: async () => ({
      workers: troubles.workers(),
      summary: summary(shop.deeds(), troubles.count),
      orders: await Promise.all(orders.map(shown)),
    }),
  }
}

/** Kills workers, and starts them again after a while. */
class Troubles {
  private readonly fleet: Fleet
  private readonly args: readonly string[]
  private readonly options: RunOptions
  private readonly dead = new Set<number>()
  private readonly kills = new Map<number, number>()

  constructor(fleet: Fleet, args: readonly string[], options: RunOptions) {
    this.fleet = fleet
    this.args = args
    this.options = options
  }

  /** The number of killed workers. */
  get count(): number {
    return this.fleet.kills
  }

  workers() {
    return Array.from(this.fleet.workers, ([index, { child }]) => ({
      index,
      pid: child.pid,
      isAlive: !this.dead.has(index),
      kills: this.kills.get(index) ?? 0,
    }))
  }

  async make(signal: AbortSignal): Promise<void> {
    const { kills, slowMs, workers, print } = this.options
    const restarts: Promise<void>[] = []
    for (let n = 0; n < kills; ) {
      await idle(slowMs * (2 + 2 * Math.random()), signal)
      if (signal.aborted) break
      const index = n % workers
      if (this.dead.has(index)) continue
      n++
      this.dead.add(index)
      this.kills.set(index, (this.kills.get(index) ?? 0) + 1)
      await this.fleet.kill(index)
      print(`worker ${index} was killed`)
      restarts.push(this.revive(index, signal))
    }
    await Promise.all(restarts)
  }

  private async revive(index: number, signal: AbortSignal): Promise<void> {
    await idle(2 * this.options.slowMs, signal)
    if (signal.aborted) return
    await this.fleet.restart(index, [...this.args, `${index}`])
    this.dead.delete(index)
    this.options.print(`worker ${index} is back`)
  }
}

/** Approves calls about which nobody has decided on the page for some time. */
async function approveLate(
  orders: readonly SubmittedTask[],
  tasks: DurableTasks,
  { patience, print }: RunOptions,
  signal: AbortSignal,
): Promise<void> {
  const since = new Map<string, number>()
  while (!signal.aborted) {
    await idle(200, signal)
    for (const { taskId } of orders) {
      const calls = await tasks.waiting(taskId).catch(() => [])
      for (const { id, name } of calls) {
        const key = `${taskId}/${id}`
        const waited = performance.now() - (since.get(key) ?? performance.now())
        if (!since.has(key)) since.set(key, performance.now())
        if (waited < 1000 * patience) continue
        // Somebody may have decided on the page meanwhile.
        await tasks.decide(taskId, { callId: id, type: 'approve', by: 'nobody' }).then(
          () => print(`${taskId}: ${name} is approved, because nobody decided`),
          () => {},
        )
      }
    }
  }
}

/** Waits, but not longer than until the signal. */
async function idle(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => {})
}

/** Returns the result in one line. */
function summary(deeds: readonly Deed[], kills: number): string {
  const asked = deeds.reduce((sum, deed) => sum + deed.asked, 0)
  const killed = kills === 1 ? '1 worker was' : `${kills} workers were`
  return `${killed} killed; ${deeds.length} things were done, once each; ${asked - deeds.length} of them were asked for again`
}

/** A line of the page. */
interface ShownEvent {
  type: string
  text: string
}

/** Reads the events of tasks while they happen. */
class ShownEvents {
  private readonly tasks: DurableTasks
  private readonly signal: AbortSignal
  private readonly records = new Map<string, TaskEvents[]>()

  constructor(tasks: DurableTasks, signal: AbortSignal) {
    this.tasks = tasks
    this.signal = signal
  }

  /** Reads the events of a task until it ends. */
  async follow(taskId: string): Promise<void> {
    const records: TaskEvents[] = []
    this.records.set(taskId, records)
    for await (const record of this.tasks.events(taskId, { signal: this.signal })) records.push(record)
  }

  /** Returns the lines of a task so far. */
  lines(taskId: string): ShownEvent[] {
    const lines: ShownEvent[] = []
    for (const event of validEvents(this.records.get(taskId) ?? [])) {
      const text = textOf(event)
      const last = lines.at(-1)
      if (text === undefined) continue
      if (event.type === 'text_delta' && last?.type === 'text_delta') last.text += text
      else lines.push({ type: event.type, text })
    }
    return lines
  }
}

/** Returns the text of an event on the page; undefined for events that are not shown. */
function textOf(event: AgentEvent): string | undefined {
  if (event.type === 'text_delta') return event.delta
  if (event.type === 'tool_call') return `${event.toolName} ${JSON.stringify(event.arguments)}`
  if (event.type === 'tool_result') return event.content
  if (event.type === 'approval_required') return event.calls.map(({ name }) => `${name} waits for approval`).join(', ')
  if (event.type === 'error') return event.error.message
  return undefined
}

/** The data of the page. */
interface PageSource {
  tasks: DurableTasks
  /** Returns the data of the page, as JSON. */
  state(): Promise<unknown>
}

/** Serves the page on 127.0.0.1. */
async function servePage({ tasks, state }: PageSource, port: number): Promise<{ url: string; close(): void }> {
  // Whoever sees the page may decide. A real shop asks who it is.
  const useTask = tasksHandler(tasks, { mayUse: (_, { operation }) => operation !== 'submit' })
  // Names that somebody has bound to this machine, and pages of other origins, are refused.
  const answer = localOnly(async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/tasks')) return useTask(request)
    if (pathname === '/state') return Response.json(await state())
    if (pathname !== '/') return new Response(null, { status: 404 })
    const page = readFileSync(new URL('./page.html', import.meta.url))
    return new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } })
  })
  const server: Server = createServer(async (incoming, outgoing) => {
    const stop = new AbortController()
    outgoing.on('close', () => stop.abort())
    try {
      const response = await answer(requestOf(incoming, stop.signal))
      outgoing.writeHead(response.status, Object.fromEntries(response.headers))
      if (response.body) Readable.fromWeb(response.body as never).pipe(outgoing)
      else outgoing.end()
    } catch (error) {
      outgoing.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ message: String(error) }))
    }
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Returns a request of Node as one of the web platform. */
function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', url = '/', headers } = incoming
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: headers as Record<string, string>,
    signal,
    ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' }),
  } as RequestInit)
}
