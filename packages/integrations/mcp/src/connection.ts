/**
 * @module
 * The connection to a server, which is made again when it is lost, and results as the server sent them.
 */
import { required } from '@x/core/options'
import { raceAbort, withDeadline } from '@x/core-model/async'
import type { TaskCalls } from './call-as-task.ts'
import type { McpCall, McpClient, McpResult, McpTool } from './mcp-types.ts'
import { failAtStreamEnd } from './stream-ends.ts'

/** The methods of a client of either SDK that are called. */
export interface AnyClient extends McpClient {
  /** In SDK 1 only. */
  experimental?: { tasks?: TaskCalls }
  /** In SDK 2 only. */
  listen?(filter: object): Promise<{ close(): Promise<void> }>
  setNotificationHandler?(method: string, handler: () => void): void
  fallbackNotificationHandler?: ((notification: { method: string }) => Promise<void>) | undefined
}

/** What a connection notifies. */
interface ConnectionHandlers {
  /** Receives each client that is used from now on, the first one too. */
  onClient(client: AnyClient): void
  /** Is called when the server has reported another list of tools. */
  onListChanged(): void
  /** Lists the tools again, after the connection was made again. */
  onReconnected(): Promise<void>
}

/** Accepts a client of either SDK with these methods. */
export const aClient = (...methods: readonly string[]) => required('a connected client of an MCP SDK', ...methods)

const LIST_CHANGED = 'notifications/tools/list_changed'

/** The connection to a server, made again by the function that connects, if there is one. */
export class McpConnection {
  client!: AnyClient
  isClosed = false
  private readonly connect: (() => Promise<McpClient>) | undefined
  private readonly handlers: ConnectionHandlers
  private readonly milliseconds: number
  private connecting: Promise<void> | undefined
  /** The clients whose connections were lost, which are closed when no call is running. */
  private readonly lost: AnyClient[] = []
  private running = 0
  private subscription: { close(): Promise<void> } | undefined

  /** @param milliseconds - the time limit of connecting again. */
  constructor(
    client: McpClient,
    connect: (() => Promise<McpClient>) | undefined,
    milliseconds: number,
    handlers: ConnectionHandlers,
  ) {
    this.connect = connect
    this.milliseconds = milliseconds
    this.handlers = handlers
    this.use(client)
  }

  private use(client: McpClient): void {
    this.client = client as AnyClient
    failAtStreamEnd(client)
    this.handlers.onClient(this.client)
  }

  /**
   * Makes a call, and makes it again if the connection was lost and can be made again.
   * @param mayRepeat - is asked before: returns whether a call that may have run is repeated, or throws.
   * @param inTime - limits the time of connecting as that of the call.
   */
  async call<T>(call: () => Promise<T>, mayRepeat: () => boolean, inTime: McpCall['inTime']): Promise<T> {
    const used = this.client
    this.running++
    try {
      return await call().catch(async (error: unknown) => {
        const loss = this.connect && !this.isClosed ? lossOf(error) : null
        if (!loss) throw error
        // Calls that fail at the same time share a connection.
        if (used === this.client) this.connecting ??= this.openInTime()
        const { connecting } = this
        await inTime(async (limited) => raceAbort(connecting, limited))
        if (!mayRepeat() && loss === 'closed') throw error
        return call()
      })
    } finally {
      if (--this.running === 0) for (const client of this.lost.splice(0)) client.close().catch(() => {})
    }
  }

  private async openInTime(): Promise<void> {
    const { milliseconds } = this
    const error = () => new Error(`Connecting took more than ${milliseconds} ms.`)
    try {
      await withDeadline({ milliseconds, error }, (limited) => raceAbort(this.open(), limited))
    } finally {
      this.connecting = undefined
    }
  }

  private async open(): Promise<void> {
    await this.subscription?.close().catch(() => {})
    const client = await this.connect!()
    // Other calls may still wait for it.
    this.lost.push(this.client)
    this.use(client)
    await this.handlers.onReconnected()
    await this.watch()
  }

  /** Subscribes to changes of the list. */
  async watch(): Promise<void> {
    const { client } = this
    const { onListChanged } = this.handlers
    if (!client.listen) {
      // Handlers of single notifications need schemas of SDK 1; this handler receives notifications without a handler.
      const other = client.fallbackNotificationHandler
      client.fallbackNotificationHandler = async (notification) => {
        if (notification.method === LIST_CHANGED) onListChanged()
        else await other?.(notification)
      }
      return
    }
    client.setNotificationHandler?.(LIST_CHANGED, onListChanged)
    // Servers of older protocol revisions notify without a subscription, and refuse this request.
    this.subscription = await client.listen({ toolsListChanged: true }).catch(() => undefined)
  }

  async close(): Promise<void> {
    this.isClosed = true
    await this.subscription?.close().catch(() => {})
    await this.client.close()
  }
}

/**
 * Returns whether a failed request reached a server that still knows this client. `refused`: the server did not accept it, so that it may
 * be repeated. `closed`: it may have run. Null for any other failure.
 */
export function lossOf(error: unknown): 'refused' | 'closed' | null {
  const { code, status, message, data, cause } = Object(error) as Record<string, unknown>
  const statuses = [code, status, (Object(data) as { status?: unknown }).status]
  // A server that has forgotten the session answers with 404, before it reads the request.
  if (statuses.includes(404) || code === 'NOT_CONNECTED' || message === 'Not connected') return 'refused'
  if ([code, (Object(cause) as { code?: unknown }).code].includes('ECONNREFUSED')) return 'refused'
  return code === -32000 || code === 'CONNECTION_CLOSED' ? 'closed' : null
}

/** Whether a repeated call changes nothing more, as the server says. */
export function isRepeatable({ annotations }: McpTool): boolean {
  return annotations?.idempotentHint === true || annotations?.readOnlyHint === true
}

/** A schema for both SDKs that accepts every result and keeps it: one odd block costs only itself, and failures keep their own text. */
export function keptResult() {
  const kept = {
    value: undefined as unknown,
    parse: (value: unknown) => {
      kept.value = value
      return value
    },
    safeParse: (value: unknown) => ({ success: true, data: kept.parse(value) }),
    '~standard': { version: 1, vendor: '@x', validate: (value: unknown) => ({ value: kept.parse(value) }) },
  }
  return kept
}

/** Makes a call, and returns its result as the server sent it. */
export async function callTool(client: AnyClient, params: { name: string }, request: object): Promise<unknown> {
  // The second argument of SDK 1 is a schema of the result.
  const kept = keptResult()
  try {
    return await client.callTool(params, ...((client.listen ? [request] : [kept, request]) as never[]))
  } catch (error) {
    // SDK 1 compares the structured content of failures too, and loses their text.
    if ((Object(kept.value) as McpResult).isError === true) return kept.value
    throw error
  }
}
