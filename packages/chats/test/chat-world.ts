/** What the tests of chats share: instances of an application, and models that wait. */

import {
  type FunctionCallingAgent as Agent,
  FunctionCallingAgent,
  FunctionTool,
  journal,
  MemoryTaskStore,
} from '@x/agents'
import { AnswerBuilder, type CallOptions, ChatMessage, LLMMetadata, messageText, SimpleChatStore } from '@x/core-model'
import { MemoryEventLog, StoredTasks, type TaskRun, TasksAgent } from '@x/durable'
import { type LLM, ProviderLLM } from '@x/llm'
import { type ScriptedAnswer, ScriptedLLM } from '@x/llm/testing'
import type { ChatRouteOptions } from '../src/index.ts'

export const metadata = new LLMMetadata({
  modelName: 'm',
  isChatModel: true,
  isFunctionCallingModel: true,
  contextWindow: 100_000,
})
export const callTurn = (content: string | null, id = 'c1') =>
  new ChatMessage({
    role: 'assistant',
    content,
    additionalKwargs: {
      tool_calls: [{ id, type: 'function', function: { name: 'buy', arguments: '{"fruit":"pear"}' } }],
    },
  })

/** What several instances of an application share. */
export class World {
  readonly chatStore = new SimpleChatStore()
  readonly taskStore = new MemoryTaskStore()
  readonly bought: string[] = []
  readonly llms: ScriptedLLM[] = []
  readonly needsApproval: boolean
  readonly options: object
  readonly handler: (options: ChatRouteOptions<object>) => Route

  /** @param options - those of the handler */
  constructor(handler: (options: ChatRouteOptions<object>) => Route, options: object = {}, needsApproval = false) {
    this.handler = handler
    this.options = options
    this.needsApproval = needsApproval
  }

  /** Returns the route of a new instance, whose model answers this. */
  instance(answers: ScriptedAnswer[]): Route {
    const llm = new ScriptedLLM({ answers, metadata })
    this.llms.push(llm)
    return this.instanceOf(llm)
  }

  /** Returns the route of a new instance with this model. */
  instanceOf(llm: LLM): Route {
    return this.routeOf(this.agentOf(llm))
  }

  protected routeOf(agent: object): Route {
    return this.handler({
      agent: agent as never,
      user: (request) => request.headers.get('x-user'),
      chatStore: this.chatStore,
      ...this.options,
    })
  }

  agentOf(llm: LLM, taskStore = journal(this.taskStore)): Agent {
    const buy = FunctionTool.fromDefaults({
      name: 'buy',
      description: 'Buys a fruit.',
      schema: { type: 'object', properties: { fruit: { type: 'string' } }, required: ['fruit'] },
      needsApproval: this.needsApproval,
      fn: ({ fruit }) => {
        this.bought.push(String(fruit))
        return { bought: fruit }
      },
    })
    return FunctionCallingAgent.fromTools({ llm, tools: [buy], taskStore })
  }

  /** The messages of a request to a model, as `role: text`. */
  request(llm: number, call: number): string[] {
    return this.llms[llm]!.calls[call]!.messages!.map(
      (message) => `${message['role']}: ${messageText(message as never)}`,
    )
  }
}

/** Instances whose runs are durable tasks. One of them at a time runs the tasks: the last one that got a message. */
export class TasksWorld extends World {
  private worker: StoredTasks | undefined
  private readonly log = new MemoryEventLog()

  override instanceOf(llm: LLM): Route {
    const agent = ({ taskStore }: TaskRun) => this.agentOf(llm, taskStore)
    const { taskStore: store, chatStore, log: events } = this
    const tasks = new StoredTasks({ store, chatStore, agent, events, pollingIntervalMs: 50, leaseMs: 300 })
    const route = this.routeOf(new TasksAgent(tasks))
    return async (request) => {
      if (this.worker !== tasks && request.method === 'POST') {
        const before = this.worker
        // Another request may come meanwhile.
        this.worker = tasks
        await before?.stop()
        await tasks.start()
      }
      return route(request)
    }
  }
}

/** Instances whose runs are tasks of one engine, which continues when they end. */
export class EngineWorld extends World {
  private readonly log = new MemoryEventLog()
  private engine: StoredTasks | undefined

  /** Starts the process that runs the tasks. */
  async start(llm: LLM): Promise<void> {
    this.engine = this.tasks((run: TaskRun) => this.agentOf(llm, run.taskStore))
    await this.engine.start()
  }

  async stop(): Promise<void> {
    await this.engine?.stop()
  }

  /** Returns the tasks as another process sees them. */
  tasks(agent?: (run: TaskRun) => Agent): StoredTasks {
    const { taskStore: store, chatStore, log: events } = this
    return new StoredTasks({ store, chatStore, agent, events, pollingIntervalMs: 10, leaseMs: 300 })
  }

  webOf(tasks: StoredTasks): Route {
    return this.routeOf(new TasksAgent(tasks))
  }

  /** Starts another instance. */
  web(): { route: Route; end: () => void } {
    const route = this.webOf(this.tasks())
    const ended = new AbortController()
    return {
      // A process that ends aborts no request. It only breaks its responses.
      route: async ({ url, method, headers, body }) => {
        const request = new Request(url, { method, headers, body, ...(body && { duplex: 'half' }) } as RequestInit)
        const response = await route(request)
        const left = response.body?.pipeThrough(new TransformStream(), { signal: ended.signal })
        return new Response(left ?? null, response)
      },
      end: () => ended.abort(new TypeError('network error')),
    }
  }
}

export type Route = (request: Request) => Promise<Response>

/** A model with these pieces of an answer. */
export class StreamingModel extends ProviderLLM<string> {
  override readonly metadata = metadata
  /** The number of requests. */
  count = 0
  /** Whether the answer ended, or its reader left. */
  isLeft = false
  private readonly source: AsyncIterable<string>

  constructor(source: AsyncIterable<string>) {
    super()
    this.source = source
  }

  get isAsked(): boolean {
    return this.count > 0
  }

  protected override async *pieces(_: readonly ChatMessage[], { signal }: CallOptions) {
    this.count++
    try {
      for await (const piece of this.source) {
        signal?.throwIfAborted()
        yield piece
      }
    } finally {
      this.isLeft = true
    }
  }

  protected override newReader() {
    const answer = new AnswerBuilder()
    return { answer, isComplete: true, addPiece: (piece: string) => answer.addText(piece) }
  }
}

/** A model that begins, and continues when it is released. */
export function slowModel(): { llm: StreamingModel; release: () => void } {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  async function* story() {
    yield 'Once '
    await released
    yield 'upon a time.'
  }
  return { llm: new StreamingModel(story()), release: () => release() }
}
