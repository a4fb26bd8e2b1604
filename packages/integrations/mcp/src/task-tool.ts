/**
 * @module
 * An agent whose calls are durable tasks, for servers of MCP.
 */
import { type AnswerJson, type AsyncBaseTool, FunctionTool, type PendingToolCall } from '@x/agents'
import { ApprovalRequiredError, TaskNotFoundError } from '@x/agents/errors'
import { checkOptions, milliseconds, type OptionTable, required, text, unchecked } from '@x/core/options'
import { addToList, errorMessage } from '@x/core/values'
import { ConfigurationError, isToolkitError, type Json } from '@x/core-model'
import { pause, raceAbort } from '@x/core-model/async'
import { newId } from '@x/core-model/data'
import { type DurableTasks, isOwned, isUser, ownedId, type WaitingCall } from '@x/durable'
import type { ServedCall, ServedCaller } from './ask-user.ts'

/** Options of {@link TaskTool}. */
interface TaskToolOptions {
  /** The name of the tool. Its argument is `input`, a string. */
  name: string
  description: string
  /**
   * Whose tasks these are, such as the id of a user. It is compared whole, as a hash in the ids of its tasks: a client reads, waits for and
   * cancels those alone. Pass a different one for each user. @defaultValue `mcp`
   */
  prefix?: string | undefined
  /** JSON for the function that creates the agent, such as the user. */
  context?: Json | object | undefined
  /** The interval at which clients poll, in milliseconds. @defaultValue 1000 */
  pollingIntervalMs?: number | undefined
}

/** A task as the protocol has it. */
export interface McpTask {
  taskId: string
  status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'
  statusMessage?: string
  ttl: null
  createdAt: string
  lastUpdatedAt: string
  pollInterval: number
}

const OPTIONS: OptionTable<TaskToolOptions> = {
  name: required(text),
  description: required(text),
  prefix: (value) => (value === undefined || isUser(value) ? undefined : 'the id of a user'),
  context: unchecked,
  pollingIntervalMs: milliseconds(),
}

/** What follows the owner in the id of a task: when it was made, and what makes it unique. */
const OWN = /^[0-9a-z]+-[0-9a-f-]{36}$/

const STATUS = {
  queued: 'working',
  running: 'working',
  waiting: 'input_required',
  finished: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
} as const

/**
 * A tool whose calls are tasks of any engine. A client that makes a call as a task may disconnect, and the server may restart: the task
 * continues, and the client asks for its result later by its id. A task that waits for a decision is `input_required`. With `approvals` of
 * `serveTools`, the user of a client that waits for the result is asked; otherwise decide through the engine, for example with
 * `tasksHandler`. Calls that are not tasks wait for the answer, and report an error if the task waits and nobody can be asked.
 *
 * It is the `taskStore` and the `taskMessageQueue` of a server of `@modelcontextprotocol/sdk`, and the option `tasks` of `serveTools`.
 * Results are kept as long as the engine keeps its tasks; there is no list of them.
 * @throws {ModelValidationError} if an option is unknown or not valid.
 * @example
 * import { MemoryTaskStore, ReActAgent } from '@x/agents'
 * import { StoredTasks, type TaskRun } from '@x/durable'
 *
 * const llm = new ScriptedLLM({ answers: ['Answer: It is a fruit.'] })
 * const agent = ({ taskStore }: TaskRun) => ReActAgent.fromTools({ llm, taskStore })
 * const tasks = new StoredTasks({ store: new MemoryTaskStore(), agent })
 * await tasks.start()
 * const research = new TaskTool(tasks, { name: 'research', description: 'Answers a question with sources.' })
 * // new Server(info, { capabilities, taskStore: research, taskMessageQueue: research })
 * // serveTools(server, [], { requests, tasks: research, approvals: askUser() })
 * const { content } = await research.tool.call({ input: 'What is a pear?' })
 * await tasks.stop()
 * content // => 'It is a fruit.'
 */
export class TaskTool {
  /** The tool, also for servers without tasks. */
  readonly tool: FunctionTool
  /** @internal The tool for a caller that asks the user for the decisions that a task waits for. */
  readonly askingTool: AsyncBaseTool
  private readonly tasks: DurableTasks
  private readonly options: TaskToolOptions
  private asker: { server: ServedCall['server']; approvals: ServedCaller } | undefined
  /** The tasks whose user is asked. */
  private readonly asking = new Map<string, AbortController>()
  private readonly queues = new Map<string, unknown[]>()

  constructor(tasks: DurableTasks, options: TaskToolOptions) {
    checkOptions('TaskTool', options, OPTIONS)
    this.tasks = tasks
    this.options = options
    const { name, description } = options
    this.tool = FunctionTool.fromDefaults({
      name,
      description,
      schema: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] },
      fn: async ({ input }, { signal, idempotencyKey, decisions }) =>
        this.answer(String(input), signal, decisions && { decisions, key: idempotencyKey ?? '' }),
    })
    this.askingTool = {
      metadata: this.tool.metadata,
      takesArguments: true,
      canWait: true,
      '~check': (this.tool as AsyncBaseTool)['~check'],
      call: async (args, context) => {
        try {
          return await this.tool.call(args, context)
        } catch (error) {
          const { cause } = error as Error
          throw isToolkitError(cause, 'approval_required') ? cause : error
        }
      },
    }
  }

  /** Submits a call. @throws {ConfigurationError} if it is one of another tool, or has no input. */
  async createTask(_: unknown, __: unknown, request: { params?: object }): Promise<McpTask> {
    const { name, arguments: args } = { ...request.params } as { name?: string; arguments?: { input?: unknown } }
    const { input } = { ...args }
    if (name !== this.options.name || typeof input !== 'string')
      throw new ConfigurationError(`Tool "${name}": expected the argument input, a string, of "${this.options.name}".`)
    return this.found(await this.submit(input))
  }

  async getTask(taskId: string): Promise<McpTask | null> {
    if (!this.isOwn(taskId)) return null
    try {
      return await this.found(taskId)
    } catch (error) {
      if (isToolkitError(error, 'task_not_found')) return null
      throw error
    }
  }

  /** @throws {TaskNotFoundError} if the task belongs to somebody else. */
  async getTaskResult(taskId: string): Promise<Record<string, unknown>> {
    this.checkOwn(taskId)
    try {
      return { content: [{ type: 'text', text: responseOf(await this.tasks.answer(taskId)) }] }
    } catch (error) {
      return { content: [{ type: 'text', text: errorMessage(error) }], isError: true }
    }
  }

  /** Cancels a task, the only change that a client may make. @throws {TaskNotFoundError} if the task belongs to somebody else. */
  async updateTaskStatus(taskId: string, status: string): Promise<void> {
    this.checkOwn(taskId)
    if (status === 'cancelled') await this.tasks.cancel(taskId)
  }

  /** The engine stores results. */
  async storeTaskResult(): Promise<void> {}

  async listTasks(): Promise<{ tasks: never[] }> {
    return { tasks: [] }
  }

  /** Keeps a question until the client asks for the result of its task. */
  async enqueue(taskId: string, message: unknown): Promise<void> {
    this.checkOwn(taskId)
    addToList(this.queues, taskId, message)
  }

  /** Returns the next question for a client that waits for the result of a task. */
  async dequeue(taskId: string): Promise<never | undefined> {
    this.checkOwn(taskId)
    const [first, ...others] = this.queues.get(taskId) ?? []
    if (others.length > 0) this.queues.set(taskId, others)
    else this.queues.delete(taskId)
    if (first !== undefined) return first as never
    const asking = this.asking.get(taskId)
    const isWaiting = (await this.tasks.status(taskId)) === 'waiting'
    // The calls were decided elsewhere, or the task has ended.
    if (!isWaiting) asking?.abort()
    else if (!asking) this.ask(taskId)
    return undefined
  }

  async dequeueAll(taskId: string): Promise<never[]> {
    this.checkOwn(taskId)
    const all = this.queues.get(taskId) ?? []
    this.queues.delete(taskId)
    return all as never[]
  }

  /**
   * @internal Asks the user of the client of this server, by this caller.
   * @throws {ConfigurationError} if it asks that of another server: questions would reach the wrong client.
   */
  askBy(server: ServedCall['server'], approvals: ServedCaller): void {
    if (this.asker && this.asker.server !== server)
      throw new ConfigurationError('TaskTool: make one for each server, so that questions reach the right client.')
    this.asker = { server, approvals }
  }

  /** Asks the user for the decisions that a task waits for, until it ends. */
  private ask(taskId: string): void {
    if (!this.asker) return
    const { server, approvals } = this.asker
    const controller = new AbortController()
    const { signal } = controller
    this.asking.set(taskId, controller)
    const call: ServedCall = {
      tool: this.askingTool,
      args: {},
      context: {},
      signal,
      // Such a question goes to the client that asks for the result of the task.
      server: {
        getClientCapabilities: () => server.getClientCapabilities?.() ?? {},
        elicitInput: async (question, options) =>
          server.elicitInput?.(question, { ...options, relatedTask: { taskId } }),
      },
      run: async ({ decisions = [] }) => ({ answer: await advanceTask(this.tasks, taskId, decisions, signal) }),
      failed: (message) => ({ message }),
    }
    // The task still waits when its user cannot be asked, or does not answer in time: the next request for its result asks again.
    void approvals(call)
      .catch(() => {})
      .finally(() => this.asking.delete(taskId))
  }

  private get owner(): string {
    return this.options.prefix ?? 'mcp'
  }

  private isOwn(taskId: string): boolean {
    return isOwned(this.owner, taskId) && OWN.test(taskId.slice(ownedId(this.owner, '').length))
  }

  private checkOwn(taskId: string): void {
    if (!this.isOwn(taskId)) throw new TaskNotFoundError(taskId)
  }

  private async submit(input: string, id = `${Date.now().toString(36)}-${newId()}`): Promise<string> {
    const { context } = this.options
    return this.tasks.submit(input, { taskId: ownedId(this.owner, id), context })
  }

  private async found(taskId: string): Promise<McpTask> {
    const { pollingIntervalMs: pollInterval = 1000 } = this.options
    const status = await this.tasks.status(taskId)
    const statusMessage = await this.messageOf(taskId, status)
    const created = Number.parseInt(taskId.slice(ownedId(this.owner, '').length), 36)
    return {
      taskId,
      status: STATUS[status],
      ...(statusMessage !== undefined && { statusMessage }),
      ttl: null,
      createdAt: new Date(created).toISOString(),
      lastUpdatedAt: new Date().toISOString(),
      pollInterval,
    }
  }

  private async messageOf(taskId: string, status: keyof typeof STATUS): Promise<string | undefined> {
    if (status === 'waiting') {
      const names = (await this.tasks.waiting(taskId)).map(({ name, awaits }) => `${name} waits for its ${awaits}`)
      return `${names.join(', ')}.`
    }
    return status === 'failed' ? this.tasks.answer(taskId).then(responseOf, errorMessage) : undefined
  }

  /** Runs a task while its caller waits. A caller that asks the user calls again with the decisions and the same key. */
  private async answer(
    input: string,
    signal: AbortSignal | undefined,
    asks: { decisions: readonly PendingToolCall[]; key: string } | undefined,
  ): Promise<string> {
    const taskId = await this.submit(input, asks && `0-${asks.key.slice(-36)}`)
    try {
      return await advanceTask(this.tasks, taskId, asks?.decisions ?? [], signal)
    } catch (error) {
      if (asks || !isToolkitError(error, 'approval_required')) throw error
      throw new Error(`Task "${taskId}": ${await this.messageOf(taskId, 'waiting')}`)
    } finally {
      // A task that cannot be cancelled continues.
      if (signal?.aborted) this.tasks.cancel(taskId).catch(() => {})
    }
  }
}

const responseOf = ({ response }: AnswerJson): string => response

/** How often the engine is asked, in milliseconds: soon at first, then less often. */
const FIRST_LOOK = 10
const LAST_LOOK = 1000

/**
 * Applies decisions to a task, waits until it ends, and returns its answer.
 * @throws {ApprovalRequiredError} if the task waits for other decisions.
 * @throws the error of the task if it fails, with its `code`.
 */
async function advanceTask(
  tasks: DurableTasks,
  taskId: string,
  decisions: readonly PendingToolCall[],
  signal: AbortSignal | undefined,
): Promise<string> {
  const open = decisions.length > 0 ? await tasks.waiting(taskId) : []
  const before = new Map(open.map((call) => [call.id, refusalsOf(call)]))
  for (const decided of decisions) await decide(tasks, taskId, decided)
  // An engine may receive a decision later.
  const isOnItsWay = (call: WaitingCall) =>
    decisions.some(({ id }) => id === call.id) && refusalsOf(call) === before.get(call.id)
  for (let delayMs = FIRST_LOOK; ; delayMs = Math.min(2 * delayMs, LAST_LOOK)) {
    const status = await tasks.status(taskId)
    if (status === 'waiting') {
      const calls = await tasks.waiting(taskId)
      if (calls.length > 0 && !calls.some(isOnItsWay)) throw new ApprovalRequiredError(taskId, calls.map(pending))
    } else if (status !== 'queued' && status !== 'running') return (await tasks.answer(taskId)).response
    await raceAbort(pause(delayMs), signal)
  }
}

const refusalsOf = ({ refused }: WaitingCall): number => refused?.count ?? 0

/** Stores a decision. A call that was decided meanwhile, for example by another client, keeps that decision. */
async function decide(tasks: DurableTasks, taskId: string, decided: PendingToolCall): Promise<void> {
  const { id: callId, decision } = decided
  if (decision === null) return
  try {
    if (decision === 'result') {
      const { result, isError = false } = decided
      await tasks.decide(taskId, { callId, type: 'result', result, isError })
    } else if (decision === 'reject') await tasks.decide(taskId, { callId, type: 'reject', reason: decided.reason })
    else await tasks.decide(taskId, { callId, type: 'approve' })
  } catch (error) {
    if (!isToolkitError(error, 'approval')) throw error
  }
}

/** Returns a waiting call as an agent has it. */
function pending({ id, name, arguments: args, awaits }: WaitingCall): PendingToolCall {
  return { id, name, arguments: args, awaits, needsApproval: awaits === 'approval', decision: null }
}
