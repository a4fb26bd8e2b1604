/**
 * @module
 * An agent whose calls are durable tasks, for servers of MCP.
 */
import { type AnswerJson, FunctionTool } from '@x/agents'
import type { DurableTasks } from '@x/agents/durable'
import { checkOptions, milliseconds, type OptionTable, required, text, unchecked } from '@x/core/options'
import { errorMessage } from '@x/core/values'
import { ConfigurationError, isToolkitError, type Json } from '@x/core-model'
import { pause, raceAbort } from '@x/core-model/async'
import { newId } from '@x/core-model/data'

/** Options of {@link TaskTool}. */
export interface TaskToolOptions {
  /** The name of the tool. Its argument is `input`, a string. */
  name: string
  description: string
  /**
   * The beginning of the ids of its tasks. A client reads and cancels tasks with this beginning only: pass a different one for each user.
   * @defaultValue `mcp-`
   */
  prefix?: string | undefined
  /** Data for the function that creates the agent, such as the user. */
  context?: Json | undefined
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
  prefix: text,
  context: unchecked,
  pollingIntervalMs: milliseconds(),
}

/** What follows the prefix in the id of a task: when it was made, and what makes it unique. */
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
 * goes on, and the client asks for its result later by its id. A task that waits for a decision is `input_required`; decide through the
 * engine, for example with `tasksHandler`. Other calls wait for the answer, and report an error if the task waits.
 *
 * It is the `taskStore` of a server of `@modelcontextprotocol/sdk`, and the option `tasks` of `serveTools`. Results are kept as long as the
 * engine keeps its tasks; there is no list of them.
 * @throws {ModelValidationError} if an option is unknown or not valid.
 * @example
 * import { MemoryTaskStore, ReActAgent } from '@x/agents'
 * import { StoredTasks, type TaskRun } from '@x/agents/durable'
 *
 * const llm = new ScriptedLLM({ answers: ['Answer: It is a fruit.'] })
 * const agent = ({ taskStore }: TaskRun) => ReActAgent.fromTools({ llm, taskStore })
 * const tasks = new StoredTasks({ store: new MemoryTaskStore(), agent })
 * await tasks.start()
 * const research = new TaskTool(tasks, { name: 'research', description: 'Answers a question with sources.' })
 * // new Server(info, { capabilities, taskStore: research }), then serveTools(server, [], { requests, tasks: research })
 * const { content } = await research.tool.call({ input: 'What is a pear?' })
 * await tasks.stop()
 * content // => 'It is a fruit.'
 */
export class TaskTool {
  /** The tool, also for servers without tasks. */
  readonly tool: FunctionTool
  private readonly tasks: DurableTasks
  private readonly options: TaskToolOptions

  constructor(tasks: DurableTasks, options: TaskToolOptions) {
    checkOptions('TaskTool', options, OPTIONS)
    this.tasks = tasks
    this.options = options
    const { name, description } = options
    this.tool = FunctionTool.fromDefaults({
      name,
      description,
      schema: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] },
      fn: async ({ input }, { signal }) => this.answer(String(input), signal),
    })
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
    if (!taskId.startsWith(this.prefix) || !OWN.test(taskId.slice(this.prefix.length))) return null
    try {
      return await this.found(taskId)
    } catch (error) {
      if (isToolkitError(error, 'task_not_found')) return null
      throw error
    }
  }

  async getTaskResult(taskId: string): Promise<Record<string, unknown>> {
    try {
      return { content: [{ type: 'text', text: responseOf(await this.tasks.answer(taskId)) }] }
    } catch (error) {
      return { content: [{ type: 'text', text: errorMessage(error) }], isError: true }
    }
  }

  /** Cancels a task, the only change that a client may make. */
  async updateTaskStatus(taskId: string, status: string): Promise<void> {
    if (status === 'cancelled') await this.tasks.cancel(taskId)
  }

  /** The engine stores results. */
  async storeTaskResult(): Promise<void> {}

  async listTasks(): Promise<{ tasks: never[] }> {
    return { tasks: [] }
  }

  private get prefix(): string {
    return this.options.prefix ?? 'mcp-'
  }

  private async submit(input: string): Promise<string> {
    const { context } = this.options
    return this.tasks.submit(input, { taskId: `${this.prefix}${Date.now().toString(36)}-${newId()}`, context })
  }

  private async found(taskId: string): Promise<McpTask> {
    const { pollingIntervalMs: pollInterval = 1000 } = this.options
    const status = await this.tasks.status(taskId)
    const statusMessage = await this.messageOf(taskId, status)
    const created = Number.parseInt(taskId.slice(this.prefix.length), 36)
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

  /** Runs a task while its caller waits. */
  private async answer(input: string, signal: AbortSignal | undefined): Promise<string> {
    const taskId = await this.submit(input)
    try {
      for (let delayMs = 10; ; delayMs = Math.min(2 * delayMs, 1000)) {
        const status = await this.tasks.status(taskId)
        if (status === 'waiting') throw new Error(`Task "${taskId}": ${await this.messageOf(taskId, status)}`)
        if (STATUS[status] !== 'working') return responseOf(await this.tasks.answer(taskId))
        await raceAbort(pause(delayMs), signal)
      }
    } finally {
      // A task that cannot be cancelled goes on.
      if (signal?.aborted) this.tasks.cancel(taskId).catch(() => {})
    }
  }
}

const responseOf = ({ response }: AnswerJson): string => response
