/**
 * @module
 * The checks that every engine of durable tasks must pass. Entry `@x/testing/durable`.
 */

export { durableTasksChecks } from './durable/durable-tasks-checks.ts'
export { storedTasksChecks } from './durable/stored-tasks-checks.ts'
export type { ContractCheck } from './storage/contract-check.ts'
