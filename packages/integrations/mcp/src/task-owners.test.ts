import type { DurableTasks } from '@x/durable'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TaskTool } from './task-tool.ts'

const users = fc
  .array(fc.constantFrom('user', '-', '1', '2', '.', '/', '"', ' ', '漢'), { minLength: 1, maxLength: 6 })
  .map((all) => all.join(''))
const pairs = fc.sample(fc.tuple(users, users), 1000).filter(([a, b]) => a !== b)

it('no owner reaches the task of another one, by any method', async () => {
  const touched: string[] = []
  const tasks = new Proxy({} as DurableTasks, {
    get: (_, method) => async (id: string, options?: { taskId: string }) => {
      if (method === 'submit') return options!.taskId
      touched.push(id)
      return method === 'status' ? 'waiting' : []
    },
  })
  const of = (prefix: string) => new TaskTool(tasks, { name: 't', description: 'd', prefix })
  for (const [a, b] of [['user-12', 'user-1'], ['user-1', 'user-12'], ...pairs] as [string, string][]) {
    const own = of(a)
    const { taskId } = await own.createTask({}, 1, { params: { name: 't', arguments: { input: 'x' } } })
    expect((await own.getTask(taskId))?.status).toBe('input_required')
    touched.length = 0
    const other = of(b)
    expect(await other.getTask(taskId)).toBe(null)
    for (const call of [
      () => other.getTaskResult(taskId),
      () => other.updateTaskStatus(taskId, 'cancelled'),
      () => other.enqueue(taskId, {}),
      () => other.dequeue(taskId),
      () => other.dequeueAll(taskId),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'task_not_found' })
    expect(touched).toEqual([])
  }
  expect(pairs.length).toBeGreaterThan(900)
})
