import type { TaskStore } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { killChecks } from './kill-checks.ts'

describe('a task store in memory', () => {
  for (const { name, run } of killChecks(() => new MemoryTaskStore(), undefined, { points: 25 })) it(name, run)
})

describe('the kill checks', () => {
  const outcomes = async (store: (own: MemoryTaskStore) => Partial<TaskStore>) => {
    const create = () => {
      const own = new MemoryTaskStore()
      return Object.assign(Object.create(own) as MemoryTaskStore, store(own))
    }
    const checks = killChecks(create, undefined, { levels: [1], points: 12 })
    return Promise.all(
      checks.map(async ({ run }) =>
        run().then(
          () => 'passed',
          (error: Error) => error.message,
        ),
      ),
    )
  }

  it('refuse a store that loses the results of tools', async () => {
    const lost = await outcomes((own) => ({
      load: (id) => own.load(id)?.filter((entry) => (entry as { type?: string }).type !== 'inner') ?? null,
    }))
    expect(lost).not.toContain('passed')
  })
})
