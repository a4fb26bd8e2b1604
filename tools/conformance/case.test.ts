import { describe, expect, it } from 'vitest'
import { type Case, defineArea, type Operations, runCase } from './case.ts'
import { CaseError, didYouMean, isObject, type JsonObject, named, nearNames } from './given.ts'
import { type Calls, runCalls } from './script.ts'

const operations: Operations = {
  'list.sum': ({ items }: { items: number[] }) => items.reduce((sum, item) => sum + item, 0),
  'text.check': ({ text }: { text: string }) => {
    if (text === '') throw new RangeError('empty')
    return { text, length: text.length }
  },
  'object.touch': ({ targetObject, key }: { targetObject: JsonObject; key?: string }) => {
    if (key !== undefined) targetObject[key] = 'touched'
    return 'done'
  },
  'number.of': ({ name }: { name: string }) => named({ one: 1, two: 2 }, name),
  'expected.echo': (_, { expect: { value } }) => (isObject(value) ? value['echo'] : value),
}

const area = defineArea([operations])

async function failureOf(op: string, given: Case['given'], expected: Case['expect'], tested = area) {
  return (await runCase(tested, { id: 'id', op, given, expect: expected })).failure
}

describe('runCase', () => {
  it('passes when the value or the error is the expected one', async () => {
    expect(await failureOf('list.sum', { items: [1, 2] }, { value: 3 })).toBeNull()
    expect(await failureOf('text.check', { text: '' }, { throws: true, error: 'RangeError' })).toBeNull()
  })

  it('reports every difference', async () => {
    expect(await failureOf('text.check', { text: 'ab' }, { value: { text: 'x', length: 1 } })).toEqual({
      message: 'the result is different',
      differences: [
        { path: 'value.text', expected: 'x', received: 'ab' },
        { path: 'value.length', expected: 1, received: 2 },
      ],
    })
  })

  it('reports an error that nobody expected', async () => {
    expect(await failureOf('text.check', { text: '' }, { value: 1 })).toMatchObject({
      message: 'threw RangeError: empty',
    })
  })

  it('fails for an unknown operation, also when an error is expected', async () => {
    expect(await failureOf('list.sun', {}, { throws: true })).toMatchObject({
      message: 'unknown operation list.sun (did you mean list.sum?)',
    })
  })

  it('fails for a case of another form, also when an error is expected', async () => {
    expect(await failureOf('list.sum', { items: 'x' }, { throws: true, error: '*' })).toMatchObject({
      message: expect.stringContaining('no operation reads a case of this form: items.reduce is not a function ('),
    })
    expect(await failureOf('number.of', { name: 'toString' }, { throws: true, error: '*' })).toMatchObject({
      message: 'expected one of one, two, received "toString"',
    })
  })

  it('fails for a case that expects nothing', async () => {
    expect(await failureOf('list.sum', { items: [] }, {})).toMatchObject({
      message: 'expect: expected a value, throws or holds',
    })
  })

  it('names the keys that the operation does not read', async () => {
    const testCase = { id: 'id', op: 'list.sum', given: { items: [], mode: 'x' }, expect: { value: 0 } }
    expect(await runCase(area, testCase)).toEqual({ failure: null, unread: ['mode'] })
  })

  it('fails where inputs change, in areas that forbid it', async () => {
    const strict = defineArea([operations], { inputsStay: true })
    const given = () => ({ target_object: { a: 1 }, key: 'a' })
    expect(await failureOf('object.touch', given(), { value: 'done' })).toBeNull()
    expect(await failureOf('object.touch', { target_object: { a: 1 } }, { value: 'done' }, strict)).toBeNull()
    expect(await failureOf('object.touch', given(), { value: 'done' }, strict)).toMatchObject({
      differences: [{ path: 'given, after the call.target_object.a', expected: 1, received: 'touched' }],
    })
  })
})

describe('defineArea', () => {
  it('refuses an operation that two groups define', () => {
    expect(() => defineArea([operations, { 'list.sum': operations['list.sum']! }])).toThrow('list.sum is defined twice')
  })
})

const ids = ['prompts/format/simple-1', 'prompts/format/simple-2', 'prompts/format/missing-1', 'nodes/hash/text-1']

it('finds names with few other characters, the nearest first', () => {
  expect(nearNames('prompts/format/simpl-2', ids)).toEqual([
    'prompts/format/simple-2',
    'prompts/format/simple-1',
    'prompts/format/missing-1',
  ])
})

it('finds names that contain a part', () => {
  expect(nearNames('missing-1', ids)).toEqual(['prompts/format/missing-1'])
})

it('finds nothing if no name is similar', () => {
  expect(nearNames('agents', ids)).toEqual([])
  expect(didYouMean('agents', ids)).toBe('')
})

it('ends a message', () => {
  expect(didYouMean('promts', ['prompts', 'nodes'])).toBe(' (did you mean prompts?)')
})

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
