/**
 * @module
 * Key-value store and agent tasks in Redis or Valkey.
 */
export { RedisConflictError, RedisKeyValueStore } from './redis-key-value-store.ts'
export { RedisTaskStore } from './redis-task-store.ts'
