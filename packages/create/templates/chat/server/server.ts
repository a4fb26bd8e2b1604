/** The server: the page, and the route of the chat. */
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { answer, stop } from './chat.ts'

/** The names of this server. Another name that leads to this machine is refused, so that no other site can use its user's browser. */
const hosts = ['localhost', '127.0.0.1']

const app = new Hono()
app.use(secureHeaders({ xFrameOptions: 'DENY' }))
app.use(async (context, next) => {
  const { hostname } = new URL(`http://${context.req.header('host')}`)
  return hosts.includes(hostname) ? next() : context.text('This server has another name.', 403)
})
app.all('/api/chat/*', (context) => answer(context.req.raw))
app.get('*', serveStatic({ root: 'dist' }))
serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3000), hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}`)
})
// Pages connect to their answers again after the restart.
process.once('SIGTERM', () => stop().then(() => process.exit()))
