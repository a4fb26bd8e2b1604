import { expect, it } from 'vitest'
import type { DbosRuntime } from './dbos-types.ts'
import { durableSteps } from './durable-steps.ts'

it('refuses options that it does not have, and a missing engine', () => {
  const refused = expect.objectContaining({ code: 'model_validation' })
  const dbos = { isInStep: () => false } as DbosRuntime
  expect(() => durableSteps({ dbos, retries: { attempts: 2 } } as never)).toThrow(refused)
  expect(() => durableSteps({} as never)).toThrow(refused)
  expect(() => durableSteps({ dbos })).not.toThrow()
})
