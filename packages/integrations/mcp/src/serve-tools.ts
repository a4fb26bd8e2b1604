/**
 * @module
 * Tools of `@x` served by an MCP server.
 */
import type { AsyncBaseTool, Tool } from '@x/agents'
import { ToolTimeoutError } from '@x/agents/errors'
import { adaptToAsyncTool } from '@x/agents/protocol'
import { callback, checkGiven, checkOption, checkOptions, flag, having, unchecked } from '@x/core/options'
import { errorMessage } from '@x/core/values'
import { ConfigurationError, type ToolOutput } from '@x/core-model'
import { raceAbort, withDeadline } from '@x/core-model/async'
import type { ServedCall, ServedCaller } from './ask-user.ts'
import { blocksOf } from './blocks.ts'
import type { McpResult, McpServer } from './mcp-types.ts'
import type { TaskTool } from './task-tool.ts'

const aTaskTool = having('a boolean or a TaskTool', 'tool', 'createTask')

/** Options of {@link serveTools}. */
export interface ServeToolsOptions {
  /**
   * `ListToolsRequestSchema` and `CallToolRequestSchema`, which servers of `@modelcontextprotocol/sdk` require.
   * @defaultValue the names of the requests, for servers of `@modelcontextprotocol/server`
   */
  requests?: { list: unknown; call: unknown } | undefined
  /** Serves tools that need approval; the client must ask its user. @defaultValue false */
  withoutApproval?: boolean | undefined
  /**
   * Lets clients make calls as tasks, which outlive the request. The server must be one of `@modelcontextprotocol/sdk` with a `taskStore`
   * and the capability `tasks`. Calls of tools that may ask the user are not tasks. A {@link TaskTool}, which is also that `taskStore`, is
   * served too, and only its calls are tasks: those of an engine, which outlive the server. @defaultValue false
   */
  tasks?: boolean | TaskTool | undefined
  /**
   * Who approves calls that need approval: `askUser()`. It is asked also when a task of a {@link TaskTool} waits.
   * @defaultValue tools that need approval are refused
   */
  approvals?: ServedCaller | undefined
}

/** The tools that are served. */
export interface ServedTools {
  /** Replaces the tools and notifies the client. @throws {ConfigurationError} as {@link serveTools} does. */
  replace(tools: Iterable<Tool>): Promise<void>
}

/** The properties of a request's context that are read, in either SDK. */
interface RequestContext {
  signal?: AbortSignal
  requestId?: string | number
  _meta?: RequestMeta
  sendNotification?(notification: object): Promise<void>
  taskStore?: RequestTasks
  taskRequestedTtl?: number | null
  mcpReq?: {
    id: string | number
    signal: AbortSignal
    _meta?: RequestMeta
    notify(notification: object): Promise<void>
  }
}

interface RequestMeta {
  progressToken?: string | number
  idempotencyKey?: unknown
}

interface CallRequest {
  params: { name: string; arguments?: Record<string, unknown>; task?: object }
}

/**
 * Serves tools: functions, retrievers (`RetrieverTool`), agents and query engines (`QueryEngineTool`). Schemas, titles, annotations,
 * structured results, progress and cancellation are passed on; failures are results with `isError`.
 * @param server - a server with the capability `tools`, not connected yet.
 * @throws {ConfigurationError} for a tool that needs approval, unless `approvals` or `withoutApproval` is set, for a tool whose results
 * come from outside, and for two tools of one name.
 * @example
 * import { Server } from '@modelcontextprotocol/server'
 * import { FunctionTool } from '@x/agents'
 *
 * const server = new Server({ name: 'fruit', version: '1.0.0' }, { capabilities: { tools: { listChanged: true } } })
 * const echo = FunctionTool.fromDefaults({
 *   name: 'echo',
 *   description: 'Repeats the text.',
 *   schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
 *   fn: ({ text }) => text,
 * })
 * serveTools(server, [echo])
 */
export function serveTools(server: McpServer, tools: Iterable<Tool>, options: ServeToolsOptions = {}): ServedTools {
  checkOption('serveTools', 'tools', tools, (value) =>
    typeof Object(value)[Symbol.iterator] === 'function' && typeof value !== 'string' ? undefined : 'tools in an array',
  )
  checkOptions('serveTools', options, {
    requests: unchecked,
    withoutApproval: flag,
    tasks: (value) => (typeof value === 'boolean' ? undefined : aTaskTool(value)),
    approvals: callback,
  })
  checkGiven('serveTools', { server }, 'a server with setRequestHandler', 'setRequestHandler')
  const { requests = { list: 'tools/list', call: 'tools/call' } } = options
  let served = checked(tools, options)
  const { tasks, approvals } = options
  // Servers of SDK 2 have no tasks.
  if (typeof tasks === 'object' && approvals && options.requests) tasks.askBy(server, approvals)
  const list = () => ({ tools: [...served.values()].map((tool) => described(tool, mayBeTask(tool, options))) })
  const call = async ({ params }: CallRequest, context: RequestContext) => {
    const tool = served.get(params.name)
    if (!tool) return failure(`There is no tool "${params.name}".`)
    const made = { tool, args: params.arguments ?? {}, server, context }
    const { taskStore, taskRequestedTtl, mcpReq } = context
    if (!params.task || !taskStore || !mayBeTask(tool, options))
      return answer(made, options, (mcpReq ?? context).signal)
    if (typeof options.tasks === 'object')
      return { task: await taskStore.createTask({ ttl: taskRequestedTtl ?? null }) }
    return answerAsTask(taskStore, taskRequestedTtl, (signal) => answer(made, options, signal))
  }
  server.setRequestHandler(requests.list as never, list as never)
  server.setRequestHandler(requests.call as never, call as never)
  return {
    replace: async (others) => {
      served = checked(others, options)
      await server.sendToolListChanged()
    },
  }
}

function checked(
  tools: Iterable<Tool>,
  { withoutApproval = false, approvals, tasks }: ServeToolsOptions,
): Map<string, AsyncBaseTool> {
  const byName = new Map<string, AsyncBaseTool>()
  const ofTasks = typeof tasks === 'object' ? [approvals ? tasks.askingTool : tasks.tool] : []
  for (const tool of [...tools, ...ofTasks]) {
    const adapted = adaptToAsyncTool(tool)
    const name = adapted.metadata.getName()
    if (byName.has(name)) throw new ConfigurationError(`Two tools have the name "${name}".`)
    if (adapted.needsApproval && !withoutApproval && !approvals)
      throw new ConfigurationError(`Tool "${name}" needs approval: pass approvals: askUser(), or withoutApproval.`)
    if (adapted.isExternal)
      throw new ConfigurationError(`Tool "${name}" has no function: its results come from outside, not from a server.`)
    byName.set(name, adapted)
  }
  return byName
}

/** A task cannot ask the user. */
function mayBeTask(tool: AsyncBaseTool, { tasks, approvals }: ServeToolsOptions): boolean {
  if (typeof tasks === 'object') return tool.metadata === tasks.tool.metadata
  return tasks === true && !(approvals && (tool.needsApproval || tool.canWait))
}

function described({ metadata }: AsyncBaseTool, isTask: boolean): object {
  const { title, description, annotations, jsonSchema } = metadata
  const outputSchema = servedOutputSchema(metadata)
  return {
    name: metadata.getName(),
    ...(title !== null && { title }),
    description,
    // With the keywords that models do not receive, such as `$schema`.
    inputSchema: jsonSchema ?? metadata.getParametersDict(),
    ...(outputSchema && { outputSchema }),
    ...(Object.keys(annotations).length > 0 && { annotations }),
    ...(isTask && { execution: { taskSupport: 'optional' } }),
  }
}

/** Structured results of the protocol must be objects. */
function servedOutputSchema({ outputSchema }: AsyncBaseTool['metadata']): object | undefined {
  return outputSchema?.type === 'object' ? outputSchema : undefined
}

async function answer(
  call: Pick<ServedCall, 'tool' | 'args' | 'server'> & { context: RequestContext },
  { approvals }: ServeToolsOptions,
  signal: AbortSignal | undefined,
): Promise<object> {
  const { tool, args, context } = call
  const id = context.mcpReq?.id ?? context.requestId
  const { idempotencyKey } = metaOf(context)
  // The key of an agent's call is the id of its task, which a client must not choose.
  const key = typeof idempotencyKey === 'string' && !tool.canWait && { idempotencyKey }
  const { timeoutMs } = tool
  const error = () => new ToolTimeoutError(tool.metadata.getName(), timeoutMs!)
  const progress = new ProgressSender(context)
  const { report: onProgress } = progress
  const run: ServedCall['run'] = async (more) => {
    const output = await withDeadline({ milliseconds: timeoutMs, signal, error }, async (limited) =>
      raceAbort(tool.call(args, { signal: limited, toolCallId: String(id), onProgress, ...key, ...more }), limited),
    )
    return result(tool, output)
  }
  try {
    return await (approvals?.({ ...call, signal, run, failed: failure } as ServedCall) ?? run({}))
  } catch (thrown) {
    signal?.throwIfAborted()
    return failure(errorMessage(thrown))
  } finally {
    // Clients do not accept progress after the result.
    await progress.sent
  }
}

function metaOf({ mcpReq, _meta }: RequestContext): RequestMeta {
  return (mcpReq?._meta ?? _meta) || {}
}

function result(tool: AsyncBaseTool, output: ToolOutput): object {
  const { rawOutput, isError } = output
  const isStructured = servedOutputSchema(tool.metadata) !== undefined && !isError
  return {
    content: blocksOf(output),
    ...(isStructured && { structuredContent: structuredJson(rawOutput) }),
    ...(isError && { isError }),
  }
}

/**
 * Returns a copy as JSON: the SDKs do not answer at all with a value that they cannot write. Integers beyond 2^53 stay numbers, unlike in
 * events: clients check the result against the output schema.
 */
function structuredJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null, (_, part) => (typeof part === 'bigint' ? Number(part) : part)))
}

function failure(text: string): object {
  return { content: [{ type: 'text', text }], isError: true }
}

/** Sends progress to a client that requested it. A value in a different form becomes the message. */
class ProgressSender {
  /** Undefined if the client did not request progress. */
  readonly report: ((progress: unknown) => void) | undefined
  /** Settles when all progress so far is sent. */
  sent: Promise<unknown> = Promise.resolve()

  constructor(context: RequestContext) {
    const { mcpReq, sendNotification } = context
    const { progressToken } = metaOf(context)
    if (progressToken === undefined) return
    let count = 0
    this.report = (progress) => {
      count += 1
      const params = { progressToken, ...progressParams(progress, count) }
      const notification = { method: 'notifications/progress', params }
      const send = () => (mcpReq ? mcpReq.notify(notification) : sendNotification?.(notification))
      // A client that has disconnected receives nothing.
      this.sent = this.sent.then(send).catch(() => {})
    }
  }
}

function progressParams(progress: unknown, count: number): object {
  if (typeof progress === 'number') return { progress }
  if (typeof progress === 'object' && progress !== null && 'progress' in progress) return progress
  return { progress: count, message: typeof progress === 'string' ? progress : JSON.stringify(progress) }
}

/** The store of tasks that a handler of SDK 1 receives. */
interface RequestTasks {
  createTask(options: { ttl: number | null }): Promise<{ taskId: string; pollInterval?: number | undefined }>
  getTask(taskId: string): Promise<{ status: string }>
  updateTaskStatus(taskId: string, status: 'working', message: string): Promise<void>
  storeTaskResult(taskId: string, status: 'completed' | 'failed', result: object): Promise<void>
}

/** How long results are kept for a client that does not say it, in milliseconds. */
const DEFAULT_TTL = 3_600_000

/**
 * Starts work as a task, the experimental part of the protocol revision 2025-11-25, and returns the result that names the task. The work
 * aborts when the client cancels the task.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
 */
async function answerAsTask(
  tasks: RequestTasks,
  ttl: number | null | undefined,
  work: (signal: AbortSignal) => Promise<McpResult>,
): Promise<object> {
  const task = await tasks.createTask({ ttl: ttl ?? DEFAULT_TTL })
  const { taskId, pollInterval = 1000 } = task
  const controller = new AbortController()
  const isCancelled = async () => (await tasks.getTask(taskId)).status === 'cancelled'
  // The SDK does not report that a task was cancelled.
  const watch = setInterval(async () => {
    if (await isCancelled().catch(() => true)) controller.abort()
  }, pollInterval)
  const finish = async () => {
    try {
      const result = await work(controller.signal)
      const message = result.isError && result.content?.[0]?.text
      if (message) await tasks.updateTaskStatus(taskId, 'working', message)
      await tasks.storeTaskResult(taskId, result.isError ? 'failed' : 'completed', result)
    } catch {
      // The task was cancelled, or its time to live is over: nobody can read the result.
    } finally {
      clearInterval(watch)
    }
  }
  void finish()
  return { task }
}
