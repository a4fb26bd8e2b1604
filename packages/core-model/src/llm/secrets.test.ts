import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ModelCallError, modelCallErrorFrom } from './model-call-error.ts'
import { requestSecrets, withoutSecrets } from './secrets.ts'

describe('withoutSecrets', () => {
  it.each([
    ['https://user:pw@host/v1 failed', 'https://host/v1 failed'],
    ['postgres://user:pw@host/db', 'postgres://host/db'],
    ['GET https://host/v1?api-version=1&key=abc&x=y', 'GET https://host/v1?api-version=1&key=[secret]&x=y'],
    [
      'https://h/?X-Amz-Signature=0f and https://h/?access_token=1',
      'https://h/?X-Amz-Signature=[secret] and https://h/?access_token=[secret]',
    ],
    ['sent Bearer abcdefghijklmnopqrstuv==', 'sent Bearer [secret]'],
    ['Incorrect API key: sk-proj-abcdefghij0123456789', 'Incorrect API key: [secret]'],
    ['Bearer authentication is missing', 'Bearer authentication is missing'],
    ['mail a@b.example, see https://host/a?page=2', 'mail a@b.example, see https://host/a?page=2'],
  ])('hides passwords and keys whose form is known: %s', (text, expected) => {
    expect(withoutSecrets(text)).toBe(expected)
  })

  it('hides every form of a value that a server may repeat', () => {
    const secrets = requestSecrets(
      { Authorization: 'Bearer a"b c/d', 'x-title': 'App' },
      'http://me:p%40ss@h/?key=K-1&v=2',
    )
    const text = 'a"b c/d, a\\"b c/d, a%22b%20c%2Fd, Bearer a"b c/d, p@ss, p%40ss, K-1, App'
    expect(withoutSecrets(text, secrets)).toBe('[secret], [secret], [secret], [secret], [secret], [secret], K-1, App')
  })

  it('is linear in the length of the text', () => {
    for (const text of ['?key', 'https://', 'sk-', 'Bearer ', '&token=', 'aa:'].map((part) => part.repeat(200_000))) {
      const start = performance.now()
      withoutSecrets(text, ['SECRET'])
      expect(performance.now() - start).toBeLessThan(1000)
    }
  })
})

describe('the error of a model call', () => {
  const secrets = ['SECRETKEY']

  it('contains no secret in its message, stack and causes', () => {
    const deep = Object.assign(new Error('echo SECRETKEY'), { headers: { authorization: 'SECRETKEY' } })
    const cause = new TypeError('outer', { cause: deep })
    const error = modelCallErrorFrom('http://u:pw@h', { status: 401, message: 'bad SECRETKEY', cause, secrets })
    expect(error.message).toBe('http://h: bad [secret] (HTTP 401)')
    expect(inspect(error, { depth: 9 })).not.toMatch(/SECRETKEY|u:pw/)
    expect(error.cause).toMatchObject({ name: 'TypeError', message: 'outer', cause: { message: 'echo [secret]' } })
  })

  it.each([
    ['a property', Object.assign(new Error('x'), { url: 'https://h/?key=SECRETKEY' })],
    ['a property of a property', Object.assign(new Error('x'), { request: { header: ['SECRETKEY'] } })],
    ['an object', { message: 'SECRETKEY' }],
    ['a string', 'SECRETKEY'],
  ])('has a cause without secrets: %s', (_, cause) => {
    const error = new ModelCallError('x', { kind: 'auth', cause, secrets })
    expect(inspect(error, { depth: 9 })).not.toContain('SECRETKEY')
  })

  it('keeps a cause without secrets, and ends at a cause that is its own cause', () => {
    const cause = Object.assign(new Error('x'), { circle: {} as object })
    expect(new ModelCallError('x', { kind: 'auth', cause, secrets }).cause).toBe(cause)
    cause.circle = cause
    cause.cause = cause
    expect(new ModelCallError('x', { kind: 'auth', cause, secrets }).cause).toMatchObject({ message: 'x' })
  })
})
