/**
 * @module
 * The checks that every engine of durable tasks must pass. Entry `@x/testing/durable`.
 */

export type { StoreCheck } from './agents/task-store-checks.ts'
export { durableTasksChecks } from './durable/durable-tasks-checks.ts'
export { storedTasksChecks } from './durable/stored-tasks-checks.ts'
