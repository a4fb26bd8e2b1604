/** An endpoint in this process, whose services can be replaced and whose connections can be cut. */
import { once } from 'node:events'
import { createServer, type ServerHttp2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'
import * as restate from '@restatedev/restate-sdk'
import type { RestateServer } from '../../../../tools/restate-server.ts'

export type Services = Parameters<typeof restate.createEndpointHandler>[0]['services']

/** The endpoint that {@link serve} returns. */
export interface Endpoint {
  uri: string
  /** Serves different code from now on, for runs in flight too. */
  replace(services: Services): void
  /** Ends all connections, and so the current attempts of all runs. */
  disconnect(): void
  close(): void
}

export async function serve(services: Services): Promise<Endpoint> {
  const quiet = () => {}
  let handler = restate.createEndpointHandler({ services, logger: quiet })
  const sessions = new Set<ServerHttp2Session>()
  const server = createServer((request, response) => handler(request, response))
  server.on('session', (session) => {
    sessions.add(session)
    session.on('error', quiet)
    session.on('close', () => sessions.delete(session))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const disconnect = () => {
    for (const session of sessions) session.destroy()
  }
  return {
    uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    replace: (others) => {
      handler = restate.createEndpointHandler({ services: others, logger: quiet })
    },
    disconnect,
    close: () => {
      disconnect()
      server.close()
    },
  }
}

/** Calls a handler and waits for its result without a limit. */
export function call<T>(
  { ingress }: Pick<RestateServer, 'ingress'>,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<T> {
  const json = { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
  return answerOf(fetch(`${ingress}/${path}`, { method: 'POST', ...(body !== undefined && json) }))
}

/** Waits for the answer of a workflow that was submitted. */
export function attach<T>({ ingress }: Pick<RestateServer, 'ingress'>, workflow: string): Promise<T> {
  return answerOf(fetch(`${ingress}/restate/workflow/${workflow}/attach`))
}

async function answerOf<T>(request: Promise<Response>): Promise<T> {
  const response = await request
  const text = await response.text()
  const data = text === '' ? undefined : JSON.parse(text)
  if (!response.ok) throw Object.assign(new Error(`${response.url}: ${text}`), { status: response.status, data })
  return data as T
}
