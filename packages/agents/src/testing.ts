/**
 * @module
 * The checks that every task store and every layer must pass, and agents that are killed on a store. Entry `@x/agents/testing`.
 */
export { type KillCheckOptions, killChecks } from './certificate/kill-checks.ts'
export { layerChecks } from './small/layer-checks.ts'
export { type StoreCheck, taskStoreChecks } from './task/task-store-checks.ts'
