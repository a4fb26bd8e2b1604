import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of request) text += piece
  return text
}

/** Serves web requests on a loopback address, whose path is `/mcp`, until the end. */
export async function listen(
  handler: (request: Request) => Response | Promise<Response>,
  onEnd: (end: () => Promise<void>) => void = () => {},
): Promise<URL> {
  const http = createServer(async (incoming, response) => {
    const { method = 'GET', url, headers } = incoming
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const request = new Request(`http://${headers.host}${url}`, {
      method,
      headers: headers as Record<string, string>,
      signal: gone.signal,
      ...(method === 'POST' && { body: await bodyOf(incoming) }),
    })
    const answer = await handler(request)
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    const reader = answer.body?.getReader()
    response.on('close', () => void reader?.cancel().catch(() => {}))
    for (;;) {
      const next = await reader?.read().catch(() => undefined)
      if (!next || next.done) break
      response.write(next.value)
    }
    response.end()
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onEnd(() => {
    http.closeAllConnections()
    return new Promise((resolve) => http.close(() => resolve()))
  })
  return new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`)
}
