import { expect, it } from 'vitest'
import { numberIn } from './number-in.ts'

it.each<[unknown, number | undefined]>([
  ['3', 3],
  [' -3.50 ', -3.5],
  ['1e3', 1000],
  ['1E-2', 0.01],
  ['-0', -0],
  ['0.1', 0.1],
  ['9007199254740991', 2 ** 53 - 1],
  ['9007199254740992', 2 ** 53],
  ['9007199254740993', undefined],
  [2n ** 60n, 2 ** 60],
  [2n ** 60n + 1n, undefined],
  ['1e400', undefined],
  ['9'.repeat(400), undefined],
  [10n ** 400n, undefined],
  ['', undefined],
  [' ', undefined],
  ['+3', undefined],
  ['3.', undefined],
  ['.5', undefined],
  ['0x10', undefined],
  ['3 4', undefined],
  ['Infinity', undefined],
  [3, undefined],
  [null, undefined],
  [true, undefined],
  [['3'], undefined],
])('numberIn(%s) is %s', (value, expected) => {
  expect(numberIn(value)).toBe(expected)
})
