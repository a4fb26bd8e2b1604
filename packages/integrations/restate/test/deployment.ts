/** Services of this process on a Restate server, under unique names. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type RestateServer, registerServices, startRestate } from '../../../../tools/restate-server.ts'
import type { AgentStatus } from '../src/index.ts'
import { attach, call, type Endpoint, type Services, serve } from './endpoint.ts'

/** The answer that the caller of a run receives. */
export interface Answer {
  response: string
  sources: { content: string }[]
}

let services = 0

/** Starts a server for the tests of a file. */
export function useRestate() {
  let server: RestateServer
  const endpoints: Endpoint[] = []
  beforeAll(async () => {
    server = await startRestate()
  })
  afterAll(async () => {
    for (const endpoint of endpoints) endpoint.close()
    await server.stop()
  })
  /** Serves what `make` returns for a new name. */
  return async <Made>(make: (name: string, made: Made) => Services, made: Made) => {
    const name = `agent${services++}`
    const endpoint = await serve(make(name, made))
    endpoints.push(endpoint)
    await registerServices(server, endpoint.uri)
    const handler = <T>(
      path: string,
      body?: unknown,
      key = 'task',
      service = name,
      headers: Record<string, string> = {},
    ) => call<T>(server, `${service}/${key}/${path}`, body, headers)
    return {
      endpoint,
      name,
      /** The address of the server for callers. */
      ingress: server.ingress,
      /** Kills the server, and starts it again. */
      restartServer: () => server.restart(),
      /** Returns the size of the data of the server, in bytes. */
      bytes: () => sizeOf(server.folder),
      /** Calls a handler. */
      handler,
      /** Serves different code from now on, for runs in flight too. */
      upgrade: (other: Made) => endpoint.replace(make(name, other)),
      attach: (key = 'task') => attach<Answer>(server, `${name}/${key}`),
      run: (input: unknown = 'Go!', key?: string) => handler<Answer>('run', input, key),
      send: (input: unknown = 'Go!', key?: string) => handler<{ status: string }>('run/send', input, key),
      decide: (decision: unknown) => handler('decide', decision),
      status: () => handler<AgentStatus>('status'),
      cancel: () => handler('cancel'),
      /** Does something with the invocation of the run, as an operator would: `kill`, `purge`. */
      async operate(action: 'kill' | 'purge' | 'resume', handler?: string) {
        const { id } = await this.invocation(handler)
        const done = await fetch(`${server.admin}/invocations/${id}/${action}`, { method: 'PATCH' })
        if (!done.ok) throw new Error(`${action}: ${done.status} ${await done.text()}`)
      },
      /** Returns the data of the server about the invocation of the run, or of another handler. */
      invocation: (handler = 'run') => invocationOf(server, `${name}/task/${handler}`),
      /** Returns the types of the entries in the journal of the run. */
      async entries(): Promise<string[]> {
        const { id } = await this.invocation()
        const query = `SELECT entry_type FROM sys_journal WHERE id = '${id}' ORDER BY index`
        return (await rowsOf<{ entry_type: string }>(server, query)).map(({ entry_type }) => entry_type.trim())
      },
      /** Waits for a state of the run. */
      async reaches(state: AgentStatus['state']): Promise<AgentStatus> {
        for (;;) {
          const status = await this.status()
          if (status.state === state) return status
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      },
    }
  }
}

async function invocationOf(server: RestateServer, target: string): Promise<{ id: string; status: string }> {
  const query = `SELECT id, status FROM sys_invocation WHERE target = '${target}'`
  const [found] = await rowsOf<{ id: string; status: string }>(server, query)
  return found!
}

async function rowsOf<Row>({ admin }: RestateServer, query: string): Promise<Row[]> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const found = await fetch(`${admin}/query`, { method: 'POST', headers, body: JSON.stringify({ query }) })
  return ((await found.json()) as { rows: Row[] }).rows
}

/** The server may delete a file meanwhile. */
function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const size = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return files.reduce((sum, { parentPath, name }) => sum + size(join(parentPath, name)), 0)
}
