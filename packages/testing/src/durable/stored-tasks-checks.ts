/**
 * @module
 * The checks of engines for `StoredTasks` on a task store.
 */
import type { FunctionCallingAgent } from '@x/agents'
import type { TaskStore } from '@x/core-model'
import { MemoryEventLog, StoredTasks, type TaskRun } from '@x/durable'
import type { ContractCheck } from '../storage/contract-check.ts'
import { type DurableTasksCheckOptions, durableTasksChecks } from './durable-tasks-checks.ts'

/**
 * Returns the checks of {@link durableTasksChecks} for `StoredTasks` on a task store: one worker and two, of two versions, stopped and
 * started.
 * @param create - returns a new, empty store. It is called once, by the first check.
 * @param reopen - returns another store with the same data, as another process opens it. @defaultValue the store itself
 * @example
 * import { MemoryTaskStore } from '@x/agents'
 * const checks = storedTasksChecks(() => new MemoryTaskStore())
 * checks.length // => 27
 */
export function storedTasksChecks<Store extends TaskStore>(
  create: () => Store | Promise<Store>,
  reopen: (store: Store) => TaskStore | Promise<TaskStore> = (store) => store,
  options: Pick<DurableTasksCheckOptions, 'patienceMs'> = {},
): readonly ContractCheck[] {
  let last: StoredTasks | undefined
  const checks = durableTasksChecks(async (agent) => {
    const store = await create()
    const events = new MemoryEventLog()
    const start = async (made: (run: TaskRun) => FunctionCallingAgent) => {
      const worker = new StoredTasks({ store: await reopen(store), agent: made, events, pollingIntervalMs: 100 })
      await worker.start()
      return worker
    }
    const restart = async () => {
      await last?.stop()
      last = await start(agent)
      return last
    }
    return {
      tasks: await restart(),
      restart,
      takesOtherCode: true,
      stop: async () => {
        await last?.stop()
        return new StoredTasks({ store, events, pollingIntervalMs: 100 })
      },
      second: async (other) => {
        const worker = await start(other)
        return () => worker.stop()
      },
      active: async () => (await store.list({ active: true })).map(({ taskId }) => taskId.replace(/^submitted\//, '')),
    }
  }, options)
  return [...checks, { name: 'stops', run: async () => last?.stop() }]
}
