/** What survives the processes of a random program of durable tasks, and a process, which can end at any call of its stores. */
import { FunctionCallingAgent, FunctionTool, MemoryTaskStore, type ToolCallContext } from '@x/agents'
import { ChatMessage, LLMMetadata, messageText, type TaskStore } from '@x/core-model'
import { MemoryEventLog, StoredTasks, type TaskRun } from '@x/durable'
import { background, steer } from '@x/layers'
import { ScriptedLLM } from '@x/llm/testing'
import { InMemoryKeyValueStore } from '@x/storage'
import { openDatabase } from '../../src/sqlite-database.ts'
import { SqliteTaskStore } from '../../src/sqlite-task-store.ts'

const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
const never = new Promise<never>(() => {})
const planned = new Error('planned')

/** A call of a tool. */
export interface Effect {
  name: string
  taskId: string
  /** The number of the word that asked for it. */
  word: number
  key: string
  /** The run of the agent. */
  run: number
}

/** The stores, the model and the world outside: all that processes share. */
export class TaskWorld {
  readonly store: TaskStore
  readonly values = new InMemoryKeyValueStore()
  readonly log = new MemoryEventLog()
  readonly steering = steer(this.values)
  readonly effects: Effect[] = []
  /** What the tasks do, by the numbers of their programs: the calls of each turn. */
  readonly programs: string[][][] = []
  /** What must not happen. */
  readonly faults: string[] = []
  runs = 0
  /** Whether an agent waits for its tasks in the background. */
  readonly waits: boolean
  private readonly failed = new Set<string>()
  private readonly held = new Set<() => void>()
  private isOpen = false

  private constructor(store: TaskStore, waits: boolean) {
    this.store = store
    this.waits = waits
  }

  /** Every second program is on SQLite. */
  static async of(seed: number): Promise<TaskWorld> {
    const store = seed % 2 === 0 ? new SqliteTaskStore(await openDatabase(':memory:')) : new MemoryTaskStore()
    return new TaskWorld(store, seed % 3 > 0)
  }

  /** Lets slow calls end: those of now, or all from now on. */
  release(forever = false): void {
    this.isOpen ||= forever
    for (const open of this.held) open()
    this.held.clear()
  }

  /** Resolves when a slow call may end. */
  opened(): Promise<void> {
    return this.isOpen ? Promise.resolve() : new Promise((resolve) => this.held.add(resolve))
  }

  /** Returns what the model says: the calls of the next turn of its program, then what it was told meanwhile. */
  answer(messages: readonly ChatMessage[]): ChatMessage | string | Error {
    const at = messages.findLastIndex(({ role, content }) => role === 'user' && /^do \d+$/.test(String(content)))
    const program = Number(messageText(messages[at]!).slice(3))
    const after = messages.slice(at + 1)
    const turn = after.filter(({ additionalKwargs }) => additionalKwargs['tool_calls']).length
    const words = this.programs[program]![turn]
    if (!words) return `Done ${program}. ${heardIn(after).join(' ')}`
    if (words[0]!.startsWith('down') && !this.failed.has(words[0]!)) {
      this.failed.add(words[0]!)
      return planned
    }
    const tool_calls = words.map((word, i) => {
      const [name, number] = word.split(' ')
      const call =
        name === 'bg'
          ? { name: 'start_background_task', arguments: JSON.stringify({ task: `do ${number}` }) }
          : { name: name === 'down' ? 'mail' : name!, arguments: JSON.stringify({ word: Number(number) }) }
      return { id: `${program}-${turn}-${i}`, type: 'function', function: call }
    })
    return new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls } })
  }
}

/** Returns the messages that were sent into a task. */
function heardIn(messages: readonly ChatMessage[]): string[] {
  return messages.flatMap((message) => (message.role === 'user' ? (messageText(message).match(/^hear \d+/) ?? []) : []))
}

/** A process with a worker. */
export class TaskProcess {
  readonly tasks: StoredTasks
  isDead = false
  /** The tasks that it has begun to run. */
  readonly ran = new Set<string>()
  /** The number of calls of stores after which it ends. */
  private left = Number.POSITIVE_INFINITY
  private readonly world: TaskWorld

  constructor(world: TaskWorld) {
    this.world = world
    this.tasks = new StoredTasks({
      store: this.mortal(world.store),
      events: this.mortal(world.log),
      agent: (run) => this.agentOf(run),
      maxRunning: 3,
      leaseMs: 150,
      pollingIntervalMs: 5,
      onDelete: (taskId) => world.steering.clear(taskId),
      onError: (error) => {
        if (!this.isDead && error !== planned) world.faults.push((error as Error).stack ?? String(error))
      },
    })
  }

  /** Ends the process, now or at a later call of a store. */
  end(after = 0): void {
    this.left = after
    if (after > 0) return
    this.isDead = true
    void this.tasks.stop()
  }

  private agentOf({ taskStore, taskId }: TaskRun): FunctionCallingAgent {
    const { world } = this
    const run = ++world.runs
    this.ran.add(taskId)
    const llm = new ScriptedLLM({
      metadata,
      answers: (messages) => (this.isDead ? never : world.answer(messages)) as never,
    })
    const tool = (name: string, needsApproval = false) =>
      FunctionTool.fromDefaults({
        name,
        schema: { type: 'object', properties: { word: { type: 'number' } }, required: ['word'] },
        needsApproval,
        fn: async ({ word }: { word: number }, { idempotencyKey = '', signal }: ToolCallContext<never>) => {
          if (this.isDead) return never
          world.effects.push({ name, taskId, word, key: idempotencyKey, run })
          if (name === 'slow') await world.opened()
          if (this.isDead) return never
          signal?.throwIfAborted()
          return `did ${word}.`
        },
      })
    const layers = [steer(this.mortal(world.values)), background(this.tasks, { wait: world.waits })]
    const tools = [tool('mail'), tool('slow'), tool('buy', true)]
    return FunctionCallingAgent.fromTools({ llm, tools, taskStore, layers })
  }

  /** Returns a store whose calls neither begin nor end after the process has ended. */
  private mortal<T extends object>(store: T): T {
    return new Proxy(store, {
      get: (target, name) => {
        const value = Reflect.get(target, name, target) as unknown
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
