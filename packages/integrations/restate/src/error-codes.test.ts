import { expect, it } from 'vitest'
import * as restate from './index.ts'

it('has these error codes', () => {
  const { ResultTooLargeError, RetriesExhaustedError } = restate
  const errors = [new ResultTooLargeError('x', 4e7), new RetriesExhaustedError('busy')]
  expect(errors.map(({ name, code, retryable }) => `${name} ${code} ${retryable}`)).toEqual([
    'ResultTooLargeError result_too_large false',
    'RetriesExhaustedError retries_exhausted false',
  ])
})
