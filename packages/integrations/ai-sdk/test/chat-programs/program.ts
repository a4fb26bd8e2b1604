/**
 * Random programs of a chat: messages, tabs, stops, reloads, approvals, edits, other answers, and processes that end, with the client of
 * the AI SDK. A program is the same for the same seed, but for the order in which the engine does what happens at the same time.
 */

import { type Any, clientOf, clients } from '../chat-clients.ts'
import { checkEffects, EDITED, expectEqual, numberIn, randomOf, until, within } from './program-tools.ts'
import { ChatServer, ChatWorld } from './server.ts'
import { askedIn, HELD, insertMissed, isBegun, shapeOf, waitingIn } from './shown.ts'

/** A page. */
interface Tab {
  client: Any
  /** Why it need not show what is stored, until it is loaded again. */
  behind: string | undefined
  /** The status of its last response. */
  status: number | undefined
  /** Its connections. */
  network: AbortController
}

/** Returns what is wrong after a program, with its operations; null if nothing is. */
export async function runProgram(seed: number, isDurable: boolean): Promise<string | null> {
  const program = new Program(seed, isDurable, await ChatWorld.of(seed))
  try {
    await within('the program', program.run(), 120_000)
    return null
  } catch (error) {
    return `seed ${seed}, ${isDurable ? 'durable tasks' : 'an agent'}\n${program.log.join('\n')}\n${(error as Error).stack}`
  } finally {
    program.end()
  }
}

class Program {
  readonly log: string[] = []
  private readonly random: () => number
  private readonly isDurable: boolean
  private readonly world: ChatWorld
  private server: ChatServer
  private readonly tabs: Tab[] = []
  /** The messages of the user that were accepted and not replaced, in order. */
  private ledger: { id: string; text: string }[] = []
  /** The numbers of messages of which another answer was asked for, or a call approved. */
  readonly repeated = new Map<number, number>()
  readonly approved = new Set<number>()
  private messages = 0
  kills = 0
  /** An answer that waits until it is released. */
  private flying: { tab: Tab; done: Promise<void> } | undefined

  constructor(seed: number, isDurable: boolean, world: ChatWorld) {
    this.random = randomOf(seed)
    this.isDurable = isDurable
    this.world = world
    this.server = new ChatServer(world)
  }

  async run(): Promise<void> {
    await this.server.start(this.isDurable)
    await this.open()
    const length = 5 + this.below(9)
    for (let i = 0; i < length; i++) await this.step()
    await this.finish()
  }

  end(): void {
    this.server.end()
  }

  private async step(): Promise<void> {
    const operations: [number, string, (tab: Tab) => Promise<void>][] = [
      [5, 'say', (tab) => this.say(tab, this.words())],
      [3, 'decide', (tab) => this.decide(tab)],
      [1, 'decide with other arguments', (tab) => this.decide(tab, { edits: true })],
      [1, 'decide in two tabs', (tab) => this.decideTwice(tab)],
      [1, 'decide before the end', (tab) => this.decide(tab, { endsAfter: 1 + this.below(40) })],
      [2, 'reload', (tab) => this.reload(tab)],
      [1, 'open', () => this.open()],
      [2, 'stop', (tab) => this.stop(tab)],
      [1, 'again', (tab) => this.again(tab)],
      [1, 'edit', (tab) => this.edit(tab)],
      [2, 'release', () => this.release()],
      [1, 'cut', (tab) => this.cut(tab)],
      [1, 'kill', () => this.kill()],
      [1, 'kill later', async () => this.server.end(1 + this.below(25))],
      [1, 'say while another tab loads', (tab) => this.sayWhileLoading(tab)],
    ]
    let at = this.below(operations.reduce((sum, [weight]) => sum + weight, 0))
    const [, name, run] = operations.find(([weight]) => (at -= weight) < 0)!
    const place = this.below(this.tabs.length)
    this.log.push(`${name} (tab ${place})`)
    await run(this.tabs[place]!)
    if (this.server.isDead) await this.restart()
    await this.check()
  }

  private words(): string {
    const kinds = ['say', 'say', 'mail', 'buy', 'buy and mail', 'slow', 'mail slow', 'mail fails', 'buy fails']
    return `${kinds[this.below(kinds.length)]} ${++this.messages}`
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit)
  }

  private isBusy({ client }: Tab): boolean {
    return client.status === 'submitted' || client.status === 'streaming'
  }

  private async open(): Promise<void> {
    if (this.tabs.length > 2) return
    const tab: Tab = { client: undefined, behind: undefined, status: undefined, network: new AbortController() }
    await this.reload(tab)
    this.tabs.push(tab)
  }

  /** A page that was loaded before a message was stored follows its answer. */
  private async sayWhileLoading(tab: Tab): Promise<void> {
    if (this.flying || this.tabs.length > 2) return
    const other: Tab = { client: undefined, behind: undefined, status: undefined, network: new AbortController() }
    await this.reload(other, () => this.say(tab, `slow ${++this.messages}`))
    this.tabs.push(other)
    if (!this.flying) other.behind = 'the message had its answer before it looked'
    else if (!this.server.isDead)
      expectEqual(
        'the messages of the user on a page that follows',
        other.client.messages.flatMap(({ id, role }: Any) => (role === 'user' ? [id] : [])),
        this.ledger.map(({ id }) => id),
      )
  }

  /** @param between - what happens between loading and following */
  private async reload(tab: Tab, between = async () => {}): Promise<void> {
    // What a page that was left receives is of no interest.
    const messages = await this.load()
    // Also those whose answers run, which the page receives by `resume`.
    expectEqual(
      'the messages of the user on the loaded page',
      messages.flatMap(({ id, role }) => (role === 'user' ? [id] : [])),
      this.ledger.map(({ id }) => id),
    )
    const client = clientOf(
      clients.at(-1)!,
      () => async (request) => {
        tab.status = undefined
        const response = await this.server.request(request, tab.network.signal)
        tab.status = response.status
        return response
      },
      { onData: (part) => insertMissed(client, part) },
    )
    tab.client = client
    tab.behind = undefined
    client.messages = messages
    await between()
    let isRead = false
    const reading = client.resumeStream().finally(() => (isRead = true))
    if (this.flying) await until('the tab reads the answer', () => isRead || client.status === 'streaming')
    else await within('resume', reading)
  }

  private async say(tab: Tab, text: string): Promise<void> {
    if (this.isBusy(tab)) return
    this.log.push(`  ${text}`)
    const id = `m${numberIn(text)}`
    await this.sent(tab, tab.client.sendMessage({ id, role: 'user', parts: [{ type: 'text', text }] }), text, id)
  }

  private async edit(tab: Tab): Promise<void> {
    const own = tab.client.messages.filter(({ role }: Any) => role === 'user')
    if (this.isBusy(tab) || own.length === 0) return
    const { id } = own[this.below(own.length)]
    const text = `say ${++this.messages}`
    this.log.push(`  ${text} for ${id}`)
    await this.sent(tab, tab.client.sendMessage({ text, messageId: id }), text, id)
  }

  /** Asks for another answer to the last message, or for the first one after a failure. */
  private async again(tab: Tab): Promise<void> {
    const last = tab.client.messages.findLast(({ role }: Any) => role === 'user')
    if (this.isBusy(tab) || !last) return
    const [{ text }] = last.parts
    this.log.push(`  ${text}`)
    const number = numberIn(text)
    this.repeated.set(number, (this.repeated.get(number) ?? 0) + 1)
    await this.sent(tab, tab.client.regenerate(), text, last.id)
  }

  /** Waits for the end of an answer, or until it waits to be released. */
  private async sent(tab: Tab, sending: Promise<void>, text: string, id: string): Promise<void> {
    tab.status = undefined
    const others = this.tabs.filter((other) => other !== tab)
    const isKnown = this.ledger.some((entry) => entry.id === id)
    const isSlow = /slow/.test(text)
    let isDone = false
    const done = sending.finally(() => (isDone = true))
    if (isSlow) await until(text, () => isDone || (tab.status === 200 && this.waits(tab)))
    else await within(text, done)
    if (this.server.isDead) await within('broken', done)
    if (tab.status === 200 || (tab.status === undefined && (await this.isStored(id, text)))) this.accept(id, text)
    if (tab.client.status === 'error') tab.behind = `error: ${tab.client.error?.message}`
    // Its answer has brought what other tabs have changed. A page may show what nobody has stored, if the process ended.
    else if (isDone && tab.status === 200 && !/^error|server has ended/.test(tab.behind ?? '')) tab.behind = undefined
    if (isKnown) for (const other of others) other.behind ??= 'another tab has changed an earlier turn'
    if (!isDone) this.flying ??= { tab, done }
  }

  /** Whether the page shows the beginning of an answer that waits. */
  private waits({ client }: Tab): boolean {
    const text = client.messages.at(-1).parts.findLast(({ type }: Any) => type === 'text')?.text ?? ''
    const calls = client.messages.at(-1).parts.filter(({ toolCallId }: Any) => toolCallId)
    return (
      client.messages.at(-1).role === 'assistant' &&
      /slow \d+\.$/.test(text) &&
      (calls.length === 0 ? !/mail/.test(text) : /^Done/.test(text))
    )
  }

  private accept(id: string, text: string): void {
    const at = this.ledger.findIndex((entry) => entry.id === id)
    if (at < 0) this.ledger.push({ id, text })
    else if (this.ledger[at]!.text !== text) this.ledger.splice(at, Number.POSITIVE_INFINITY, { id, text })
  }

  private async isStored(id: string, text: string): Promise<boolean> {
    return (await this.world.turns()).some((turn) => turn.message === id && askedIn(turn) === text)
  }

  /** Decides about the calls that wait in the last message of a page. */
  private async decide(tab: Tab, { edits = false, endsAfter = 0, approves = this.below(3) > 0 } = {}): Promise<void> {
    const waiting = waitingIn(tab)
    if (this.isBusy(tab) || waiting.length === 0) return
    this.log.push(`  ${approves ? 'approves' : 'rejects'}${edits ? ' other arguments' : ''}`)
    if (endsAfter > 0) this.server.end(endsAfter)
    const { id } = tab.client.messages.at(-1)
    for (const part of waiting) {
      if (edits) part.input = { message: part.input.message + EDITED }
      if (approves) this.approved.add(part.input.message)
      await tab.client.addToolApprovalResponse({ id: part.approval.id, approved: approves })
    }
    const isOpen = () => tab.client.messages.at(-1).parts.some(({ state }: Any) => state === 'approval-responded')
    const isDone = () => tab.client.status === 'error' || (tab.client.status === 'ready' && !isOpen())
    await until('the decision is answered', () => isDone() || this.server.isDead)
    if (this.server.isDead) await until('the connection is broken', () => !this.isBusy(tab))
    for (const other of this.tabs) if (other !== tab) other.behind ??= 'another tab has decided'
    if (tab.client.status === 'error') tab.behind = `error: ${tab.client.error?.message}`
    else if (!this.server.isDead) await this.checkTurn(tab, id)
  }

  /** Decides differently in two tabs that show the same call, at the same time. */
  private async decideTwice(tab: Tab): Promise<void> {
    const [part] = waitingIn(tab)
    const showsIt = (other: Tab) =>
      other !== tab && waitingIn(other).some(({ approval }) => approval.id === part?.approval.id)
    const other = part && this.tabs.find(showsIt)
    if (!other || this.isBusy(tab) || this.isBusy(other)) return
    const behind = [tab.behind, other.behind]
    await Promise.all([this.decide(tab, { approves: true }), this.decide(other, { approves: false })])
    // Both have what followed, unless one was refused because the other one runs.
    for (const [i, one] of [tab, other].entries()) if (one.behind === 'another tab has decided') one.behind = behind[i]
  }

  /** Compares a message of a page with the stored one: also a page that is behind shows what follows its decision. */
  private async checkTurn({ client }: Tab, id: string): Promise<void> {
    await this.quiet()
    const last = (messages: readonly Any[]) => messages.filter((message) => message.id === id).map(shapeOf)
    const stored = last(await this.load())
    if (stored.length > 0) expectEqual('the turn of the decision', last(client.messages), stored)
  }

  /** Cuts the connections of a page. Its answer goes on. */
  private async cut(tab: Tab): Promise<void> {
    if (!this.isBusy(tab)) return
    tab.network.abort(new TypeError('network error'))
    tab.network = new AbortController()
    if (this.flying?.tab === tab) await within('the cut answer ends', this.flying.done)
    await until('the connection is cut', () => !this.isBusy(tab))
    tab.behind = 'its connection was cut'
  }

  private async stop(tab: Tab): Promise<void> {
    const isOwn = this.flying?.tab === tab
    const all = this.flying ? this.flying.tab : undefined
    const running = this.isBusy(tab)
    await within('client.stop', tab.client.stop())
    const isNew = (await this.world.turns()).length === 0
    const deleting = this.server.request(new Request('https://chat.example/api/chat/chat/stream', { method: 'DELETE' }))
    const response = await within(
      'DELETE',
      deleting.catch(() => undefined),
    )
    // A chat without messages does not exist. Its first one may be accepted now.
    if (response) expectEqual('status of DELETE', response.status, isNew && response.status === 404 ? 404 : 204)
    if (this.flying && (isOwn || response)) {
      await within('the stopped answer ends', this.flying.done)
      this.flying = undefined
    }
    // A call that waited is stopped, and a page that has left the stream before its end lacks that.
    for (const other of this.tabs) if (other !== all || other !== tab) other.behind ??= 'stopped'
    if (running || all) tab.behind ??= 'left'
  }

  private async release(): Promise<void> {
    if (!this.flying) return
    this.flying = undefined
    await until('all tabs have read the released answer', async () => {
      this.world.release()
      return !this.tabs.some((tab) => this.isBusy(tab)) && (this.server.isDead || (await this.server.isQuiet()))
    })
  }

  private async kill(): Promise<void> {
    this.server.end()
    if (this.flying) await within('the broken answer ends', this.flying.done)
  }

  private async restart(): Promise<void> {
    this.kills++
    this.log.push('  the process has ended')
    if (this.flying) await within('the broken answer ends', this.flying.done)
    this.flying = undefined
    for (const tab of this.tabs) {
      await until('the connection is broken', () => !this.isBusy(tab))
      tab.behind = 'its server has ended'
    }
    this.server = await new ChatServer(this.world).start(this.isDurable)
    // Durable tasks go on by themselves; the slow ones wait again.
    this.world.release()
    await this.quiet()
  }

  /** The messages for a page; the process may end while it loads them. */
  private async load() {
    for (;;) {
      try {
        return await within('load', this.server.load())
      } catch (error) {
        if (!this.server.isDead) throw error
        await this.restart()
      }
    }
  }

  /** Waits until no durable task runs. */
  private async quiet(): Promise<void> {
    if (!this.isDurable || this.flying) return
    await until('the tasks are quiet', async () => {
      this.world.release()
      return this.server.isQuiet()
    })
  }

  /** Compares pages, store, model and world. */
  private async check(): Promise<void> {
    const [fault] = this.world.faults
    if (fault !== undefined) throw new Error(`a run failed: ${fault}`)
    const turns = await this.world.turns()
    expectEqual(
      'the turns of the store',
      turns.map((turn) => `${turn.message} ${askedIn(turn)}`),
      this.ledger.map(({ id, text }) => `${id} ${text}`),
    )
    if (!this.flying) {
      const stored = (await this.load()).map(shapeOf)
      for (const [place, tab] of this.tabs.entries()) {
        if (tab.behind !== undefined) continue
        const shown = tab.client.messages.map(shapeOf)
        // It is told of turns of other tabs with its next answer.
        if (shown.length < stored.length)
          expectEqual(
            `tab ${place}`,
            shown,
            stored.filter(({ id }) => shown.some((one: Any) => one.id === id)),
          )
        else expectEqual(`tab ${place}`, shown, stored)
      }
    }
    checkEffects(this.world.effects, this)
  }

  /** A last message on a new page: it shows all, and the model was sent all. */
  private async finish(): Promise<void> {
    this.log.push('at the end')
    await this.release()
    if (this.server.isDead) await this.restart()
    // The process does not end any more.
    this.server.end(Number.POSITIVE_INFINITY)
    await this.quiet()
    const tab = this.tabs[0]!
    await this.reload(tab)
    await this.check()
    await this.say(tab, `say ${++this.messages}`)
    if (tab.behind !== undefined) throw new Error(`the last message: ${tab.behind}`)
    await this.check()
    const begun = (await this.world.turns()).filter((turn) => !this.isDurable || isBegun(turn))
    const sent = this.world.asked.filter((text) => text !== HELD)
    expectEqual('what the model was sent', sent, begun.map(askedIn))
    expectEqual('the page', tab.client.messages.map(shapeOf), (await this.load()).map(shapeOf))
  }
}
