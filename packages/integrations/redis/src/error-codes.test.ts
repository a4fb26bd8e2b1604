/** @module-tag system */
import { expect, it } from 'vitest'
import * as exported from './index.ts'

it('exports these names', () => {
  expect(Object.keys(exported).sort()).toEqual(['RedisConflictError', 'RedisKeyValueStore', 'RedisTaskStore'])
  expect(new exported.RedisConflictError(3).code).toBe('redis_conflict')
})
