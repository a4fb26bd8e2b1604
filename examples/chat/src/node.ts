/** The chat on Node: `MODEL_URL=http://localhost:11434/v1 MODEL=qwen3 node src/node.ts` */
import { serve } from '@hono/node-server'
import { localOnly } from '@x/durable'
import { shopRoute } from './shop.ts'

const { MODEL_URL = 'http://localhost:11434/v1', MODEL = 'qwen3', MODEL_KEY, PORT = '3000' } = process.env
// For this machine alone: an application has a session instead.
const handle = localOnly(shopRoute({ MODEL_URL, MODEL, ...(MODEL_KEY && { MODEL_KEY }) }))
serve({ fetch: handle, port: Number(PORT), hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}/api/chat`)
})
