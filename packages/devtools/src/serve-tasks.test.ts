import { request } from 'node:http'
import { MemoryTaskStore } from '@x/agents'
import { expect, it, onTestFinished } from 'vitest'
import { storeWithTask } from '../test/store.ts'
import { serveTasks } from './serve-tasks.ts'
import { TaskViews } from './task-views.ts'

async function served(store = new MemoryTaskStore()) {
  const found = await serveTasks(new TaskViews({ store }), 0)
  onTestFinished(() => found.close())
  return found.url
}

/** The status of a request with a host of its own, which `fetch` cannot send. */
const statusFor = (url: string, headers: Record<string, string>, method = 'GET') =>
  new Promise<number | undefined>((resolve, reject) => {
    const sent = request(url, { headers, method }, ({ statusCode }) => resolve(statusCode))
    sent.on('error', reject)
    sent.end()
  })

it('serves the page and the tasks', async () => {
  const url = await served(await storeWithTask())
  const page = await fetch(url)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers.get('cross-origin-resource-policy')).toBe('same-origin')
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'sha256-/)
  expect(await (await fetch(`${url}tasks`)).json()).toMatchObject([{ id: 'rent' }])
  expect(await (await fetch(`${url}tasks/rent`)).json()).toMatchObject({ id: 'rent', status: 'waiting' })
  expect((await fetch(`${url}tasks/none`)).status).toBe(404)
  for (const odd of ['else', '%', 'tasks/%']) expect((await fetch(`${url}${odd}`)).status).toBe(404)
  expect((await fetch(`${url}tasks/rent`, { method: 'PUT' })).status).toBe(405)
})

it('refuses other hosts, other origins and forms', async () => {
  const url = await served(await storeWithTask())
  const { host } = new URL(url)
  expect(await statusFor(url, { host: 'evil.example' })).toBe(403)
  expect(await statusFor(url, { host: `evil.example:${new URL(url).port}` })).toBe(403)
  expect(await statusFor(url, { host, origin: 'https://evil.example' })).toBe(403)
  expect(await statusFor(url, { host, origin: 'null' })).toBe(403)
  expect(await statusFor(url, { host, origin: `http://${host}` })).toBe(200)
  const form = { host, 'content-type': 'application/x-www-form-urlencoded' }
  expect(await statusFor(`${url}tasks/rent`, form, 'POST')).toBe(415)
})

it('says why something cannot be done', async () => {
  const url = await served(await storeWithTask())
  const post = (body: string) =>
    fetch(`${url}tasks/rent`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const refused = await post('{"op":"continue"}')
  expect([refused.status, await refused.json()]).toEqual([
    500,
    { message: 'Start devtools with the file of the agent to do this.' },
  ])
  expect((await post('{')).status).toBe(500)
  expect((await post(`"${'x'.repeat(1_100_000)}"`)).status).toBe(500)
})
