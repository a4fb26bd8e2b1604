import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MemoryTaskStore } from '@x/agents'
import { FileTaskStore } from '@x/storage/node'
import { describe, it } from 'vitest'
import { storedTasksChecks } from './durable.ts'

describe('tasks in memory', () => {
  for (const { name, run } of storedTasksChecks(() => new MemoryTaskStore(), undefined, { patienceMs: 10_000 }))
    it(name, run)
})

describe('tasks in files', () => {
  let folder: string
  const create = async () => {
    folder = await mkdtemp(join(tmpdir(), 'tasks-'))
    return new FileTaskStore(folder)
  }
  const checks = storedTasksChecks(create, () => new FileTaskStore(folder), { patienceMs: 10_000 })
  for (const { name, run } of checks) it(name, run)
})
