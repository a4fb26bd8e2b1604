/**
 * @module
 * The agent of the checks of engines, what its tools do, and an engine that runs it.
 */
import { FunctionCallingAgent, FunctionTool, type ToolCallContext } from '@x/agents'
import { boundApprovals } from '@x/agents/loop'
import { type BaseLLM, ChatMessage, ChatResponse, isToolkitError, LLMMetadata, messageText } from '@x/core-model'
import { newId } from '@x/core-model/data'
import type { DurableTasks, TaskRun, TaskStatus, WaitingCall } from '@x/durable'

/** An engine that runs the agent of the checks. */
export interface CheckedTasks {
  tasks: DurableTasks
  /** Ends the process that runs the tasks, or its stand-in, and starts another one. @defaultValue not checked */
  restart?(): Promise<DurableTasks>
  /** Whether tasks in flight continue with other code after `restart`. @defaultValue false: not checked */
  takesOtherCode?: boolean | undefined
  /**
   * Ends the process that runs the tasks, until `restart`. Returns the tasks as a process without a worker has them, which submits and
   * decides.
   * @defaultValue not checked
   */
  stop?(): Promise<DurableTasks>
  /**
   * Starts a second process beside the first, with another version of the agent. Returns how it ends.
   * @defaultValue not checked
   */
  second?(agent: (run: TaskRun) => FunctionCallingAgent): Promise<() => Promise<void>>
  /** Returns the ids of the tasks at which workers look. @defaultValue not checked */
  active?(): Promise<readonly string[]>
}

/** A check of an engine. */
export interface EngineCheck {
  name: string
  /** The operations without which it is left out. */
  needs?: OptionalOperation | OptionalOperation[]
  check: (engine: Engine) => Promise<void>
}

/** An operation that an engine need not have. */
export type OptionalOperation = 'events' | 'fork' | 'retry' | 'delete' | 'list'

/** What the tools of the agent have done, and what they are to do. */
export class World {
  readonly effects: { taskId: string; key: string; what: string; context: unknown }[] = []
  /** The tasks whose model fails, and whose tool `crash` ends the run, until they are removed. */
  readonly broken = new Set<string>()
  /** The tasks whose tools `hang` and `hold` do not return, until they are removed. */
  readonly hanging = new Set<string>()
  readonly aborted = new Set<string>()
  /** Part of the descriptions of the tools of agents that are made from now on. */
  edition = ''

  /** The keys of calls of the tool `stall` that hung once. */
  private readonly stalled = new Set<string>()

  /**
   * Its model reads the input: each line is a turn, with calls such as `note pears, pay Ann`, maybe after text: `I look: note a`. Then it
   * answers.
   * @param version - a model of another version makes other arguments: `pears2`. @defaultValue none
   */
  agent({ taskId, durable, newId: ids, now, taskStore, context: given }: TaskRun, version = ''): FunctionCallingAgent {
    const schema = { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] } as const
    const tool = (name: string, needsApproval: boolean) =>
      FunctionTool.fromDefaults({
        name,
        description: `Does it${this.edition}.`,
        schema,
        needsApproval,
        fn: async ({ what }, { idempotencyKey = '', context, signal }: ToolCallContext<never>) => {
          this.effects.push({ taskId, key: idempotencyKey, what: `${name} ${what}`, context })
          if ((name === 'hang' || name === 'hold') && this.hanging.has(taskId)) await this.hang(taskId, signal)
          if (name === 'slow') await new Promise((resolve) => setTimeout(resolve, 20))
          if (name === 'stall' && !this.stalled.has(idempotencyKey)) {
            this.stalled.add(idempotencyKey)
            await this.hang(taskId, signal)
          }
          if (name === 'crash' && this.broken.has(taskId)) throw Object.assign(new Error('power cut'), { fatal: true })
          return `${name} ${what}`
        },
      })
    const tools = [
      tool('note', false),
      tool('hang', false),
      tool('slow', false),
      tool('stall', false),
      tool('crash', false),
      tool('pay', true),
      tool('hold', true),
      FunctionTool.external({ name: 'ask', schema }),
    ]
    const llm = modelOf(() => this.broken.has(taskId), version)
    // Of a task without a user, anybody's approval counts.
    const approvals = given ? boundApprovals({ user: (context: { user: string }) => context.user }) : undefined
    const options = { llm, tools, durable, newId: ids, now, taskStore, approvals, maxIterations: 30 }
    return FunctionCallingAgent.fromTools(options as never)
  }

  private hang(taskId: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((_, reject) => {
      const stop = () => {
        this.aborted.add(taskId)
        reject(signal?.reason)
      }
      if (signal?.aborted) stop()
      signal?.addEventListener('abort', stop)
    })
  }
}

function modelOf(isBroken: () => boolean, version: string): BaseLLM {
  const reply = (given: readonly ChatMessage[] | string): ChatMessage => {
    const messages = given as readonly ChatMessage[]
    const input = messages.findLastIndex(({ role }) => role === 'user')
    const turns = messageText(messages[input]!).split('\n')
    const turn = messages.slice(input).filter(({ role }) => role === 'assistant').length
    const wanted = turns[turn]
    if (wanted === undefined) {
      const seen = messages.slice(0, input).map((message) => `${messageText(message)} `)
      return new ChatMessage({ role: 'assistant', content: `${seen.join('')}Done in ${turns.length} turns.` })
    }
    if (wanted === 'break' && isBroken()) throw new Error('power cut')
    const [text, calls] = wanted.includes(': ') ? wanted.split(': ') : [null, wanted]
    const tool_calls = calls.split(', ').map((call, i) => {
      const [name = '', what = ''] = call === 'break' ? ['note', 'mended'] : call.split(' ')
      return { id: `c${turn}-${i}`, name, arguments: JSON.stringify({ what: what + version }) }
    })
    return new ChatMessage({ role: 'assistant', content: text!, additionalKwargs: { tool_calls } })
  }
  return {
    metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }),
    chat: async (messages) => new ChatResponse({ message: reply(messages) }),
    complete: () => Promise.reject(new Error('not used')),
    async *streamChat(messages) {
      const message = reply(messages)
      let content = ''
      for (const delta of messageText(message).split(/(?<= )/)) {
        content += delta
        if (content !== '') yield new ChatResponse({ message: message.copy({ update: { content } }), delta })
      }
      if (content === '') yield new ChatResponse({ message })
    },
    async *streamComplete() {},
  }
}

/** An engine in a check. */
export class Engine {
  tasks: DurableTasks
  readonly world: World
  private readonly made: CheckedTasks
  private readonly prefix = `check-${newId()}`

  private readonly patienceMs: number

  constructor(made: CheckedTasks, world: World, patienceMs: number) {
    this.made = made
    this.patienceMs = patienceMs
    this.tasks = made.tasks
    this.world = world
  }

  get canRestart(): boolean {
    return this.made.restart !== undefined
  }

  /** Ends the process that runs the tasks, until {@link restart}. Returns false if the check cannot do this. */
  async stop(): Promise<boolean> {
    if (!this.made.stop) return false
    this.tasks = await this.made.stop()
    return true
  }

  /** Starts a second process, of another version; undefined if the check cannot do this. */
  async second(): Promise<(() => Promise<void>) | undefined> {
    return this.made.second?.((run) => this.world.agent(run, '2'))
  }

  async active(): Promise<readonly string[] | undefined> {
    return this.made.active?.()
  }

  async restart(): Promise<void> {
    this.made.tasks = await this.made.restart!()
    this.tasks = this.made.tasks
  }

  /** Restarts with other descriptions of the tools. Returns false if the check cannot do this. */
  async redeploy(edition: string): Promise<boolean> {
    if (!this.made.takesOtherCode) return false
    this.world.edition = edition
    await this.restart()
    return true
  }

  id(name: string): string {
    return `${this.prefix}-${name}`
  }

  submit(name: string, input: string): Promise<string> {
    return this.tasks.submit(input, { taskId: this.id(name) })
  }

  /** Waits until something is true. */
  async until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
    const end = Date.now() + this.patienceMs
    while (!(await isTrue())) {
      if (Date.now() > end) throw new Error(`expected ${what} within ${this.patienceMs / 1000} s`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async reaches(taskId: string, status: TaskStatus): Promise<void> {
    await this.until(`the state ${status}`, async () => (await this.tasks.status(taskId)) === status)
  }

  /** Submits a task that waits, and returns its calls. */
  async waits(name: string, input: string): Promise<{ taskId: string; calls: readonly WaitingCall[] }> {
    const taskId = await this.submit(name, input)
    await this.reaches(taskId, 'waiting')
    return { taskId, calls: await this.tasks.waiting(taskId) }
  }

  /** Submits a task whose call hangs, and returns its id when it made so many calls. */
  async hangs(name: string, input: string, calls: number): Promise<string> {
    const taskId = this.id(name)
    this.world.hanging.add(taskId)
    await this.submit(name, input)
    await this.until('the call', async () => this.effects(taskId).length >= calls)
    return taskId
  }

  async approveAll(taskId: string): Promise<void> {
    for (const { id } of await this.tasks.waiting(taskId))
      await this.tasks.decide(taskId, { callId: id, type: 'approve' })
  }

  /** The effects of a task, each with the part of its key after the id of the task, in the order of the calls. */
  effects(taskId: string): string[] {
    const own = this.world.effects.filter((effect) => effect.taskId === taskId)
    const place = (key: string) => (key.startsWith(`${taskId}/`) ? key.slice(taskId.length + 1) : key)
    return own.map(({ key, what }) => `${place(key)} ${what}`).sort()
  }
}

/** Expects an error with a code. */
export async function throws(code: string, call: () => Promise<unknown>): Promise<void> {
  const error = await call().then(
    () => new Error('nothing was thrown'),
    (thrown: unknown) => thrown,
  )
  if (!isToolkitError(error, code as never)) throw new Error(`expected the error ${code}, received ${error}`)
}
