/**
 * @module
 * The contract of engines that run durable tasks, as checks for any test runner.
 */
import type { FunctionCallingAgent } from '@x/agents'
import type { TaskRun } from '@x/durable'
import { type ContractCheck, same } from '../storage/contract-check.ts'
import { type CheckedTasks, Engine, type EngineCheck, type OptionalOperation, throws, World } from './checked-engine.ts'
import { engineChecks } from './engine-checks.ts'
import { processChecks } from './process-checks.ts'

/** Options of {@link durableTasksChecks}. */
export interface DurableTasksCheckOptions {
  /** The operations that the engine does not have. They must throw `unsupported_operation`; `list` must be undefined. @defaultValue none */
  without?: readonly OptionalOperation[] | undefined
  /** How long a check waits for a state, in milliseconds. @defaultValue 30,000 */
  patienceMs?: number | undefined
}

/**
 * Returns checks of an engine for {@link DurableTasks}: its operations, states and errors. The engine must run at least one task and at
 * most 20 at a time, so that it shows that tasks which wait occupy nothing.
 * @param make - starts the engine with an agent, in the process of the checks. It is called once, by the first check.
 * @example
 * import { MemoryTaskStore } from '@x/agents'
 * import { StoredTasks } from '@x/durable'
 * const checks = durableTasksChecks(async (agent) => {
 *   const tasks = new StoredTasks({ store: new MemoryTaskStore(), agent })
 *   await tasks.start()
 *   return { tasks }
 * })
 * checks.length // => 26
 */
export function durableTasksChecks(
  make: (agent: (run: TaskRun) => FunctionCallingAgent) => CheckedTasks | Promise<CheckedTasks>,
  { without = [], patienceMs = 30_000 }: DurableTasksCheckOptions = {},
): readonly ContractCheck[] {
  const world = new World()
  let made: Promise<CheckedTasks> | undefined
  return [...engineChecks, ...processChecks]
    .filter(({ needs = [] }) => ![needs].flat().some((operation) => without.includes(operation)))
    .concat(without.map(refuses))
    .map(({ name, check }) => ({
      name,
      run: async () => {
        made ??= Promise.resolve(make((run) => world.agent(run)))
        await check(new Engine(await made, world, patienceMs))
      },
    }))
}

function refuses(operation: OptionalOperation): EngineCheck {
  return {
    name: `says that it has no ${operation}`,
    check: async (engine) => {
      const { tasks } = engine
      if (operation === 'list') return same(tasks.list, undefined)
      const taskId = await engine.submit('refuses', 'note a')
      await tasks.answer(taskId)
      await throws('unsupported_operation', async () => {
        if (operation === 'events') for await (const record of tasks.events(taskId)) void record
        else await tasks[operation](taskId)
      })
    },
  }
}
