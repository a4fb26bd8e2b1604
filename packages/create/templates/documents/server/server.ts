/** The server: the page, and a route that answers a question from the files in `docs`, as lines of JSON. */
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { stream } from 'hono/streaming'
import { answerFrom, openDocs } from './answer.ts'

const docs = await openDocs('docs')

/** The names of this server. Another name that leads to this machine is refused, so that no other site can use its user's browser. */
const hosts = ['localhost', '127.0.0.1']

const app = new Hono()
app.use(secureHeaders({ xFrameOptions: 'DENY' }))
app.use(async (context, next) => {
  const { hostname } = new URL(`http://${context.req.header('host')}`)
  return hosts.includes(hostname) ? next() : context.text('This server has another name.', 403)
})
app.post('/api/ask', async (context) => {
  // A form of another page cannot send JSON without the permission of this server.
  if (!context.req.header('content-type')?.startsWith('application/json')) return context.text('Send JSON.', 415)
  const { question } = await context.req.json()
  if (typeof question !== 'string' || question.trim() === '') return context.text('Send { "question": "…" }.', 400)
  return stream(context, async (out) => {
    for await (const piece of answerFrom(docs, question)) await out.write(`${JSON.stringify(piece)}\n`)
  })
})
app.get('*', serveStatic({ root: 'dist' }))
serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3000), hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}`)
})
