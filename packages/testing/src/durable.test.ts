import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MemoryTaskStore } from '@x/agents'
import type { TaskStore } from '@x/core-model'
import { MemoryEventLog, StoredTasks } from '@x/durable'
import { FileTaskStore } from '@x/storage/node'
import { afterAll, describe, it } from 'vitest'
import { durableTasksChecks } from './durable.ts'

describe.each<[string, () => TaskStore | Promise<TaskStore>]>([
  ['in memory', () => new MemoryTaskStore()],
  ['in files', async () => new FileTaskStore(await mkdtemp(join(tmpdir(), 'tasks-')))],
])('tasks %s', (_, makeStore) => {
  let current: StoredTasks | undefined
  afterAll(() => current?.stop())
  const checks = durableTasksChecks(
    async (agent) => {
      const store = await makeStore()
      const events = new MemoryEventLog()
      const start = async () => {
        await current?.stop()
        current = new StoredTasks({ store, agent, events })
        await current.start()
        return current
      }
      return { tasks: await start(), restart: start }
    },
    { patienceMs: 5000 },
  )
  for (const { name, run } of checks) it(name, run)
})
