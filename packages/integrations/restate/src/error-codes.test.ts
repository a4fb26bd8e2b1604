import { expect, it } from 'vitest'
import * as restate from './index.ts'

it('has these error codes', () => {
  const { ResultTooLargeError, RetriesExhaustedError, RunChangedError } = restate
  const errors = [new ResultTooLargeError('x', 4e7), new RetriesExhaustedError('busy'), new RunChangedError('t', 'why')]
  expect(errors.map(({ name, code, retryable }) => `${name} ${code} ${retryable}`)).toEqual([
    'ResultTooLargeError result_too_large false',
    'RetriesExhaustedError retries_exhausted false',
    'RunChangedError run_changed true',
  ])
})
