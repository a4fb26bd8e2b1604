/**
 * @module
 * The tools of an MCP server as tools of an agent.
 */
import { type AsyncBaseTool, type ToolCallContext, ToolMetadata } from '@x/agents'
import { ToolExecutionError, ToolInputError } from '@x/agents/errors'
import { untrusted } from '@x/agents/loop'
import { checkArguments, type SchemaFault, uncheckedParts } from '@x/core/arguments'
import {
  callback,
  callOptions,
  checkOption,
  checkOptions,
  choice,
  flag,
  having,
  invalidOption,
  milliseconds,
  type OptionTable,
  text,
} from '@x/core/options'
import { errorMessage, isPlainObject } from '@x/core/values'
import { isToolkitError, type ObjectRetriever, type ToolOutput, withoutSecrets } from '@x/core-model'
import { isPromise, raceAbort, untilAborted, withDeadline } from '@x/core-model/async'
import { causeWithoutSecrets } from '@x/core-model/components'
import { sha256 } from '@x/core-model/data'
import { outputOf } from './blocks.ts'
import { callAsTask, type McpTaskIds } from './call-as-task.ts'
import { aClient, callTool, isRepeatable, McpConnection } from './connection.ts'
import type { McpCall, McpCaller, McpClient, McpTool } from './mcp-types.ts'
import {
  bytesOf,
  differenceOf,
  hashOf,
  listTools,
  type McpLimits,
  McpListError,
  type McpToolsDifference,
  mcpLimits,
  offeredNames,
  pinnedTools,
} from './tool-list.ts'

/** Options of {@link mcpTools}. */
export interface McpToolsOptions {
  /** The prefix of all tool names, to distinguish the tools of several servers, such as `files_`. @defaultValue '' */
  prefix?: string | undefined
  /** Whether a tool is offered. @defaultValue all tools */
  filter?: ((tool: McpTool) => boolean) | undefined
  /**
   * Whether a call needs approval; a function decides for each tool, for example by its annotations. A tool that needed it once needs it
   * also after the server has changed it. @defaultValue false
   */
  needsApproval?: boolean | ((tool: McpTool) => boolean) | undefined
  /** Time limit of a call, in milliseconds; progress of the tool extends it. @defaultValue 60000, the limit of the SDKs */
  timeoutMs?: number | undefined
  /** Time limit of a call with all its progress, in milliseconds. @defaultValue ten times `timeoutMs` */
  totalTimeoutMs?: number | undefined
  /** Limits for what the server sends, which may be more than your memory. */
  limits?: McpLimits | undefined
  /**
   * Keeps the definitions of tools that were reviewed. True keeps those of the first list. Hashes, as in `McpToolset.hashes`,
   * keep them also in later processes: tools without a hash are not offered. A call of a tool that the server has changed since, as
   * far as its last list shows, fails.
   * @defaultValue false: the server may change its tools at any time
   */
  pinned?: boolean | Readonly<Record<string, string>> | undefined
  /**
   * Receives the offered tools, and what is different in the list of the server. With `pinned`, the offered tools stay the same.
   */
  onToolsChanged?: ((tools: readonly AsyncBaseTool[], difference: McpToolsDifference) => void) | undefined
  /** What happens when the server asks the user during a call: `waitForUser()`. @defaultValue the handler of the client */
  elicitation?: ((client: McpClient) => McpCaller) | undefined
  /**
   * Where the ids of tasks of the server are kept: a call that an agent repeats, for example after a restart, waits for its task instead of
   * starting another one. @defaultValue nowhere: a repeated call starts another task
   */
  taskIds?: McpTaskIds | undefined
  /**
   * What happens with arguments that a part of the server's schema concerns which cannot be checked, such as a pattern that refers to
   * groups: `refuse` reports them to the model as invalid, `accept` sends them. @defaultValue 'refuse'
   */
  unchecked?: 'refuse' | 'accept' | undefined
  /** Receives a tool whose schema has such parts, once for each definition. The tool is offered. */
  onUnchecked?: ((tool: McpTool, parts: readonly SchemaFault[]) => void) | undefined
  /**
   * Whether the results are text from outside: they are marked, control tokens of chat templates in them are neutralized, and tools with
   * `needsApproval: 'after-untrusted'` ask from then on. @defaultValue false
   */
  untrusted?: boolean | undefined
  /** Receives errors of listing the tools again. The tools stay as they were. */
  onError?: ((error: unknown) => void) | undefined
  /** Cancels the first connection and listing. */
  signal?: AbortSignal | undefined
}

const isPinned = (value: unknown): boolean =>
  typeof value === 'boolean' || (isPlainObject(value) && Object.values(value).every((hash) => typeof hash === 'string'))

const toolsOptions: OptionTable<McpToolsOptions> = {
  prefix: text,
  filter: callback,
  needsApproval: (value) => (typeof value === 'function' ? undefined : flag(value) && 'a boolean or a function'),
  timeoutMs: milliseconds(1),
  totalTimeoutMs: milliseconds(1),
  limits: mcpLimits,
  pinned: (value) => (isPinned(value) ? undefined : 'a boolean, or hashes by the names of tools'),
  onToolsChanged: callback,
  elicitation: callback,
  taskIds: having('a Map, or a store with get and set', 'get', 'set'),
  unchecked: choice('refuse', 'accept'),
  untrusted: flag,
  onUnchecked: callback,
  onError: callback,
  signal: callOptions.signal,
}

/**
 * Lists the tools of an MCP server as tools for an agent.
 *
 * With a function that connects, the tools survive a server that restarts, loses the session or closes the connection: it is called again,
 * the list is compared with the one before, and a call is repeated under its idempotency key if the server never accepted it, or says that
 * the tool is idempotent. A tool whose definition has changed is not called.
 * @param client - a connected client of either SDK, or a function that returns one.
 * @throws the error of the client when the list cannot be read.
 * @throws {McpListError} if the list exceeds a limit, or a tool differs from its pinned definition.
 * @throws {ModelValidationError} if an option is unknown or out of range.
 * @example
 * const client: McpClient = {
 *   listTools: async () => ({ tools: [{ name: 'now', description: 'Returns the year.', inputSchema: { type: 'object' } }] }),
 *   callTool: async () => ({ content: [{ type: 'text', text: '2026' }] }),
 *   close: async () => {},
 * }
 * const { tools } = await mcpTools(client, { prefix: 'clock_' })
 * tools[0].metadata.name // => 'clock_now'
 * const output = await tools[0].call({})
 * output.content // => '2026'
 */
export async function mcpTools(
  client: McpClient | (() => McpClient | Promise<McpClient>),
  options: McpToolsOptions = {},
): Promise<McpToolset> {
  if (typeof client !== 'function') checkOption('mcpTools', 'client', client, aClient('listTools', 'callTool'))
  const connect = typeof client === 'function' ? async () => client() : undefined
  const first = connect ? await untilAborted(options.signal, connect) : (client as McpClient)
  const toolset = new McpToolset(first, options, connect)
  await toolset.refresh({ signal: options.signal })
  await toolset.watch()
  return toolset
}

/** The tools of a server. Made by {@link mcpTools}. */
export class McpToolset {
  private readonly connection: McpConnection
  private readonly options: McpToolsOptions
  private readonly totalTimeoutMs: number
  private makeCall!: McpCaller
  private offered: readonly AsyncBaseTool[] = []
  /** The last list of the server, after `filter`. */
  private listed: readonly McpTool[] = []
  /** The offered names by the names of the server. */
  private names: ReadonlyMap<string, string> = new Map()
  private hasTools = false
  /** The names of tools that have needed approval: a change of the server never takes it away. */
  private readonly guarded = new Set<string>()
  /** The hashes of the definitions that `onUnchecked` has received. */
  private readonly reported = new Set<string>()
  /** The number of listings that began, and the newest one that was taken over. */
  private begun = 0
  private taken = 0
  /** Whether a listing after a change is running, and whether the server has reported further changes since it began. */
  private isListing = false
  private isOutdated = false

  /** @internal */
  constructor(client: McpClient, options: McpToolsOptions, connect?: () => Promise<McpClient>) {
    this.options = options
    checkOptions('mcpTools', options, toolsOptions)
    this.totalTimeoutMs = options.totalTimeoutMs ?? 10 * (options.timeoutMs ?? 60_000)
    this.connection = new McpConnection(client, connect, this.totalTimeoutMs, {
      onClient: (used) => {
        this.makeCall = options.elicitation?.(used) ?? (({ sendCall, inTime }) => inTime(sendCall))
      },
      onListChanged: () => void this.changed(),
      onReconnected: () => this.relist(),
    })
  }

  /** The tools of the last listing, or the pinned ones. */
  get tools(): readonly AsyncBaseTool[] {
    return this.offered
  }

  /** Offers the current tools in each step, also after the server has changed them: the option `toolRetriever` of an agent. */
  get retriever(): ObjectRetriever<AsyncBaseTool> {
    return { retrieve: () => [...this.offered] }
  }

  /** The hashes of the definitions in the last list of the server, by name: for the option `pinned` of later processes. */
  get hashes(): Record<string, string> {
    return Object.fromEntries(this.listed.map((tool) => [tool.name, hashOf(tool)]))
  }

  /**
   * Lists the tools again, page by page. If listings overlap, the one that began last counts.
   * @returns the difference to the list before.
   * @throws {McpListError} if the list exceeds a limit.
   */
  async refresh({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<McpToolsDifference> {
    const { filter = () => true, pinned = false, limits = {} } = this.options
    const number = ++this.begun
    const all = await unlessAborted(signal, () => listTools(this.connection.client, limits, signal))
    const found = all.filter((tool) => decided('filter', filter(tool)))
    if (number < this.taken) return { added: [], removed: [], changed: [] }
    const pins = typeof pinned === 'object' ? pinned : undefined
    // Later lists are reported, but not offered.
    if (!this.hasTools || !pinned) this.offer(pins ? pinnedTools(found, pins) : found)
    this.taken = number
    const difference = differenceOf(this.listed, found)
    this.listed = found
    return difference
  }

  private offer(tools: readonly McpTool[]): void {
    const { prefix = '' } = this.options
    this.names = offeredNames(tools, prefix, this.names)
    this.offered = tools.map((tool) => this.adapted(tool, this.names.get(tool.name)!))
    this.hasTools = true
    for (const tool of tools) this.report(tool)
  }

  private report(tool: McpTool): void {
    const { onUnchecked } = this.options
    const parts = onUnchecked ? uncheckedParts(tool.inputSchema) : []
    if (parts.length === 0 || this.reported.has(hashOf(tool))) return
    this.reported.add(hashOf(tool))
    onUnchecked!(tool, parts)
  }

  /** Ends the connection of the client. Calls of the tools fail from then on. */
  async close(): Promise<void> {
    await this.connection.close()
  }

  /** @internal Keeps the list up to date. */
  async watch(): Promise<void> {
    await this.connection.watch()
  }

  /** Lists the tools again. Changes that are reported meanwhile lead to one further listing. */
  private async changed(): Promise<void> {
    this.isOutdated = true
    if (this.isListing) return
    this.isListing = true
    while (this.isOutdated && !this.connection.isClosed) {
      this.isOutdated = false
      try {
        await this.relist()
      } catch (error) {
        this.options.onError?.(error)
      }
    }
    this.isListing = false
  }

  private async relist(): Promise<void> {
    const difference = await this.refresh()
    if (Object.values(difference).some(({ length }) => length > 0))
      this.options.onToolsChanged?.(this.offered, difference)
  }

  private adapted(tool: McpTool, name: string): AsyncBaseTool {
    const { needsApproval = false } = this.options
    const needed = typeof needsApproval === 'function' ? decided('needsApproval', needsApproval(tool)) : needsApproval
    if (needed) this.guarded.add(tool.name)
    const { title, ...hints } = tool.annotations ?? {}
    const metadata = new ToolMetadata({
      name,
      description: tool.description ?? tool.title ?? '',
      fnSchema: tool.inputSchema,
      title: tool.title ?? title,
      annotations: hints,
      outputSchema: tool.outputSchema,
    })
    const adapted: AsyncBaseTool = {
      metadata,
      takesArguments: true,
      canWait: this.options.elicitation !== undefined,
      needsApproval: needed || this.guarded.has(tool.name),
      '~check': (args) => checkArguments(tool.inputSchema, args, { unchecked: this.options.unchecked }),
      call: (args, context) => this.call(tool, name, args, context),
    }
    return this.options.untrusted ? untrusted(adapted) : adapted
  }

  /** Whether the last list of the server contains another definition than the pinned one. */
  private hasChanged(offered: McpTool): boolean {
    const now = this.options.pinned ? this.listed.find(({ name }) => name === offered.name) : undefined
    return now !== undefined && now !== offered && hashOf(now) !== hashOf(offered)
  }

  /**
   * Whether the server says that a repeated call of a tool changes nothing more.
   * @throws {McpListError} if the server has another definition of the tool now.
   */
  private mayRepeat(tool: McpTool): boolean {
    const now = this.listed.find(({ name }) => name === tool.name)
    if (now && hashOf(now) === hashOf(tool)) return isRepeatable(now)
    throw new McpListError(
      `The server has ${now ? 'changed' : 'removed'} the tool ${JSON.stringify(tool.name)}; the call was not repeated.`,
    )
  }

  private async call(
    definition: McpTool,
    toolName: string,
    given: Record<string, unknown> = {},
    context: Partial<ToolCallContext> = {},
  ): Promise<ToolOutput> {
    const { name: tool, execution, inputSchema } = definition
    if (this.hasChanged(definition))
      throw new ToolExecutionError(toolName, 'the server has changed the definition since it was pinned: review it.')
    const { issues, value } = checkArguments(inputSchema, given, { unchecked: this.options.unchecked })
    if (issues.length > 0) throw new ToolInputError(toolName, issues)
    const args = value as Record<string, unknown>
    const { limits: { resultBytes = 16_000_000 } = {}, timeoutMs } = this.options
    const { signal, onProgress, idempotencyKey } = context
    const key = idempotencyKey && sha256(idempotencyKey)
    const params = {
      name: tool,
      arguments: args,
      ...(key !== undefined && { _meta: { idempotencyKey: key } }),
    }
    const { taskIds } = this.options
    const ids = key === undefined || !taskIds ? undefined : { key, taskIds }
    const sendCall: McpCall['sendCall'] = async (limited, more, options) => {
      const request = {
        ...(limited && { signal: limited }),
        ...(timeoutMs !== undefined && { timeout: timeoutMs }),
        ...(onProgress && { onprogress: onProgress, resetTimeoutOnProgress: true }),
        ...options,
      }
      const { client } = this.connection
      const all = { ...params, ...more }
      const tasks = (execution?.taskSupport ?? 'forbidden') !== 'forbidden' && client.experimental?.tasks
      const made = tasks ? callAsTask(tasks, all, request, ids) : callTool(client, all, request)
      const result = await raceAbort(made, limited)
      if (bytesOf(result) > resultBytes)
        throw new Error(`The result has more than ${resultBytes} bytes; see \`limits\`.`)
      return result
    }
    let milliseconds = this.totalTimeoutMs
    const error = () => new Error(`The call took more than ${this.totalTimeoutMs} ms.`)
    const inTime: McpCall['inTime'] = async (work) => {
      const begun = performance.now()
      try {
        return await withDeadline({ milliseconds, signal, error }, work)
      } finally {
        milliseconds -= performance.now() - begun
      }
    }
    try {
      const attempt = () => this.makeCall({ tool, context, sendCall, inTime })
      const result = await this.connection.call(attempt, () => this.mayRepeat(definition), inTime)
      return outputOf(result, toolName, args)
    } catch (error) {
      signal?.throwIfAborted()
      if (isToolkitError(error, 'approval_required')) throw error
      throw new ToolExecutionError(toolName, withoutSecrets(errorMessage(error)), { cause: causeWithoutSecrets(error) })
    }
  }
}

/** Returns what an option has decided about a tool. @throws {ModelValidationError} for a promise, which would always mean yes. */
function decided(option: string, decision: unknown): boolean {
  if (!isPromise(decision)) return Boolean(decision)
  decision.then(undefined, () => {})
  throw invalidOption('mcpTools', option, 'a function that returns a boolean', decision)
}

/** Throws the reason of the signal for an abort; SDKs throw their own errors. */
async function unlessAborted<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  signal?.throwIfAborted()
  try {
    return await work()
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}
