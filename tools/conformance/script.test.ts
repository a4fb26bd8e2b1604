import { expect, it } from 'vitest'
import { CaseFormError, number, Place, shape } from './reader.ts'
import { call, callReader, runCalls } from './script.ts'

const read = callReader<{ total: number }>({
  add: call(shape({ n: number }), (subject, { n }) => {
    subject.total += n
  }),
  total: call(shape({}), ({ total }) => total),
  fail: call(shape({}), () => {
    throw new RangeError('no')
  }),
  misread: call(shape({}), () => {
    throw new CaseFormError('given', 'a string', 1)
  }),
})

const calls = (...records: object[]) => records.map((record) => read(record, new Place('given.calls')))

it('returns the value or the error of each call, and continues after an error', async () => {
  const script = calls({ call: 'add', n: 2 }, { call: 'fail' }, { call: 'total' })
  expect(await runCalls(script, { total: 0 })).toEqual([
    { value: null },
    { throws: true, error: 'RangeError' },
    { value: 2 },
  ])
})

it('accepts any error if the case does', async () => {
  const expected = { results: [{ throws: true, error: '*' }] }
  expect(await runCalls(calls({ call: 'fail' }), { total: 0 }, expected)).toEqual([{ throws: true, error: '*' }])
})

it('does not count a fault of the case as a result', async () => {
  await expect(runCalls(calls({ call: 'misread' }), { total: 0 })).rejects.toBeInstanceOf(CaseFormError)
})

it('refuses unknown calls and arguments of another form', () => {
  expect(() => calls({ call: 'subtract' })).toThrow('given.calls.call: expected one of add, total, fail, misread')
  expect(() => calls({ call: 'add', n: 'x' })).toThrow('given.calls.n: expected a number, received "x"')
})
