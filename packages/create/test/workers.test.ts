// @module-tag system
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { launch } from '../../../tools/browser/launch.ts'
import { openPage } from '../../../tools/browser/page-checks.ts'
import { buildPage, deleteProject, projectOf, type Started } from './project.ts'

const wrangler = join(import.meta.dirname, '../node_modules/wrangler/bin/wrangler.js')

/** Starts the worker of a project in workerd, from the sources of the packages. @param port - 0 for any */
async function startWorker(project: string, port = 0): Promise<Started> {
  const env = {
    ...process.env,
    WRANGLER_BUILD_CONDITIONS: '@x/source,workerd,worker,browser',
    WRANGLER_SEND_METRICS: 'false',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    CI: '1',
  }
  const args = [wrangler, 'dev', '--ip', '127.0.0.1', '--port', String(port), '--inspector-port', '0']
  const server = spawn(process.execPath, args, { cwd: project, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  // The program and workerd are one process group.
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    process.kill(-server.pid!, 'SIGKILL')
    await ended
  }
  onTestFinished(kill)
  let printed = ''
  server.stderr.on('data', (data) => (printed += data))
  for await (const line of createInterface({ input: server.stdout })) {
    printed += `${line}\n`
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
    if (url !== undefined) {
      server.stdout.resume()
      return { url, kill }
    }
  }
  throw new Error(`The worker ended before it printed its address: ${printed}`)
}

/** The status of a request that names another host. `fetch` does not send one. */
const statusAs = (host: string, url: string) =>
  new Promise((resolve, reject) => {
    get(url, { headers: { host } }, (response) => resolve(response.resume().statusCode)).on('error', reject)
  })

it('runs on Workers: after a kill a payment that waits is approved once, in the page', {
  tags: 'nightly',
  timeout: 240_000,
}, async () => {
  const project = projectOf('workers')
  onTestFinished(() => deleteProject(project))
  buildPage(project)
  const first = await startWorker(project)
  const browser = await launch()
  onTestFinished(() => browser.close())
  const { page, problems } = await openPage(browser, first.url)
  expect((await fetch(first.url)).headers.get('x-frame-options')).toBe('DENY')
  expect(await statusAs('rebound.example', `${first.url}/api/chat/one`)).toBe(403)
  await page.getByLabel('Message', { exact: true }).fill('Order 3 kg of pears for Ann.')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Approve' }).waitFor({ timeout: 30_000 })
  await first.kill()
  await startWorker(project, Number(new URL(first.url).port))
  await page.reload()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('arrives on Thursday').waitFor({ timeout: 30_000 })
  await page.reload()
  await page.getByText('arrives on Thursday').waitFor({ timeout: 30_000 })
  expect(await page.locator('article').last().innerText()).toContain('3 kg of pears for Ann, 10.20 EUR')
  expect(await page.locator('article').count()).toBe(2)
  expect(problems.filter((text) => !/Failed to load resource|ERR_/.test(text))).toEqual([])
})
