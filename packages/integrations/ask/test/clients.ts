/** The official clients, connected to the program. */
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

/** A client of either SDK. */
export type Client = ClientV1 | ClientV2

/** A command that starts the program. */
export interface Command {
  command: string
  args: string[]
  env?: Record<string, string>
  cwd?: string
}

const info = { name: 'test', version: '1.0.0' }
const main = `${import.meta.dirname}/../src/main.ts`

/** The command that runs the sources. */
export function sources(...args: string[]): Command {
  return { command: process.execPath, args: ['--conditions=@x/source', main, ...args] }
}

/** The clients by name: of SDK 1, of SDK 2 with the same revision of the protocol, and with the newest one. */
export const clients = {
  'client 1': () => new ClientV1(info),
  'client 2': () => new ClientV2(info),
  'client 2, newest protocol': () => new ClientV2(info, { versionNegotiation: { mode: 'auto' } }),
} as const
export type ClientName = keyof typeof clients

/** Starts the program and connects a client. Also returns the log of the program. */
export async function connectStdio(
  name: ClientName,
  command: Command,
): Promise<{ client: Client; log: string[]; pid: number }> {
  const options = { ...command, stderr: 'pipe' as const }
  const client = clients[name]()
  const log: string[] = []
  const listen = (transport: StdioV1 | StdioV2) => {
    transport.stderr?.on('data', (data) => log.push(String(data)))
    return transport
  }
  const transport = client instanceof ClientV1 ? listen(new StdioV1(options)) : listen(new StdioV2(options))
  await client.connect(transport as never)
  return { client, log, pid: transport.pid! }
}

/** Connects a client to an HTTP server. */
export async function connectHttp(name: ClientName, url: string): Promise<Client> {
  const client = clients[name]()
  await client.connect((client instanceof ClientV1 ? new HttpV1(new URL(url)) : new HttpV2(new URL(url))) as never)
  return client
}

/** The result of a tool. */
export interface ToolResult {
  isError?: boolean
  content: { type: string; text: string }[]
  structuredContent?: unknown
}

/** Calls a tool. The client checks the result against the output schema of the tool. */
export async function callTool(client: Client, name: string, args: object): Promise<ToolResult> {
  return (await client.callTool({ name, arguments: args as Record<string, unknown> })) as unknown as ToolResult
}

/** The notifications that a client receives, as `method uri`. */
export function notificationsOf(client: Client): string[] {
  const received: string[] = []
  client.fallbackNotificationHandler = async ({ method, params }: { method: string; params?: object }) => {
    received.push(
      `${method.replace('notifications/', '')} ${(params as { uri?: string } | undefined)?.uri ?? ''}`.trim(),
    )
  }
  return received
}

/** Subscribes to notifications about the list and one document. */
export async function subscribe(client: Client, uri: string): Promise<void> {
  if (client instanceof ClientV2 && client.getProtocolEra() === 'modern')
    await client.listen({ resourcesListChanged: true, resourceSubscriptions: [uri] })
  else await client.subscribeResource({ uri })
}
