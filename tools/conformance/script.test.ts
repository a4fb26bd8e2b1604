import { expect, it } from 'vitest'
import { CaseError } from './given.ts'
import { type Calls, runCalls } from './script.ts'

const calls: Calls<{ total: number }> = {
  add_number: (subject, { theNumber }: { theNumber: number }) => {
    subject.total += theNumber
  },
  total: ({ total }) => total,
  fail: () => {
    throw new RangeError('no')
  },
  misread: () => {
    throw new CaseError('expected a string')
  },
}

it('returns the value or the error of each call, and continues after an error', async () => {
  const script = [{ call: 'add_number', the_number: 2 }, { call: 'fail' }, { call: 'total' }]
  expect(await runCalls(calls, script, { total: 0 })).toEqual([
    { value: null },
    { throws: true, error: 'RangeError' },
    { value: 2 },
  ])
})

it('accepts any error if the case does', async () => {
  const expected = { results: [{ throws: true, error: '*' }] }
  expect(await runCalls(calls, [{ call: 'fail' }], { total: 0 }, expected)).toEqual([{ throws: true, error: '*' }])
})

it('does not count a fault of the case as a result', async () => {
  await expect(runCalls(calls, [{ call: 'misread' }], { total: 0 })).rejects.toBeInstanceOf(CaseError)
  await expect(runCalls(calls, [{ call: 'subtract' }], { total: 0 })).rejects.toThrow(
    'expected one of add_number, total, fail, misread, received "subtract"',
  )
})
