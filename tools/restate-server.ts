import { startKept } from './kept-server.ts'

/** A Restate server without services. */
export interface RestateServer {
  /** The address for callers of services, such as `http://127.0.0.1:12345`. */
  ingress: string
  /** The address for registering services and for queries. */
  admin: string
  /** Where the server keeps its data. */
  folder: string
  /** The process of the server. */
  pid: number
  /** Kills the server, and starts it again with its data at its addresses. */
  restart(): Promise<void>
  /** Stops the server and deletes its data. */
  stop(): Promise<void>
}

/**
 * Starts a Restate server for tests: the one of `@restatedev/restate-server`, on free ports of 127.0.0.1, with data in a new folder, little
 * memory, and without telemetry. It ends with the process that started it, however that process ends.
 */
export async function startRestate(): Promise<RestateServer> {
  const { line, stop, restart } = await startKept('./restate-keeper.mjs')
  const server: RestateServer = {
    ...(JSON.parse(line) as Omit<RestateServer, 'stop' | 'restart'>),
    stop,
    restart: async () => {
      Object.assign(server, JSON.parse(await restart()))
    },
  }
  return server
}

/** Registers the services that are served at an address; services of the same names are replaced. */
export async function registerServices({ admin }: Pick<RestateServer, 'admin'>, uri: string): Promise<void> {
  const response = await fetch(`${admin}/deployments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uri, force: true }),
  })
  if (!response.ok) throw new Error(`registerServices: ${uri}: ${response.status} ${await response.text()}`)
}
