/** A process with a chat, which can end at any call of its stores, and what survives it. */
import { FunctionCallingAgent, FunctionTool, journal, MemoryTaskStore } from '@x/agents'
import { type ChatStreams, chatKey, loadTurns, memoryChatStreams } from '@x/chats'
import { ChatMessage, type ChatStore, LLMMetadata, messageText, SimpleChatStore, type Turn } from '@x/core-model'
import { MemoryEventLog, StoredTasks, type TaskRun, TasksAgent } from '@x/durable'
import { ScriptedLLM } from '@x/llm/testing'
import { openDatabase, SqliteChatStore } from '@x/sqlite'
import type { Route } from '../../../../chats/test/chat-world.ts'
import { chatHandler } from '../../src/chat-handler.ts'
import { loadUIMessages, type StoredUIMessage } from '../../src/load-ui-messages.ts'

const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
const never = new Promise<never>(() => {})

/** What tools have done, and what the model was sent. */
export interface Effect {
  name: string
  /** The number of the message that asked for it. */
  message: number
  key: string
}

/** The stores of a chat, its model and the world outside: all that processes share. */
export class ChatWorld {
  readonly chatStore: ChatStore
  readonly taskStore = new MemoryTaskStore()
  readonly log = new MemoryEventLog()
  readonly effects: Effect[] = []
  /** The texts of the user in the last request. */
  asked: string[] = []
  /** The results of calls in the last request. */
  told: string[] = []
  /** Errors of runs that no program has planned. */
  readonly faults: string[] = []
  private gate = gateOf()
  private readonly failed = new Set<string>()
  private calls = 0

  /** @param chatStore - @defaultValue the memory of this process */
  constructor(chatStore: ChatStore = new SimpleChatStore()) {
    this.chatStore = chatStore
  }

  /** Returns the world of a program. SQLite, for every second one, reads a turn, and the messages before it, alone. */
  static async of(seed: number): Promise<ChatWorld> {
    return new ChatWorld(seed % 2 === 0 ? new SqliteChatStore(await openDatabase(':memory:')) : undefined)
  }

  /** Lets slow answers continue, those of now. */
  release(): void {
    this.gate.open()
    this.gate = gateOf()
  }

  turns(): Promise<Turn[]> {
    return loadTurns(this.chatStore, 'ann', 'chat')
  }

  /** Answers by the words of the user: `buy` and `mail` call tools, `slow` waits, `fails` fails once behind its calls. */
  answer(messages: readonly ChatMessage[]) {
    this.asked = messages.flatMap((message) => (message.role === 'user' ? [messageText(message)] : []))
    this.told = messages.flatMap((message) => (message.role === 'tool' ? [messageText(message)] : []))
    const at = messages.findLastIndex(({ role }) => role === 'user')
    const said = messageText(messages[at]!)
    const results = messages.slice(at + 1).filter(({ role }) => role === 'tool')
    const names = results.length > 0 ? [] : ['mail', 'buy'].filter((name) => said.includes(name))
    if (results.length > 0 && said.includes('fails') && !this.failed.has(said)) {
      this.failed.add(said)
      return new Error('planned')
    }
    const text = results.length > 0 ? `Done ${said}. ` : `To ${said}. `
    if (names.length > 0) {
      const tool_calls = names.map((name) => {
        const args = JSON.stringify({ message: Number(/\d+/.exec(said)?.[0]) })
        return { id: `c${this.calls++}`, type: 'function', function: { name, arguments: args } }
      })
      return new ChatMessage({ role: 'assistant', content: text, additionalKwargs: { tool_calls } })
    }
    return said.includes('slow') ? [text, this.gate.opened.then(() => 'And so on.')] : ['\n', text, 'The end. ', '\n']
  }
}

function gateOf() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** A process. */
export class ChatServer {
  private readonly world: ChatWorld
  private readonly ended = new AbortController()
  /** The number of calls of stores after which it ends. */
  private left = Number.POSITIVE_INFINITY
  private route: Route = () => never
  private loaded: Parameters<typeof loadUIMessages>[3]

  constructor(world: ChatWorld) {
    this.world = world
  }

  /** @param hasJournal - whether the tasks of an agent survive the process */
  async start(isDurable: boolean, hasJournal = true): Promise<this> {
    const { world } = this
    const chatStore = this.mortal(world.chatStore)
    const taskStore = this.mortal(world.taskStore)
    const streams = memoryChatStreams()
    const llm = new ScriptedLLM({
      metadata,
      answers: (messages) => (this.isDead ? never : world.answer(messages)) as never,
    })
    const tools = [this.tool('mail', false), this.tool('buy', true)]
    const own = hasJournal ? journal(taskStore) : undefined
    const agentOf = (run: Partial<TaskRun>) =>
      FunctionCallingAgent.fromTools({ llm, tools, taskStore: run.taskStore ?? own })
    let agent: object = agentOf({})
    if (isDurable) {
      const events = this.mortal(world.log)
      const tasks = new StoredTasks({ store: taskStore, chatStore, agent: agentOf, events, pollingIntervalMs: 5 })
      await tasks.start({ alone: true })
      this.ended.signal.addEventListener('abort', () => void tasks.stop().catch(() => {}))
      agent = new TasksAgent(tasks)
    }
    const onError = ({ code, message }: { code: string | null; message: string }) => {
      if (!/planned|was aborted/.test(message) && code !== 'abort' && code !== 'task_cancelled')
        world.faults.push(`${code}: ${message}`)
      return String(code)
    }
    this.loaded = { agent: agent as never, streams, onError: ({ code }) => String(code) }
    this.route = chatHandler({ agent: agent as never, user: () => 'ann', chatStore, streams, onError })
    return this
  }

  get isDead(): boolean {
    return this.ended.signal.aborted
  }

  /** Ends the process, now or at a later call of a store. */
  end(after = 0): void {
    this.left = after
    if (after === 0) this.ended.abort(new TypeError('network error'))
  }

  /** Answers a request. Its connection breaks when the process ends. */
  async request(request: Request, network?: AbortSignal): Promise<Response> {
    const signal = network ? AbortSignal.any([this.ended.signal, network]) : this.ended.signal
    const response = await this.orBroken(() => this.route(request))
    const body = response.body?.pipeThrough(new TransformStream(), { signal })
    return new Response(body ?? null, response)
  }

  /** Whether no turn runs, or is to run. */
  async isQuiet(): Promise<boolean> {
    const { agent, streams } = this.loaded as { agent: Partial<TasksAgent>; streams: ChatStreams }
    if (!agent.statusOf) return (await streams.follow(chatKey('ann', 'chat'))) === null
    // A call that waits may be asked for again by a new process: until then, its answer goes on, and a page has it by `resume`.
    const open = (await this.world.turns()).filter(({ state }) => state === 'open' || state === 'waiting')
    const statuses = await Promise.all(open.map(({ task }) => agent.statusOf!(task)))
    return !statuses.some((status) => status === 'queued' || status === 'running')
  }

  load(): Promise<StoredUIMessage[]> {
    return this.orBroken(() => loadUIMessages(this.world.chatStore, 'ann', 'chat', this.loaded))
  }

  /** Rejects when the process ends: it does not answer any more. */
  private async orBroken<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this.ended
    signal.throwIfAborted()
    const broken = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    broken.catch(() => {})
    return Promise.race([work(), broken])
  }

  private tool(name: string, needsApproval: boolean) {
    const schema = { type: 'object', properties: { message: { type: 'number' } }, required: ['message'] } as const
    const fn = ({ message }: { message: number }, { idempotencyKey = '' }) => {
      if (this.isDead) return never
      this.world.effects.push({ name, message, key: idempotencyKey })
      return { [name]: message }
    }
    return FunctionTool.fromDefaults({ name, schema, needsApproval, fn: fn as never })
  }

  /** Returns a store whose calls neither begin nor end after the process has ended. */
  private mortal<T extends object>(store: T): T {
    return new Proxy(store, {
      get: (target, name) => {
        const value = Reflect.get(target, name, target) as unknown
        if (name === 'turns' && value) return this.mortal(value as object)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          if (!this.isDead && --this.left < 0) this.end()
          if (this.isDead) return never
          return value.apply(target, args)
        }
      },
    })
  }
}
