import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { errorMessage, siteAddress } from './errors.ts'
import * as core from './index.ts'

const errorClasses = Object.entries(core).filter(
  ([, value]) => typeof value === 'function' && value.prototype instanceof core.ToolkitError,
) as [string, new (...args: unknown[]) => core.ToolkitError][]

/** One instance of each class. */
const made = errorClasses.map(([name, errorClass]): [string, core.ToolkitError] => [
  name,
  name === 'ModelValidationError'
    ? new core.ModelValidationError('M', [{ path: 'a', message: 'b', code: 'c' }])
    : new errorClass('a', 0, 'b', 'c'),
])

describe('errors', () => {
  it('have stable codes', () => {
    expect(Object.fromEntries(made.map(([name, { code }]) => [name, code]))).toMatchInlineSnapshot(`
      {
        "ClassNameMismatchError": "class_name_mismatch",
        "ConfigurationError": "configuration",
        "EmptyInputError": "empty_input",
        "ModelValidationError": "model_validation",
        "NotSupportedError": "not_supported",
        "SerializationError": "serialization",
        "UnknownClassNameError": "unknown_class_name",
      }
    `)
  })

  it.each(made)('%s is recognized by its mark and named independently of minification', (name, error) => {
    expect(error).toBeInstanceOf(Error)
    expect([error.name, String(error).startsWith(`${name}: `)]).toEqual([name, true])
    expect(core.isToolkitError(error)).toBe(true)
    expect(core.isToolkitError(error, error.code as keyof core.ToolkitErrors)).toBe(true)
    expect(core.isToolkitError(error, 'other' as keyof core.ToolkitErrors)).toBe(false)
    expect(Object.keys(error)).not.toContain('name')
  })

  it.each(made)('%s is printed with the address of its code, which its message does not contain', (_, error) => {
    expect(error.help).toBe(`${siteAddress}/errors#${error.code}`)
    expect(inspect(error)).toContain(`help: '${error.help}'`)
    expect(error.message).not.toContain(siteAddress)
  })

  it('have another address in a subclass that sets one', () => {
    class QuotaError extends core.ToolkitError {
      override readonly help = 'https://shop.example/quota'
    }
    const error = new QuotaError('QuotaError', 'quota', 'The quota is used up.')
    expect([error.help, JSON.parse(JSON.stringify(error)).help]).toEqual(Array(2).fill('https://shop.example/quota'))
  })

  it('are not recognized if another library threw them', () => {
    for (const other of [new Error('x'), { code: 'model_validation' }, null, undefined, 'model_validation'])
      expect(core.isToolkitError(other)).toBe(false)
  })

  it('keep their cause', () => {
    const cause = new Error('why')
    expect(new core.SerializationError('a.b', 'no', { cause })).toMatchObject({
      cause,
      field: 'a.b',
      message: 'a.b: no.',
    })
    expect(new core.ConfigurationError('x', { cause }).cause).toBe(cause)
    expect('cause' in new core.EmptyInputError('x')).toBe(false)
  })

  it('list every invalid field on its own line', () => {
    const issue = (path: string) => ({ path, message: 'wrong', code: 'type' })
    expect(new core.ModelValidationError('M', [issue('a.b'), issue('[0].c'), issue('')]).message).toBe(
      'M.a.b: wrong.\nM[0].c: wrong.\nM: wrong.',
    )
    const many = new core.ModelValidationError('M', Array(30_000).fill(issue('a')))
    expect(many.message.split('\n').slice(-2)).toEqual(['M.a: wrong.', 'and 29950 more.'])
    expect(many.issues).toHaveLength(30_000)
  })
})

it.each([
  [new Error('broken'), 'broken'],
  [{ message: 'broken' }, 'broken'],
  ['broken', 'broken'],
  [null, 'null'],
  [{ message: 5 }, '[object Object]'],
  [new AggregateError([new Error('a is down'), 'b', undefined]), 'a is down; b; '],
  [new AggregateError([new Error('a is down')], 'all'), 'all'],
  [Object.create(null), 'it has no message'],
])('of %o', (error, message) => {
  expect(errorMessage(error)).toBe(message)
})
