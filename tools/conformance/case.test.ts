import { describe, expect, it } from 'vitest'
import { type Case, defineArea, type Operations, operation, runCase } from './case.ts'
import { isObject, list, number, object, optional, shape, string } from './reader.ts'

const operations: Operations = {
  'list.sum': operation(shape({ items: list(number) }), ({ items }) => items.reduce((sum, item) => sum + item, 0)),
  'text.check': operation(shape({ text: string }), ({ text }) => {
    if (text === '') throw new RangeError('empty')
    return { text, length: text.length }
  }),
  'object.touch': operation(shape({ target: object, key: optional(string) }), ({ target, key }) => {
    if (key !== undefined) target[key] = 'touched'
    return 'done'
  }),
  'expected.echo': operation(shape({}), (_, { value }) => (isObject(value) ? value['echo'] : value)),
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
      message: 'given.items: expected a list, received "x"',
    })
  })

  it('fails for a case that expects nothing', async () => {
    expect(await failureOf('list.sum', { items: [] }, {})).toMatchObject({
      message: 'expect: expected a value, throws or holds',
    })
  })

  it('names the keys that the operation does not read', async () => {
    const testCase = { id: 'id', op: 'list.sum', given: { items: [], mode: 'x' }, expect: { value: 0 } }
    expect(await runCase(area, testCase)).toEqual({ failure: null, unread: ['given.mode'] })
  })

  it('fails where inputs change, in areas that forbid it', async () => {
    const strict = defineArea([operations], { inputsStay: true })
    const given = () => ({ target: { a: 1 }, key: 'a' })
    expect(await failureOf('object.touch', given(), { value: 'done' })).toBeNull()
    expect(await failureOf('object.touch', { target: { a: 1 } }, { value: 'done' }, strict)).toBeNull()
    expect(await failureOf('object.touch', given(), { value: 'done' }, strict)).toMatchObject({
      differences: [{ path: 'given, after the call.target.a', expected: 1, received: 'touched' }],
    })
  })
})

describe('defineArea', () => {
  it('refuses an operation that two groups define', () => {
    expect(() => defineArea([operations, { 'list.sum': operations['list.sum']! }])).toThrow('list.sum is defined twice')
  })
})
