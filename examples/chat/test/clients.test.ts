import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { build } from 'esbuild'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launch } from '../../../tools/browser/launch.ts'
import { openPage } from '../../../tools/browser/page-checks.ts'
import { shopCopilot } from '../src/clients/copilotkit.ts'
import { shopAgUiRoute, shopRoute } from '../src/shop.ts'
import { answerAsShop } from './shop-model.ts'

const model = createServer(answerAsShop)
let folder = ''
let server: ReturnType<typeof serve>
let url = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clients-'))
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve))
  const settings = { MODEL_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`, MODEL: 'm' }
  const outfile = join(folder, 'page.js')
  await build({
    entryPoints: [join(import.meta.dirname, '../src/clients/assistant-ui.tsx')],
    outfile,
    bundle: true,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const [chat, agUi] = [shopRoute(settings), shopAgUiRoute(settings)]
  const app = new Hono()
  app.get('/', (context) =>
    context.html('<!doctype html><div id="root"></div><script type="module" src="/page.js"></script>'),
  )
  app.get('/page.js', async (context) =>
    context.body(await readFile(outfile, 'utf8'), 200, { 'content-type': 'text/javascript' }),
  )
  app.all('/api/chat/*', (context) => chat(context.req.raw))
  app.all('/api/agent/*', (context) => agUi(context.req.raw))
  await new Promise<void>((resolve) => {
    server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
      url = `http://127.0.0.1:${port}`
      resolve()
    })
  })
}, 60_000)

afterAll(async () => {
  server.close()
  model.close()
  await rm(folder, { recursive: true, force: true })
})

it('assistant-ui shows a call that waits, and the answer after its approval', { timeout: 120_000 }, async () => {
  const browser = await launch()
  try {
    const { page, problems } = await openPage(browser, url)
    await page.getByLabel('Message').fill('Buy a pear.')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Result: {"bought":"pear"}').waitFor()
    expect(await page.locator('article').count()).toBe(2)
    expect(problems.filter((text) => !text.includes('Failed to load resource'))).toEqual([])
  } finally {
    await browser.close()
  }
})

it('the client of CopilotKit gets a call that waits as an interrupt, and the answer after its approval', {
  timeout: 60_000,
}, async () => {
  const { copilot, agent } = shopCopilot(`${url}/api/agent`)
  agent.threadId = 'copilot'
  agent.addMessage({ id: 'm1', role: 'user', content: 'Buy a pear.' })
  const { newMessages } = await copilot.runAgent({ agent })
  expect(newMessages).toMatchObject([{ role: 'assistant', toolCalls: [{ function: { name: 'buy' } }] }])
  const [interrupt] = agent.pendingInterrupts
  const resume = [{ interruptId: interrupt!.id, status: 'resolved' as const }]
  const after = await copilot.runAgent({ agent, resume })
  expect(after.newMessages.at(-1)).toMatchObject({ role: 'assistant', content: 'Result: {"bought":"pear"}' })
})
