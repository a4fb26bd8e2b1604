import type { Socket } from 'node:net'
import type { SentBody } from './odd-server.ts'

/** A server on the loopback address. */
export interface LoopbackServer {
  baseUrl: string
  stop(): Promise<void>
}

/** Starts a server that answers every request with a body. @param key - replaces `KEY` in the body and in the headers. */
export async function startServer(body: SentBody, key: string): Promise<LoopbackServer> {
  const { createServer } = await import('node:http')
  const { status = 200, type, headers = {}, pieces, end = 'end' } = body
  const sockets = new Set<Socket>()
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const isStream = text.includes('"stream":true')
    const media = type ?? (isStream ? 'text/event-stream' : 'application/json')
    const sent = Object.entries(headers).map(([name, value]) => [name, value.replaceAll('KEY', key)])
    response.writeHead(status, { ...Object.fromEntries(sent), 'content-type': media })
    for (const piece of pieces) {
      await new Promise((resolve) =>
        response.write(typeof piece === 'string' ? piece.replaceAll('KEY', key) : piece, resolve),
      )
      if (pieces.length < 200) await new Promise(setImmediate)
    }
    if (end === 'end') response.end()
    else if (end === 'reset') response.destroy()
  })
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
