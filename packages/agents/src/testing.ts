/**
 * @module
 * The checks that every task store, every layer and every engine must pass, and agents that are killed on a store. Entry
 * `@x/agents/testing`.
 */
export type { CheckedTasks } from './certificate/checked-engine.ts'
export { type DurableTasksCheckOptions, durableTasksChecks } from './certificate/durable-tasks-checks.ts'
export { type KillCheckOptions, killChecks } from './certificate/kill-checks.ts'
export { layerChecks } from './small/layer-checks.ts'
export { type StoreCheck, taskStoreChecks } from './task/task-store-checks.ts'
