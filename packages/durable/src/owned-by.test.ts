import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DurableTasks } from './durable-tasks.ts'
import { isUser } from './http.ts'
import { isOwned, ownedBy, ownedId } from './owned-by.ts'
import { tasksHandler } from './tasks-handler.ts'

/** Similar names, so that one is often the beginning of the other. */
const users = fc
  .tuple(
    fc.array(fc.constantFrom('u', '1', '2', '-', '.', '/', '"', ',', '\\', '%', ' ', 'é', 'e\u0301', '漢'), {
      maxLength: 5,
    }),
    fc.string(),
  )
  .map(([some, any]) => `u${some.join('')}${any.slice(0, 2)}`)
const pairs = fc.sample(fc.tuple(users, users, fc.string({ maxLength: 4 })), 1000).filter(([a, b]) => a !== b)

function tasksOf() {
  const touched: string[] = []
  const touch = async (id: string) => void touched.push(id)
  const touching =
    (result?: unknown) =>
    async (id: string, options?: { taskId: string }): Promise<unknown> => {
      await touch(id)
      if (options?.taskId) await touch(options.taskId)
      return options?.taskId ?? result
    }
  const tasks = {
    submit: async (_: unknown, { taskId }: { taskId: string }) => touching(taskId)(taskId),
    status: touching('waiting'),
    waiting: touching([]),
    answer: touching({}),
    events: (id: string) => {
      touched.push(id)
      return (async function* () {
        yield* []
      })()
    },
    fork: touching(),
    decide: touch,
    cancel: touch,
    retry: touch,
  } as unknown as DurableTasks
  return { tasks, touched }
}

const METHODS = ['', 'answer', 'events', 'decide', 'cancel', 'retry', 'fork'] as const

describe('ownedBy', () => {
  it('lets no user reach the task of another one, by any method', async () => {
    const { tasks, touched } = tasksOf()
    const handle = tasksHandler(tasks, {
      mayUse: ownedBy((request) => decodeURIComponent(request.headers.get('x-user') ?? '')),
    })
    const send = async (user: string, path: string, body?: object) => {
      const headers = { 'content-type': 'application/json', 'x-user': encodeURIComponent(user) }
      const init = { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) }
      return handle(new Request(`http://a.example/tasks${path}`, init))
    }
    let crossings = 0
    for (const [a, b, chosen] of pairs) {
      const { taskId } = (await (await send(a, '', { input: 'x', taskId: `t${chosen}` })).json()) as { taskId: string }
      expect(isOwned(a, taskId)).toBe(true)
      touched.length = 0
      for (const method of METHODS) {
        const path = `/${encodeURIComponent(taskId)}${method && `/${method}`}`
        await (await send(b, path, ['', 'answer', 'events'].includes(method) ? undefined : { taskId })).text()
      }
      await send(b, '', { input: 'x', taskId })
      crossings += touched.filter((id) => id === taskId || isOwned(a, id)).length
    }
    expect([pairs.length > 900, crossings]).toEqual([true, 0])
  })

  it('makes no task of an empty id', async () => {
    const { tasks, touched } = tasksOf()
    const handle = tasksHandler(tasks, { mayUse: ownedBy(async () => 'ann') })
    for (const path of ['/tasks', '/tasks/rent/fork']) {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ input: 'x', taskId: '' })
      const response = await handle(new Request(`http://a.example${path}`, { method: 'POST', headers, body }))
      expect([response.status, await response.json()]).toMatchObject([400, { code: 'configuration' }])
    }
    expect(touched).toEqual([])
  })

  it('gives a user the own tasks, also under the id that was chosen', async () => {
    const { tasks, touched } = tasksOf()
    const handle = tasksHandler(tasks, { mayUse: ownedBy(async () => 'ann') })
    const look = async (id: string) => (await handle(new Request(`http://a.example/tasks/${id}`))).status
    expect([await look('rent'), await look(ownedId('ann', 'rent'))]).toEqual([200, 200])
    expect(new Set(touched)).toEqual(new Set([ownedId('ann', 'rent')]))
  })

  it.each(['', ' ', '\t\n', 'undefined', 'null', 'NaN', '[object Object]', ' null ', null, undefined, 5, {}, ['ann']])(
    'refuses the user %j',
    async (user) => {
      const { tasks, touched } = tasksOf()
      const handle = tasksHandler(tasks, { mayUse: ownedBy(() => user as string) })
      expect((await handle(new Request('http://a.example/tasks/t'))).status).toBe(401)
      expect([isUser(user), touched]).toEqual([false, []])
      expect(() => ownedId(user as string, 't')).toThrow(
        'ownedId.user: expected the id of a user, not blank and not "undefined", received ',
      )
      expect(await ownedBy(() => user as string)(new Request('http://a.example'), { taskId: undefined })).toBe(false)
    },
  )
})
