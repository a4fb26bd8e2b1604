/**
 * @module
 * The checks that every task store must pass. Entry `@x/agents/testing`.
 */
export { type StoreCheck, taskStoreChecks } from './task/task-store-checks.ts'
