/**
 * @module
 * The checks that every task store must pass, and agents that are killed on it. Entry `@x/agents/testing`.
 */
export { type KillCheckOptions, killChecks } from './certificate/kill-checks.ts'
export { type StoreCheck, taskStoreChecks } from './task/task-store-checks.ts'
