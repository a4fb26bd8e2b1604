/** The server: the page, and the route of the chat. */
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { answer } from './chat.ts'

const app = new Hono()
app.all('/api/chat/*', (context) => answer(context.req.raw))
app.get('*', serveStatic({ root: 'dist' }))
serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3000), hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}`)
})
