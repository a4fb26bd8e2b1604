/**
 * @module
 * The checks that every task store and every layer must pass, and agents that are killed on a store. Entry `@x/testing/agents`.
 */
export { killChecks } from './agents/kill-checks.ts'
export { layerChecks } from './agents/layer-checks.ts'
export { taskStoreChecks } from './agents/task-store-checks.ts'
export type { ContractCheck } from './storage/contract-check.ts'
