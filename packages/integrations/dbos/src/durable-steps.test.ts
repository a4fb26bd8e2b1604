import { expect, it } from 'vitest'
import { agentWorkflow } from './agent-workflow.ts'
import type { DbosRuntime } from './dbos-types.ts'
import { durableSteps } from './durable-steps.ts'

it('refuses options that it does not have, and a missing engine', () => {
  const refused = expect.objectContaining({ code: 'model_validation' })
  const dbos = { isInStep: () => false } as DbosRuntime
  expect(() => durableSteps({ dbos, retries: { attempts: 2 } } as never)).toThrow(refused)
  expect(() => durableSteps({} as never)).toThrow(refused)
  const engine = { registerWorkflow() {} } as never
  const agent = () => null as never
  expect(() => agentWorkflow({ dbos: engine, agent, retry: { attempts: 2 } } as never)).toThrow(refused)
  expect(() => durableSteps({ dbos })).not.toThrow()
})

/** An engine that records nothing. It begins a step in a later turn of the event loop, as after a question to the database. */
function engine() {
  let isInStep = false
  return {
    isInStep: () => isInStep,
    runStep: async <T>(work: () => Promise<T>) => {
      await new Promise(setImmediate)
      isInStep = true
      const working = work()
      isInStep = false
      return working
    },
  } as DbosRuntime
}

it('delivers in the order in which calls began, after the calls that the one before leads to have begun', async () => {
  const durable = durableSteps({ dbos: engine() })
  const seen: string[] = []
  const call = async (name: string, ms: number) => {
    seen.push(name)
    await durable(name, () => new Promise<null>((resolve) => setTimeout(resolve, ms, null)))
    seen.push(`${name} is done`)
  }
  await Promise.all([call('one', 20).then(() => call('next', 0)), call('two', 0)])
  expect(seen).toEqual(['one', 'two', 'one is done', 'next', 'two is done', 'next is done'])
})

it('returns what a call has returned, and does not read it from its record', async () => {
  const result = { count: 1n }
  expect(await durableSteps({ dbos: engine() })('count', async () => result as never)).toBe(result)
})
