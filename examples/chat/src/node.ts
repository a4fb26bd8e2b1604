/** The chat on Node: `MODEL_URL=http://localhost:11434/v1 MODEL=qwen3 node src/node.ts` */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { localOnly } from '@x/durable'
import { shopRoute } from './shop.ts'

const { MODEL_URL = 'http://localhost:11434/v1', MODEL = 'qwen3', MODEL_KEY, PORT = '3000' } = process.env
// For this machine alone: an application has a session instead.
const handle = localOnly(shopRoute({ MODEL_URL, MODEL, ...(MODEL_KEY && { MODEL_KEY }) }))
const server = createServer(getRequestListener(handle)).listen(Number(PORT), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/chat`)
})
process.once('SIGTERM', () => {
  server.close()
  // A browser keeps the connection of an answer that has ended.
  setInterval(() => server.closeIdleConnections(), 100).unref()
})
