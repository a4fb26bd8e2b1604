import { request } from 'node:http'
import { MemoryTaskStore } from '@x/agents'
import { StoredTasks } from '@x/durable'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { agentOf, paid, storeWithTask, submitted } from '../test/store.ts'
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

beforeEach(() => {
  paid.length = 0
})

describe('tasks that no engine knows', () => {
  it('are listed, with what waits, without an agent', async () => {
    const views = new TaskViews({ store: await storeWithTask() })
    expect(await views.list()).toEqual([
      {
        id: 'rent',
        title: 'Pay Ann 12 euros.',
        status: 'waiting',
        turns: 1,
        tokens: expect.any(Number),
        forkedFrom: null,
        isSubmitted: false,
        canRun: false,
      },
    ])
    const task = await views.find('rent')
    expect(task?.waiting).toEqual([
      { id: 'call-1', name: 'pay_person', arguments: expect.objectContaining({ euros: 12 }) },
    ])
    for (const op of ['continue', 'undo'] as const)
      await expect(views.act('rent', { op })).rejects.toThrow('Start devtools with the file of the agent')
    await expect(views.act('rent', { op: 'decide', decision: { type: 'approve', callId: 'call-1' } })).rejects.toThrow(
      'the file of the agent',
    )
    expect(await views.find('other')).toBe(null)
    await expect(views.act('other', { op: 'undo' })).rejects.toThrow('There is no task other.')
  })

  it('are approved with edited arguments, forked and undone', async () => {
    const views = new TaskViews({ store: await storeWithTask(), agent: agentOf })
    const fork = await views.act('rent', { op: 'fork', atStep: 1 })
    expect(await views.find(fork)).toMatchObject({ forkedFrom: 'rent', turns: 1, status: 'waiting' })
    await views.act('rent', {
      op: 'decide',
      decision: { type: 'edit', callId: 'call-1', arguments: { person: 'Ann', euros: 5 } },
    })
    expect(paid).toEqual([5])
    expect(await views.find('rent')).toMatchObject({ status: 'finished', waiting: [] })
    const undone = await views.act(fork, { op: 'undo' })
    expect(undone).toBe(fork)
    expect(await views.find(fork)).toMatchObject({ turns: 0 })
    await views.act(fork, { op: 'continue' })
    expect(await views.find(fork)).toMatchObject({ status: 'waiting' })
    const [call] = (await views.find(fork))!.waiting
    await views.act(fork, { op: 'decide', decision: { type: 'reject', callId: call!.id, reason: 'too dear' } })
    expect(paid).toEqual([5])
    const decided = (await views.find(fork))?.rows.filter(({ kind }) => kind === 'decision')
    expect(decided).toMatchObject([{ text: 'reject', reason: 'too dear', by: 'devtools' }])
  })
})

describe('tasks that were submitted to a worker', () => {
  it('are decided without an agent, and run by their worker alone', async () => {
    const store = new MemoryTaskStore()
    const tasks = await submitted(store, 'Pay Bob.', 'order-7')
    const views = new TaskViews({ store })
    expect(await views.find('order-7')).toMatchObject({ status: 'waiting', isSubmitted: true, title: 'Pay Bob.' })
    const [call] = (await views.find('order-7'))!.waiting
    await tasks.stop()
    await views.act('order-7', {
      op: 'decide',
      decision: { type: 'edit', callId: call!.id, arguments: { person: 'Bob', euros: 7 } },
    })
    expect(paid).toEqual([])
    const worker = new StoredTasks({ store, agent: agentOf })
    await worker.start()
    await worker.answer('order-7')
    await worker.stop()
    expect(paid).toEqual([7])
    expect(await views.list()).toMatchObject([{ id: 'order-7', status: 'finished' }])
  })

  it('show why they failed, are continued and forked', async () => {
    const store = new MemoryTaskStore()
    const tasks = await submitted(store, 'Please fail.', 'bad')
    await tasks.stop()
    const views = new TaskViews({ store, agent: agentOf })
    const task = await views.find('bad')
    expect(task?.status).toBe('failed')
    expect(task?.rows.at(-1)).toMatchObject({ kind: 'error', text: expect.stringContaining('The model is down.') })
    expect(task?.rows.filter(({ kind }) => kind === 'error')).toHaveLength(1)
    expect(await views.act('bad', { op: 'continue' })).toBe('bad')
    const again = await views.find('bad')
    expect([again?.status, again?.rows.at(-1)?.kind]).toEqual(['queued', 'retry'])
  })
})
