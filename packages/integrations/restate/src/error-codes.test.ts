import { expect, it } from 'vitest'
import * as restate from './index.ts'

it('has these error codes', () => {
  const { AgentSetupError, ResultTooLargeError, RetriesExhaustedError, RunChangedError } = restate
  const errors = [
    new AgentSetupError('no key'),
    new ResultTooLargeError('x', 4e7),
    new RetriesExhaustedError('busy'),
    new RunChangedError('t', 'why'),
  ]
  expect(errors.map(({ name, code, retryable }) => `${name} ${code} ${retryable}`)).toEqual([
    'AgentSetupError agent_setup true',
    'ResultTooLargeError result_too_large false',
    'RetriesExhaustedError retries_exhausted false',
    'RunChangedError run_changed true',
  ])
})
