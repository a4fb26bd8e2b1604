/** A chat in a page: an agent with a tool behind a web server. */
import { readFile } from 'node:fs/promises'
import { serve } from '@hono/node-server'
import { FunctionCallingAgent, FunctionTool, journal, keepWithin, MemoryTaskStore } from '@x/agents'
import { chatHandler } from '@x/ai-sdk'
import { SimpleChatStore } from '@x/core-model'
import { Hono } from 'hono'
import { modelOr } from './model.ts'
import { callTool } from './script.ts'

const price = FunctionTool.fromDefaults({
  name: 'price',
  description: 'Returns the price of a fruit.',
  schema: { type: 'object', properties: { fruit: { type: 'string' } }, required: ['fruit'] },
  fn: ({ fruit }) => `1 kg of ${fruit} costs ${fruit.length} EUR.`,
})
const llm = modelOr(callTool('price', (question) => ({ fruit: /apples?|plums?/i.exec(question)?.[0] ?? 'pears' })))

/** The route. It speaks the protocol of the AI SDK, so `useChat` works with it too. */
const chat = chatHandler({
  agent: FunctionCallingAgent.fromTools({
    llm,
    tools: [price],
    taskStore: journal(new MemoryTaskStore()),
    contextWindow: keepWithin(),
  }),
  // In memory: a restart forgets the conversations. @x/sqlite and @x/postgres have stores that keep them, and tasks.
  chatStore: new SimpleChatStore(),
  // One user. Return the user of your session here; null is nobody.
  user: () => 'me',
  // The page shows the code alone: a message may contain what users must not see.
  onError: ({ code, message }) => {
    console.error(message)
    return `The answer failed (${code}).`
  },
})

const app = new Hono()
app.all('/api/chat/*', (context) => chat(context.req.raw))
app.get('/', async (context) => context.html(await readFile(new URL('page.html', import.meta.url), 'utf8')))
app.get('/page.js', async (context) => {
  const script = await readFile(new URL('page.js', import.meta.url), 'utf8')
  return context.body(script, 200, { 'content-type': 'text/javascript; charset=utf-8' })
})
serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3000), hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}`)
})
