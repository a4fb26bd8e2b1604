import { expect, it } from 'vitest'
import { checkInteger, checkNumber } from './check-option.ts'

it('checkInteger accepts integers from a minimum on', () => {
  for (const value of [0, 1, Number.MAX_SAFE_INTEGER]) checkInteger('Index', 'size', value)
  checkInteger('Index', 'size', -1, -1)
  for (const value of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, '1', null, undefined])
    expect(() => checkInteger('Index', 'size', value)).toThrow(
      'Index.size: expected an integer of at least 0, received ',
    )
  expect(() => checkInteger('Index', 'size', 'one', 1)).toThrow(
    'Index.size: expected an integer of at least 1, received a string.',
  )
})

it('checkNumber accepts finite numbers from 0 to a maximum', () => {
  for (const value of [0, 0.5, 1e9]) checkNumber('Index', 'weight', value)
  checkNumber('Index', 'weight', 1, 1)
  for (const value of [-1, Number.NaN, Number.POSITIVE_INFINITY, '1'])
    expect(() => checkNumber('Index', 'weight', value)).toThrow('Index.weight: expected a finite number of at least 0')
  expect(() => checkNumber('Index', 'weight', 1.1, 1)).toThrow(
    'Index.weight: expected a number from 0 to 1, received 1.1.',
  )
})
