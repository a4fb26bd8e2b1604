import { MemoryTaskStore } from '@x/agents'
import { describe, expect, it } from 'vitest'
import { StoredTasks } from './stored-tasks.ts'
import { checkForkStep, checkRetry, checkTaskId } from './task-checks.ts'

describe('the id of a task', () => {
  it.each([
    ['', '""'],
    [7, '7'],
    [undefined, 'undefined'],
  ])('is not %j', (value, received) => {
    expect(() => checkTaskId('test: taskId', value)).toThrow(
      `test: taskId: expected a string with at least one character, received ${received}.`,
    )
  })
})

it('the id of a task is not that of the record of another one', async () => {
  const tasks = new StoredTasks({ store: new MemoryTaskStore(), agent: () => expect.unreachable() })
  const options = { taskId: 'submitted/o', startedBy: undefined }
  await expect(tasks.submit('hi', options)).rejects.toMatchObject({ code: 'configuration' })
  await tasks.submit('hi', { taskId: 'o/submitted/o' })
  expect(
    () => new StoredTasks({ store: new MemoryTaskStore(), agent: () => expect.unreachable(), leaseMs: 0 }),
  ).toThrow('leaseMs')
})

describe('a retry', () => {
  it.each([
    ['finished', 'task_finalized'],
    ['queued', 'task_busy'],
    ['running', 'task_busy'],
    ['waiting', 'task_busy'],
  ] as const)('of a task that is %s throws %s', (status, code) => {
    expect(() => checkRetry('t', status)).toThrow(expect.objectContaining({ code, taskId: 't' }))
  })

  it('of a task that waits is possible after its cancellation, as the error says', () => {
    expect(() => checkRetry('t', 'waiting')).toThrow('Task "t" has not ended; cancel it first.')
  })

  it.each(['failed', 'cancelled'] as const)('of a task that is %s is possible', (status) => {
    expect(checkRetry('t', status)).toBeUndefined()
  })
})

describe('a fork', () => {
  it.each([0, 3])('at step %d of 3 is possible', (atStep) => {
    expect(checkForkStep('t', atStep, 3)).toBeUndefined()
  })

  it.each([-1, 4, 1.5, Number.NaN])('at step %d of 3 is refused', (atStep) => {
    const error = { code: 'invalid_step', message: `Task "t" cannot be forked at step ${atStep} of 3.` }
    expect(() => checkForkStep('t', atStep, 3)).toThrow(expect.objectContaining(error))
  })
})
