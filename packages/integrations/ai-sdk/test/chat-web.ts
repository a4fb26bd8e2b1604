/** A web server with the route of a chat, whose tasks another process runs. It prints its port. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { memoryChatStreams } from '@x/chats'
import { StoredTasks, TasksAgent } from '@x/durable'
import { chatHandler } from '../src/chat-handler.ts'
import { sharedFiles } from './shared-files.ts'

const files = await sharedFiles(process.argv[2]!)
const handle = chatHandler({
  agent: new TasksAgent(new StoredTasks(files)),
  user: (request) => request.headers.get('x-user'),
  chatStore: files.chatStore,
  streams: memoryChatStreams(),
})
const server = createServer(async (incoming, outgoing) => {
  const { method = 'GET', url, headers } = incoming
  const body = method === 'POST' ? { body: Readable.toWeb(incoming), duplex: 'half' } : {}
  const request = new Request(`http://${headers.host}${url}`, { method, headers, ...body } as RequestInit)
  const response = await handle(request)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  for await (const piece of response.body ?? []) outgoing.write(piece)
  outgoing.end()
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
