import { expect, it } from 'vitest'
import { errorMessage } from './error-message.ts'

it.each([
  [new Error('broken'), 'broken'],
  [{ message: 'broken' }, 'broken'],
  ['broken', 'broken'],
  [null, 'null'],
  [{ message: 5 }, '[object Object]'],
  [Object.create(null), 'it has no message'],
])('of %o', (error, message) => {
  expect(errorMessage(error)).toBe(message)
})
