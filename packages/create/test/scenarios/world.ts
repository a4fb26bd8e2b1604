/** The servers, the model and the pages of a scenario, and what is compared of them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'vitest'
import type { launch } from '../../../../tools/browser/launch.ts'
import { type ScenarioModel, type SentMessage, saidBy } from './model.ts'
import type { ServerOptions } from './server.ts'

type Browser = Awaited<ReturnType<typeof launch>>
type Page = Awaited<ReturnType<Browser['newPage']>>

/** A message of a page, as far as it is compared. */
interface Shown {
  id: string
  role: string
  parts: { type: string; text?: string; state?: string; toolName?: string; approval?: { id?: string } }[]
}

/** A server, which a scenario may kill and start again. */
export class ScenarioServer {
  url = ''
  private child: ChildProcess | undefined
  private readonly program: string
  private readonly options: Omit<ServerOptions, 'port' | 'crashAt'>

  /** @param program - the built `server.ts` */
  constructor(program: string, options: Omit<ServerOptions, 'port' | 'crashAt'>) {
    this.program = program
    this.options = options
  }

  async start(crashAt?: number): Promise<this> {
    const options = JSON.stringify({ ...this.options, port: Number(new URL(this.url || 'http://a:0').port), crashAt })
    const child = spawn(process.execPath, ['--no-warnings', this.program, options], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.child = child
    for await (const line of createInterface({ input: child.stdout })) {
      this.url = line
      return this
    }
    throw new Error('The server ended before it printed its address.')
  }

  /** Ends the server as a crash does, and waits for its end. */
  async kill(): Promise<void> {
    this.child?.kill('SIGKILL')
    await this.ended()
  }

  async ended(): Promise<void> {
    if (this.child && this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit')
  }

  /** Starts the killed server again, at its address. */
  async restart(crashAt?: number): Promise<void> {
    await this.kill()
    await this.start(crashAt)
  }
}

/**
 * The network between pages and a server. Cutting it breaks the connections. `setOffline` of a browser refuses new requests alone, and
 * may still refuse them when it is undone.
 */
export class ScenarioNetwork {
  url = ''
  private isCut = false
  private readonly open = new Set<Socket>()
  private readonly proxy = createServer((page) => {
    const server = connect(Number(new URL(this.server.url).port), '127.0.0.1')
    for (const [from, to] of [[page, server] as const, [server, page] as const]) {
      this.open.add(from)
      from.on('error', () => {}).on('close', () => this.open.delete(from) && to.destroy())
      from.pipe(to)
    }
    if (this.isCut) this.cut()
  })
  private readonly server: ScenarioServer

  constructor(server: ScenarioServer) {
    this.server = server
  }

  async start(): Promise<this> {
    await once(this.proxy.listen(0, '127.0.0.1'), 'listening')
    this.url = `http://127.0.0.1:${(this.proxy.address() as AddressInfo).port}`
    return this
  }

  cut(): void {
    this.isCut = true
    for (const socket of this.open) socket.resetAndDestroy()
  }

  mend(): void {
    this.isCut = false
  }

  end(): void {
    this.proxy.close()
    this.cut()
  }
}

/** What a scenario has: a chat that no other one has, its pages and its server. */
export class Scenario {
  readonly id: string
  readonly model: ScenarioModel
  readonly server: ScenarioServer
  readonly network: ScenarioNetwork
  private readonly browser: Browser
  private readonly pages: Page[] = []

  constructor(given: { id: string; model: ScenarioModel; server: ScenarioServer; browser: Browser }) {
    this.id = given.id
    this.model = given.model
    this.server = given.server
    this.network = new ScenarioNetwork(given.server)
    this.browser = given.browser
  }

  /**
   * Opens the chat. With `load` the page shows what is stored, and follows the answer that goes on. `client`: the folder of the page with
   * another version of `useChat`.
   */
  async open(
    options: { load?: boolean; user?: string; at?: { url: string }; isPhone?: boolean; client?: string } = {},
  ): Promise<Tab> {
    const { load = false, user = 'ann', at = this.server, isPhone = false, client = '' } = options
    const context = await this.browser.newContext(isPhone ? { viewport: { width: 390, height: 844 } } : {})
    const page = await context.newPage()
    this.pages.push(page)
    const query = new URLSearchParams({ id: this.id, user, ...(load && { load: '1', resume: '1' }) })
    await page.goto(`${at.url}/${client}?${query}`)
    await page.waitForFunction('window.chat')
    return new Tab(page, this.model)
  }

  /** Leaves the pages. The browser has one process, which may end when one of them is closed. */
  async end(): Promise<void> {
    for (const page of this.pages) await page.goto('about:blank').catch(() => {})
    this.network.end()
  }
}

/** A page with the chat. */
export class Tab {
  readonly page: Page
  private readonly model: ScenarioModel

  constructor(page: Page, model: ScenarioModel) {
    this.page = page
    this.model = model
  }

  /** Runs code of the page with `chat`, what `useChat` returned last. */
  run(code: string): Promise<unknown> {
    return this.page.evaluate(`(async () => { const chat = window.chat; ${code} })()`)
  }

  /** Sends a message, and waits for the end of its answer. */
  async say(text: string, more: object = {}): Promise<void> {
    await this.run(`await chat.sendMessage(${JSON.stringify({ text, ...more })})`)
    await this.idle()
  }

  /** Sends a message. */
  async begin(text: string): Promise<void> {
    await this.run(`void chat.sendMessage(${JSON.stringify({ text })})`)
  }

  /** Asks for another answer, or for the first one after a failure. */
  async again(messageId?: string): Promise<void> {
    await this.run(`await chat.regenerate(${JSON.stringify({ messageId })})`)
    await this.idle()
  }

  /** Waits until an expression is true. It looks every 50 ms: with each frame, as is the default, looking is most of the work. */
  private async until(expression: string): Promise<void> {
    await this.page.waitForFunction(expression, undefined, { polling: 50 })
  }

  /** Waits until a text is shown. */
  async sees(text: string): Promise<void> {
    await this.until(`JSON.stringify(chat.messages).includes(${JSON.stringify(JSON.stringify(text).slice(1, -1))})`)
  }

  /** Waits until the client neither sends nor reads. */
  async idle(): Promise<void> {
    await this.until('["ready", "error"].includes(chat.status)')
  }

  /** Decides about the call that waits, and waits for the end of the answer. */
  async decide(approved: boolean, reason?: string): Promise<void> {
    const found = 'chat.messages.flatMap(({ parts }) => parts).find(({ state }) => state === "approval-requested")'
    const rest = JSON.stringify({ approved, reason }).slice(1)
    await this.run(`const { approval } = ${found}; await chat.addToolApprovalResponse({ id: approval.id, ${rest})`)
    const isSent = '!chat.messages.some(({ parts }) => parts.some(({ state }) => state === "approval-responded"))'
    await this.until(`chat.status === "error" || (chat.status === "ready" && ${isSent})`)
  }

  /** Leaves the page, as somebody who closes it. */
  async leave(): Promise<void> {
    await this.page.goto('about:blank')
  }

  async messages(): Promise<Shown[]> {
    return JSON.parse(String(await this.run('return JSON.stringify(chat.messages)')))
  }

  /** The server's answer for the chat of the page. */
  async get(path: string): Promise<unknown[]> {
    return (await this.page.evaluate(`window.get(${JSON.stringify(path)})`)) as unknown[]
  }

  /** Stops the answer, as a page does: the client, and the server. */
  async stop(): Promise<void> {
    await this.run('await chat.stop(); window.stopped = await window.cancel()')
    expect(await this.page.evaluate('window.stopped')).toBe(204)
    await this.idle()
  }

  /** The error that the page shows. */
  async error(): Promise<string> {
    return String(await this.run('return chat.error?.message ?? ""'))
  }

  /** Checks that the page shows what is stored. */
  async agrees(): Promise<string[]> {
    const shown = (await this.messages()).map(lineOf)
    expect(((await this.get('/ui')) as Shown[]).map(lineOf)).toEqual(shown)
    return shown
  }

  /** The same after another message; and the model was sent what the page shows. */
  async continues(word: string): Promise<string[]> {
    await this.say(word)
    expect(await this.error()).toBe('')
    const lines = await this.agrees()
    const shown = (await this.messages()).flatMap(wordsOf)
    const sent = this.model.requestsFor(word).at(-1)!
    checkRequest(sent)
    const known = sent.filter(({ role }) => role !== 'system').flatMap(sentWords)
    expect(known).toEqual(shown.slice(0, known.length))
    expect(known.at(-1)).toBe(`user: ${word}`)
    return lines
  }

  /** What the tools have done in this chat, without keys; and how many keys there are. */
  async effects(): Promise<string[]> {
    const done = (await this.get('/effects')) as { name: string; fruit: string; key: string }[]
    expect(new Set(done.map(({ key }) => key)).size).toBe(done.length)
    return done.map(({ name, fruit }) => `${name} ${fruit}`)
  }
}

const isTool = ({ type }: Shown['parts'][number]) => type === 'dynamic-tool'

/** Returns the parts without what a reply said whose stream broke: it is said again. */
const validParts = ({ parts }: Shown) =>
  parts.filter((part, index) => {
    const end = parts.slice(index).find(({ type }) => type === 'step-start' || type === 'data-turn-restarted')
    return end?.type !== 'data-turn-restarted' || (isTool(part) && part.state !== 'input-streaming')
  })

/** Returns a message as its role, its text, its files, and the states of its calls. */
function lineOf(message: Shown): string {
  const { role } = message
  const parts = validParts(message)
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text?.trim()] : []))
  const files = parts.filter(({ type }) => type === 'file').map(() => '[file]')
  const calls = parts.filter(isTool).map(({ toolName, state }) => `(${toolName} ${state})`)
  return [`${role}:`, ...text, ...files, ...calls].filter((word) => word !== '').join(' ')
}

/** The texts and calls of a message in their order. */
function wordsOf(message: Shown): string[] {
  const { role } = message
  const parts = validParts(message)
  if (role === 'user')
    return [`user: ${parts.map(({ type, text }) => (type === 'text' ? text : '[image_url]')).join(' ')}`]
  return parts.flatMap((part) => {
    if (isTool(part)) return [`call ${part.toolName}`]
    return part.type === 'text' && part.text?.trim() ? [`assistant: ${part.text.trim()}`] : []
  })
}

function sentWords(message: SentMessage): string[] {
  if (message.role === 'tool') return []
  const text = saidBy(message).trim()
  const calls = message.tool_calls ?? []
  return [...(text === '' ? [] : [`${message.role}: ${text}`]), ...calls.map((call) => `call ${call.function.name}`)]
}

/** Checks what providers refuse: each call has exactly one result right behind its message, and all ids are different. */
function checkRequest(messages: readonly SentMessage[]): void {
  const ids = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id))
  expect(new Set(ids).size).toBe(ids.length)
  for (const [i, { tool_calls = [] }] of messages.entries()) {
    const results = messages.slice(i + 1, i + 1 + tool_calls.length).map(({ tool_call_id }) => tool_call_id)
    expect(results.sort()).toEqual(tool_calls.map(({ id }) => id).sort())
  }
  expect(messages.filter(({ role }) => role === 'tool').length).toBe(ids.length)
}

/** Returns a new folder for the stores of servers, and what deletes it. */
export function newFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'x-chat-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
