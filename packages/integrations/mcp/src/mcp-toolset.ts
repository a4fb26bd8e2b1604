/**
 * @module
 * The tools of an MCP server as tools of an agent.
 */
import { type AsyncBaseTool, type ToolCallContext, ToolExecutionError, ToolMetadata } from '@x/agents'
import { type ObjectRetriever, ToolOutput } from '@x/core-model'
import { compactJson, errorMessage } from '@x/core-model/internal'
import { partsOf } from './blocks.ts'
import type { McpClient, McpResult, McpTool } from './mcp-types.ts'

/** Options of {@link mcpTools}. */
export interface McpToolsOptions {
  /** The prefix of all tool names, to distinguish the tools of several servers, such as `files_`. @defaultValue '' */
  prefix?: string | undefined
  /** Whether a tool is offered. @defaultValue all tools */
  filter?: ((tool: McpTool) => boolean) | undefined
  /** Whether a call needs approval; a function decides for each tool, for example by its annotations. @defaultValue false */
  needsApproval?: boolean | ((tool: McpTool) => boolean) | undefined
  /** Time limit of a call, in milliseconds; progress of the tool extends it. @defaultValue 60000, the limit of the SDKs */
  timeoutMs?: number | undefined
  /** Receives the tools after the server has changed them. */
  onToolsChanged?: ((tools: readonly AsyncBaseTool[]) => void) | undefined
  /** Cancels the first listing. */
  signal?: AbortSignal | undefined
}

/** The maximum number of pages that are read, in case a server never ends its list. */
const MOST_PAGES = 1000
const LIST_CHANGED = 'notifications/tools/list_changed'

/** The methods of a client of either SDK that are called. */
interface AnyClient extends McpClient {
  /** In SDK 2 only. */
  listen?(filter: object): Promise<{ close(): Promise<void> }>
  setNotificationHandler?(method: string, handler: () => void): void
  fallbackNotificationHandler?: ((notification: { method: string }) => Promise<void>) | undefined
}

/**
 * Lists the tools of an MCP server as tools for an agent. The client must be connected.
 * @throws the error of the client when the list cannot be read.
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
export async function mcpTools(client: McpClient, options: McpToolsOptions = {}): Promise<McpToolset> {
  const toolset = new McpToolset(client, options)
  await toolset.refresh({ signal: options.signal })
  await toolset.watch()
  return toolset
}

/** The tools of a server. Made by {@link mcpTools}. */
export class McpToolset {
  private readonly client: AnyClient
  private readonly options: McpToolsOptions
  private listed: readonly AsyncBaseTool[] = []
  private subscription: { close(): Promise<void> } | undefined
  private isClosed = false

  /** @internal */
  constructor(client: McpClient, options: McpToolsOptions) {
    this.client = client as AnyClient
    this.options = options
  }

  /** The tools of the last listing. */
  get tools(): readonly AsyncBaseTool[] {
    return this.listed
  }

  /** Offers the current tools in each step, also after the server has changed them: the option `toolRetriever` of an agent. */
  get retriever(): ObjectRetriever<AsyncBaseTool> {
    return { retrieve: () => [...this.listed] }
  }

  /** Lists the tools again, page by page. */
  async refresh({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    const { filter = () => true } = this.options
    const found: McpTool[] = []
    let cursor: string | undefined
    for (let page = 0; page < MOST_PAGES; page++) {
      const request = signal ? { signal } : {}
      const { tools, nextCursor } = await unlessAborted(signal, () =>
        this.client.listTools(cursor === undefined ? undefined : { cursor }, request),
      )
      found.push(...tools)
      if (!nextCursor || nextCursor === cursor) break
      cursor = nextCursor
    }
    const names = new Set<string>()
    this.listed = found.filter(filter).map((tool) => this.adapted(tool, names))
  }

  /** Ends the connection of the client. Calls of the tools fail from then on. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.subscription?.close().catch(() => {})
    await this.client.close()
  }

  /** @internal Keeps the list up to date. */
  async watch(): Promise<void> {
    const { client } = this
    const onChange = () => void this.changed()
    if (!client.listen) {
      // Handlers of single notifications need schemas of SDK 1; this handler receives notifications without a handler.
      const other = client.fallbackNotificationHandler
      client.fallbackNotificationHandler = async (notification) => {
        if (notification.method === LIST_CHANGED) onChange()
        else await other?.(notification)
      }
      return
    }
    client.setNotificationHandler?.(LIST_CHANGED, onChange)
    // Servers of older protocol revisions notify without a subscription, and refuse this request.
    this.subscription = await client.listen({ toolsListChanged: true }).catch(() => undefined)
  }

  private async changed(): Promise<void> {
    if (this.isClosed) return
    try {
      await this.refresh()
      this.options.onToolsChanged?.(this.listed)
    } catch {
      // The old list stays; the next call of a tool reports the problem of the connection.
    }
  }

  private adapted(tool: McpTool, names: Set<string>): AsyncBaseTool {
    const { prefix = '', needsApproval = false, timeoutMs } = this.options
    const name = uniqueName(prefix + tool.name, names)
    const { title, ...hints } = tool.annotations ?? {}
    const metadata = new ToolMetadata({
      name,
      description: tool.description ?? tool.title ?? '',
      fnSchema: tool.inputSchema,
      title: tool.title ?? title,
      annotations: hints,
      outputSchema: tool.outputSchema,
    })
    return {
      metadata,
      takesArguments: true,
      needsApproval: typeof needsApproval === 'function' ? needsApproval(tool) : needsApproval,
      call: (args, context) => this.call(tool.name, name, args, { ...context, timeoutMs }),
    }
  }

  private async call(
    remoteName: string,
    toolName: string,
    args: Record<string, unknown>,
    { signal, onProgress, timeoutMs }: Partial<ToolCallContext> & { timeoutMs?: number | undefined },
  ): Promise<ToolOutput> {
    const request = {
      ...(signal && { signal }),
      ...(timeoutMs !== undefined && { timeout: timeoutMs }),
      ...(onProgress && { onprogress: onProgress, resetTimeoutOnProgress: true }),
    }
    const params = { name: remoteName, arguments: args }
    // The second argument of SDK 1 is a schema of the result.
    const rest = this.client.listen ? [request] : [undefined, request]
    const send = () => this.client.callTool(params, ...(rest as never[])) as Promise<McpResult>
    try {
      return outputOf(await unlessAborted(signal, send), toolName, args)
    } catch (error) {
      signal?.throwIfAborted()
      throw new ToolExecutionError(toolName, errorMessage(error), { cause: error })
    }
  }
}

function outputOf(result: McpResult, toolName: string, rawInput: Record<string, unknown>): ToolOutput {
  const { content = [], structuredContent: structured, isError = false } = result
  const rawOutput = structured ?? content
  const parts = partsOf(content)
  const common = { toolName, rawInput, rawOutput, isError }
  if (parts.some(({ type }) => type !== 'text')) return ToolOutput.fromParts({ ...common, parts })
  const text = parts.map((part) => ('text' in part ? part.text : '')).join('\n')
  const shown = text === '' && structured !== undefined ? compactJson(structured) : text
  return new ToolOutput({ ...common, content: isError ? `Error: ${shown}` : shown })
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

/** Returns a name that providers accept: at most 64 letters, digits, `_` and `-`. */
function uniqueName(name: string, names: Set<string>): string {
  const base = name.replace(/[^\w-]/g, '_').slice(0, 64)
  let unique = base
  for (let count = 2; names.has(unique); count++) unique = `${base.slice(0, 63 - String(count).length)}_${count}`
  names.add(unique)
  return unique
}
